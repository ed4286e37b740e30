import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "./colours";
import { type Drawing, optionsOf, rowsOf } from "./plotting";
import { AsTable, Legend } from "./words";

interface Props extends Drawing {
  /** What the chart tells, in a sentence: for those who do not see it. */
  label: string;
}

/** Lines over x, or parts of a whole. What is under the pointer is told beside the names; all of it in a table. */
export function Chart({ label, ...drawing }: Props) {
  const { xName } = drawing;
  const [place, setPlace] = useState<number | null>(null);
  const holder = usePlot(drawing, setPlace);
  return (
    <figure class="chart">
      <Legend drawing={drawing} xName={xName} place={place} />
      <div
        ref={holder}
        class="chart-area"
        role="img"
        aria-label={label}
        style={{ height: `${drawing.height ?? 240}px` }}
      />
      <AsTable drawing={drawing} xName={xName} label={label} />
    </figure>
  );
}

/** Keeps a canvas in step with what is drawn, with the room there is, and with light and dark. */
function usePlot(drawing: Drawing, onPoint: (place: number | null) => void) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const shape = JSON.stringify([
    drawing.lines.map((line) => [line.name, line.tone]),
    drawing.marks,
    drawing.log,
    drawing.xName,
  ]);
  const drawn = useRef<uPlot | null>(null);
  const latest = useRef(drawing);
  latest.current = drawing;
  // theme and shape say when it must be painted anew
  useEffect(() => {
    const room = holder.current;
    if (!room) return;
    const plot = new uPlot(
      optionsOf(() => latest.current, room.clientWidth, onPoint),
      rowsOf(latest.current),
      room,
    );
    drawn.current = plot;
    const sizes = new ResizeObserver(() => plot.setSize({ width: room.clientWidth, height: plot.height }));
    sizes.observe(room);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [theme, shape]);
  useEffect(() => drawn.current?.setData(rowsOf(drawing)), [drawing.x, drawing.lines]);
  return holder;
}
