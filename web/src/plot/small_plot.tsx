// A small plot of a few series, as SVG: for findings, not for the curves of runs.
import { useSize } from "../ui/use_size";
import { hasPlace, scaleOf } from "./scales";
import { short } from "./values";

export interface Series {
  name: string;
  x: number[];
  /** A value for each x; null where there is none. */
  y: (number | null)[];
  /** Drawn as points, not as a line. */
  points?: boolean;
  /** The number of its colour; its place in the list if absent. */
  color?: number;
}

interface SmallPlotProps {
  label: string;
  xLabel: string;
  yLabel: string;
  series: Series[];
  logX?: boolean;
  logY?: boolean;
  height?: number;
}

const margin = { left: 58, right: 12, top: 22, bottom: 34 };

export function SmallPlot(props: SmallPlotProps) {
  const { label, series, logX = false, logY = false, height = 190 } = props;
  const [host, width] = useSize();
  const right = Math.max(margin.left + 10, width - margin.right);
  const bottom = height - margin.bottom;
  const x = scaleOf(series.map((s) => s.x), margin.left, right,
    { log: logX, count: width / 90 });
  const y = scaleOf(series.map((s) => s.y), bottom, margin.top,
    { log: logY, count: height / 45 });
  const color = (one: Series, i: number) => `var(--series-${((one.color ?? i) % 8) + 1})`;
  const places = (one: Series) => one.x.flatMap((value, i): [number, number][] => {
    const other = one.y[i];
    return hasPlace(value, logX) && hasPlace(other, logY)
      ? [[x.at(value), y.at(other)]] : [];
  });
  return (
    <figure className="small-plot" ref={host}>
      <svg width={width} height={height} role="img" aria-label={label}>
        {x.ticks.map((t) => (
          <g key={`x${t}`} className="axis">
            <line x1={x.at(t)} x2={x.at(t)} y1={margin.top} y2={bottom} />
            <text x={x.at(t)} y={bottom + 14} textAnchor="middle">{short(t)}</text>
          </g>
        ))}
        {y.ticks.map((t) => (
          <g key={`y${t}`} className="axis">
            <line x1={margin.left} x2={right} y1={y.at(t)} y2={y.at(t)} />
            <text x={margin.left - 6} y={y.at(t) + 4} textAnchor="end">{short(t)}</text>
          </g>
        ))}
        <text className="axis-title" x={margin.left} y={13}>{props.yLabel}</text>
        <text className="axis-title" x={right} y={height - 5} textAnchor="end">
          {props.xLabel}</text>
        {series.map((one, i) => (one.points
          ? <g key={one.name} fill={color(one, i)}>
              {places(one).map(([px, py], k) =>
                <circle key={k} cx={px} cy={py} r={2.5}><title>
                  {`${one.name}: ${short(one.x[k])}, ${short(one.y[k])}`}</title></circle>)}
            </g>
          : <polyline key={one.name} fill="none" stroke={color(one, i)} strokeWidth={1.6}
              points={places(one).map((p) => p.join(",")).join(" ")} />))}
      </svg>
      {series.length > 1 && (
        <figcaption className="soft">
          {series.map((one, i) => (
            <span key={one.name}><span className="swatch"
              style={{ background: color(one, i) }} /> {one.name}</span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
