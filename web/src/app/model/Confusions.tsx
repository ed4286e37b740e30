import type { Models } from "../../api";
import { Card } from "../../ui";
import { count, percent } from "../../ui/format";

/** Where the best workers see something else than the crowd: mostly, instructions are read in two ways there. */
export function Confusions({ models, at }: { models: Models; at: string }) {
  return (
    <Card title="Likely mistakes in the instructions">
      {models.mistakes.length === 0 ? (
        <p class="soft">None seen: the best workers and the crowd mean the same by each class.</p>
      ) : (
        <>
          <p class="soft">
            Where the best workers see another class than the crowd, a definition can be read in two ways.
          </p>
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
        The crowd says <strong>{crowd}</strong> where the best workers say <strong>{best}</strong>: {count(n)}{" "}
        {n === 1 ? "item" : "items"}, {percent(share)} of those the crowd calls {crowd}.
      </p>
      <p class="small">
        For example{" "}
        {items.map((item, i) => (
          <span key={item.id}>
            {i > 0 && ", "}
            <a href={`${at}/items/${item.id}`}>{item.key}</a>
          </span>
        ))}
        .
      </p>
      <p class="small">
        What to do: <a href={`${at}/settings`}>make the definition of {crowd} clearer</a>, with one of these as an
        example of {best}.
      </p>
    </li>
  );
}
