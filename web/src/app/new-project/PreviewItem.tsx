import { useEffect, useState } from "preact/hooks";
import type { ShownItem } from "../../api";
import { addressOf } from "../../item/address";
import { ItemView } from "../../item/ItemView";
import { Zoomed } from "../../item/Zoomed";
import { imageIn } from "./archive";

/** An item that is not in the service yet: its image comes out of the file here, and its HTML is not fetched. */
export function PreviewItem({ item, place, file }: { item: ShownItem; place: number; file: File | null }) {
  const packed = item.kind === "image" && file?.name.toLowerCase().endsWith(".zip");
  if (packed) return <Packed file={file} place={place} />;
  if (item.kind === "html")
    return <iframe class="item html" sandbox="" srcdoc={String(item.content.html)} title={`Item ${place + 1}`} />;
  const fetched = item.kind === "image" || item.kind === "audio";
  if (fetched && !addressOf(item.content, ""))
    return <p class="soft">The {item.kind === "image" ? "image" : "sound"} of an item stands here.</p>;
  return <ItemView item={item} name={String(place + 1)} base="" />;
}

function Packed({ file, place }: { file: File | null; place: number }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let left = false;
    if (file)
      imageIn(file, place).then(
        (image) => {
          if (left || !image) return;
          made = URL.createObjectURL(image);
          setAddress(made);
        },
        () => setAddress(null),
      );
    return () => {
      left = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [file, place]);
  if (!address) return <p class="soft">The image of an item stands here.</p>;
  return <Zoomed key={address} src={address} alt={`Image ${place + 1}`} />;
}
