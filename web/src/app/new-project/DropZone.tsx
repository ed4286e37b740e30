import { useId, useState } from "preact/hooks";
import { ACCEPTED } from "./inspect-file";

/** An area to drop or choose a file. */
export function DropZone({ busy, onFile }: { busy: boolean; onFile: (file: File) => void }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the file field inside is the first
    <div
      class={`empty drop ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label for={id} class="button main">
        {busy ? "Reading…" : "Choose file"}
      </label>
      <input
        id={id}
        class="unseen"
        type="file"
        accept={ACCEPTED}
        disabled={busy}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) onFile(file);
        }}
      />
      <p>or drop it here</p>
      <p class="soft small">
        CSV, TSV, JSONL or Parquet with one row per item, or a zip archive of images. The file is uploaded when you
        create the project; before that, only its first rows are read.
      </p>
    </div>
  );
}
