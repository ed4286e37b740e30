import type { ShownItem } from "../api/types";
import { addressOf } from "./address";
import "./item.css";
import { AudioPlayer } from "./AudioPlayer";
import { splitAtSpan } from "./spans";
import { ZoomableImage } from "./ZoomableImage";

interface Props {
  item: ShownItem;
  /** The text alternative: voters see the number of an item, because its key may contain the label. */
  name: string;
  /** The URL below which the file and the HTML of an item are fetched: `/api/projects/1/tasks/7`. */
  base: string;
}

/** An item of any kind, as voters and requesters see it. */
export function ItemView({ item, name, base }: Props) {
  const content = item.content;
  switch (item.kind) {
    case "pair":
      return (
        <div class="item pair">
          <Words title="First text" text={String(content.text_a ?? "")} />
          <Words title="Second text" text={String(content.text_b ?? "")} span={content.span} marked />
        </div>
      );
    case "image":
      return <ZoomableImage key={base} src={addressOf(content, base)} alt={`Image ${name}`} />;
    case "audio":
      return <AudioPlayer key={base} src={addressOf(content, base)} name={`Audio ${name}`} />;
    case "html":
      return <iframe class="item html" sandbox="" src={`${base}/html`} title={`Item ${name}`} />;
    case "features":
      return <Numbers features={content.features} />;
    default:
      return (
        <div class="item">
          <Words text={String(content.text ?? "")} span={content.span} />
        </div>
      );
  }
}

interface WordsProps {
  title?: string;
  text: string;
  span?: unknown;
  marked?: boolean;
}

function Words({ title, text, span, marked }: WordsProps) {
  const [before, highlighted, after] = splitAtSpan(text, span) ?? [text, "", ""];
  return (
    <div class={marked ? "words marked" : "words"}>
      {title && <h3 class="soft small">{title}</h3>}
      <p dir="auto">
        {before}
        {highlighted && <mark>{highlighted}</mark>}
        {after}
      </p>
    </div>
  );
}

/** Numbers, with their names if they have some. */
function Numbers({ features }: { features: unknown }) {
  const named = Array.isArray(features)
    ? features.map((value, index) => [`${index + 1}`, value])
    : Object.entries(features ?? {});
  return (
    <dl class="item numbers">
      {named.map(([name, value]) => (
        <div key={name}>
          <dt class="soft small">{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export { addressOf };
