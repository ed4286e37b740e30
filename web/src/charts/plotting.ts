import type uPlot from "uplot";
import { resolveColour } from "./colours";
import { extent, type Line, type Mark, placeLabel, positiveOnly, stacked } from "./series";

/** The data of a chart, and how its numbers are formatted. */
export interface ChartData {
  x: number[];
  lines: Line[];
  marks?: Mark[] | undefined;
  height?: number | undefined;
  /** Whether the lines are stacked parts of a whole. */
  parts?: boolean | undefined;
  /** Whether x is a time, in seconds since 1970. */
  time?: boolean | undefined;
  /** Whether y has a logarithmic scale. */
  log?: boolean | undefined;
  /** The name of x: "Votes". */
  xName: string;
  showX: (x: number) => string;
  showY: (y: number) => string;
}

const FONT = '12px system-ui, "Segoe UI", Roboto, sans-serif';

/** Returns the rows in drawing order: stacked parts start with the whole. */
export function plotRows(drawing: ChartData): uPlot.AlignedData {
  const { x, lines, parts, log } = drawing;
  if (parts) return [x, ...stacked(lines).reverse()];
  return [x, ...lines.map((line) => (log ? positiveOnly(line.values) : line.values))];
}

/** Returns the options of uPlot; scales follow `latest` without a new canvas. */
export function plotOptions(
  latest: () => ChartData,
  width: number,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const { height = 240, time = false, log = false, xName, showY } = latest();
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { setScale: false, x: false, y: false }, y: false },
    scales: { x: { time, range: () => xRange(latest()) }, y: { distr: log ? 3 : 1, range: () => yRange(latest()) } },
    padding: [8, 12, 0, 0],
    axes: [
      { ...axis((x) => latest().showX(x), 80), ...(time ? {} : axisTitle(xName)), size: 30 },
      { ...axis(showY, 34, log), size: 56, ...(log ? {} : { incrs: EVEN_STEPS }) },
    ],
    series: [{}, ...plotSeries(latest())],
    hooks: { draw: [(plot) => drawMarks(plot, latest())], setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  };
}

function xRange({ x, marks = [], time = false }: ChartData): [number, number] {
  const places = marks.map((mark) => mark.x);
  const { low, high } = extent(x, places, marks.length && !time ? 0 : undefined);
  return [low, high + (marks.length ? 0.06 * (high - low) : 0)];
}

function yRange(drawing: ChartData): [number, number] {
  const marks = (drawing.marks ?? []).map((mark) => mark.y);
  const shown = plotRows(drawing)
    .slice(1)
    .flatMap((row) => Array.from(row as (number | null)[]));
  if (!drawing.log) return [0, 1.06 * extent(shown, marks, 0).high];
  const { low, high } = extent(shown, positiveOnly(marks));
  return [low / 1.5, high * 1.5];
}

/** Tick steps with few digits: with steps of 2.5%, every other label would be rounded wrongly. */
const EVEN_STEPS = Array.from({ length: 16 }, (_, i) => [1, 2, 5].map((step) => step * 10 ** (i - 6))).flat();

function axis(show: (value: number) => string, space: number, log = false): uPlot.Axis {
  const filter: uPlot.Axis.Filter = (_, splits) =>
    splits.map((tick) => (tick !== null && show(tick) !== "" && (!log || isPowerOfTen(tick)) ? tick : null));
  const grid = { stroke: resolveColour("var(--line)"), width: 1, filter };
  const values: uPlot.Axis.Values = (_, splits) => splits.map((tick) => (tick === null ? "" : show(tick)));
  return { stroke: resolveColour("var(--ink-soft)"), font: FONT, grid, ticks: grid, space, values };
}

/** Returns whether a value is a power of ten. */
function isPowerOfTen(value: number): boolean {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
}

function axisTitle(name: string): uPlot.Axis {
  return { label: name, labelFont: FONT, labelSize: 20 };
}

function plotSeries({ lines, parts }: ChartData): uPlot.Series[] {
  const ordered = parts ? [...lines].reverse() : lines;
  return ordered.map((line) => {
    const stroke = resolveColour(line.tone);
    const series = { label: line.name, stroke, width: parts ? 0 : 2, points: { show: false } };
    return parts ? { ...series, fill: stroke } : series;
  });
}

function drawMarks(plot: uPlot, { marks = [] }: ChartData): void {
  const { ctx, bbox } = plot;
  const dot = devicePixelRatio;
  ctx.save();
  ctx.font = `${12 * dot}px system-ui, "Segoe UI", Roboto, sans-serif`;
  ctx.fillStyle = ctx.strokeStyle = resolveColour("var(--ink)");
  ctx.textAlign = "left";
  const written: ReturnType<typeof placeLabel>[] = [];
  for (const [i, mark] of marks.entries()) {
    const left = plot.valToPos(mark.x, "x", true);
    const top = mark.y === null ? bbox.top + (14 + 18 * i) * dot : plot.valToPos(mark.y, "y", true);
    mark.y === null ? verticalLine(ctx, left, bbox, dot) : diamond(ctx, left, top, 5 * dot);
    const { width } = ctx.measureText(mark.name);
    const right = left + 10 * dot + width > bbox.left + bbox.width;
    const begin = right ? left - 9 * dot - width : left + 9 * dot;
    const word = placeLabel({ left: begin, top: top - (mark.y === null ? 0 : 6 * dot), width }, written, 15 * dot);
    ctx.fillText(mark.name, word.left, word.top);
    written.push(word);
  }
  ctx.restore();
}

function verticalLine(ctx: CanvasRenderingContext2D, left: number, bbox: uPlot.BBox, dot: number): void {
  ctx.setLineDash([4 * dot, 4 * dot]);
  ctx.lineWidth = dot;
  ctx.beginPath();
  ctx.moveTo(left, bbox.top);
  ctx.lineTo(left, bbox.top + bbox.height);
  ctx.stroke();
}

function diamond(ctx: CanvasRenderingContext2D, left: number, top: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(left, top - size);
  ctx.lineTo(left + size, top);
  ctx.lineTo(left, top + size);
  ctx.lineTo(left - size, top);
  ctx.fill();
}
