import { useEffect, useState } from "preact/hooks";
import type { ShownItem } from "../../api";
import { addressOf } from "../../item/address";
import { ItemView } from "../../item/ItemView";
import { ZoomableImage } from "../../item/ZoomableImage";
import { imageIn } from "./archive";

/** An item that is not uploaded yet: its image is read from the file, and its HTML is not fetched. */
export function PreviewItem({ item, index, file }: { item: ShownItem; index: number; file: File | null }) {
  const packed = item.kind === "image" && file?.name.toLowerCase().endsWith(".zip");
  if (packed) return <Packed file={file} index={index} />;
  if (item.kind === "html")
    return <iframe class="item html" sandbox="" srcdoc={String(item.content.html)} title={`Item ${index + 1}`} />;
  const fetched = item.kind === "image" || item.kind === "audio";
  if (fetched && !addressOf(item.content, ""))
    return <p class="soft">The {item.kind === "image" ? "image" : "audio"} appears here.</p>;
  return <ItemView item={item} name={String(index + 1)} base="" />;
}

function Packed({ file, index }: { file: File | null; index: number }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let url: string | null = null;
    let left = false;
    if (file)
      imageIn(file, index).then(
        (image) => {
          if (left || !image) return;
          url = URL.createObjectURL(image);
          setAddress(url);
        },
        () => setAddress(null),
      );
    return () => {
      left = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [file, index]);
  if (!address) return <p class="soft">The image appears here.</p>;
  return <ZoomableImage key={address} src={address} alt={`Image ${index + 1}`} />;
}
