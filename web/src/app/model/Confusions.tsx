import type { Models } from "../../api";
import { Card } from "../../ui";
import { count, percent } from "../../ui/format";

/** Classes on which the best workers disagree with the crowd, which often have unclear definitions. */
export function Confusions({ models, at }: { models: Models; at: string }) {
  return (
    <Card title="Unclear class definitions">
      {models.mistakes.length === 0 ? (
        <p class="soft">None found: the best workers and the crowd agree on every class.</p>
      ) : (
        <>
          <p class="soft">Where the best workers choose another class than the crowd, a definition may be ambiguous.</p>
          <ul class="stack">
            {models.mistakes.map((mistake) => (
              <Confusion key={`${mistake.crowd} ${mistake.best}`} mistake={mistake} at={at} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Confusion({ mistake, at }: { mistake: Models["mistakes"][number]; at: string }) {
  const { crowd, best, n, share, items } = mistake;
  return (
    <li class="mistake">
      <p>
        The crowd chooses <strong>{crowd}</strong> where the best workers choose <strong>{best}</strong>: {count(n)}{" "}
        {n === 1 ? "item" : "items"}, {percent(share)} of the items the crowd labelled {crowd}.
      </p>
      <p class="small">
        Examples:{" "}
        {items.map((item, i) => (
          <span key={item.id}>
            {i > 0 && ", "}
            <a href={`${at}/items/${item.id}`}>{item.key}</a>
          </span>
        ))}
        .
      </p>
      <p class="small">
        <a href={`${at}/settings`}>Clarify the definition of {crowd}</a> and add one of these items as an example of{" "}
        {best}.
      </p>
    </li>
  );
}
