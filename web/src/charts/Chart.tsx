import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "./colours";
import { DataTable, Legend } from "./Legend";
import { type ChartData, plotOptions, plotRows } from "./plotting";

interface Props extends ChartData {
  /** The text alternative of the chart. */
  label: string;
}

/** A line chart or stacked areas, with the values at the pointer in the legend and all data in a table. */
export function Chart({ label, ...drawing }: Props) {
  const { xName } = drawing;
  const [index, setIndex] = useState<number | null>(null);
  const holder = usePlot(drawing, setIndex);
  return (
    <figure class="chart">
      <Legend drawing={drawing} xName={xName} index={index} />
      <div
        ref={holder}
        class="chart-area"
        role="img"
        aria-label={label}
        style={{ height: `${drawing.height ?? 240}px` }}
      />
      <DataTable drawing={drawing} xName={xName} label={label} />
    </figure>
  );
}

/** Keeps a canvas in step with the data, its size and the colour scheme. */
function usePlot(drawing: ChartData, onPoint: (index: number | null) => void) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const shape = JSON.stringify([
    drawing.lines.map((line) => [line.name, line.tone]),
    drawing.marks,
    drawing.log,
    drawing.xName,
  ]);
  const plotRef = useRef<uPlot | null>(null);
  const latest = useRef(drawing);
  latest.current = drawing;
  // theme and shape decide when it is drawn again
  useEffect(() => {
    const room = holder.current;
    if (!room) return;
    const plot = new uPlot(
      plotOptions(() => latest.current, room.clientWidth, onPoint),
      plotRows(latest.current),
      room,
    );
    plotRef.current = plot;
    const sizes = new ResizeObserver(() => plot.setSize({ width: room.clientWidth, height: plot.height }));
    sizes.observe(room);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [theme, shape]);
  useEffect(() => plotRef.current?.setData(plotRows(drawing)), [drawing.x, drawing.lines]);
  return holder;
}
