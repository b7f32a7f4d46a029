// Sensitivities of results: by Morris, by Sobol', or as derivatives at a point.
import { short } from "../plot/values";

interface Index {
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface Sensitivity {
  number: string;
  varies: boolean;
  morris?: { factor: string; mean_magnitude: number; mean: number; deviation: number }[];
  sobol?: { factor: string; first: Index; total: Index }[];
  local?: { factor: string; derivative: number; elasticity: number | null }[];
}

/** A bar from zero, with the ends of an interval. */
function Bar({ share, low, high }: { share: number; low?: number; high?: number }) {
  const cut = (value: number) => 100 * Math.max(0, Math.min(1, value));
  return (
    <svg className="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none"
      aria-hidden="true">
      <rect x={0} y={2} width={cut(share)} height={6} />
      {low !== undefined && high !== undefined && (
        <line x1={cut(low)} x2={cut(high)} y1={5} y2={5} />
      )}
    </svg>
  );
}

/** Indices are known to two or three digits at best. */
function rounded(value: number | null): string {
  return value === null ? short(value) : short(Number(value.toFixed(3)));
}

function withInterval({ value, low, high }: Index): string {
  return low === null || high === null ? rounded(value)
    : `${rounded(value)} (${rounded(low)} to ${rounded(high)})`;
}

function IndexCells({ index }: { index: Index }) {
  return (
    <>
      <td className="number">{withInterval(index)}</td>
      <td><Bar share={index.value ?? 0} low={index.low ?? 0} high={index.high ?? 0} /></td>
    </>
  );
}

function Rows({ sensitivity }: { sensitivity: Sensitivity }) {
  const { morris, sobol, local } = sensitivity;
  const most = Math.max(...(morris ?? []).map((m) => m.mean_magnitude), 1e-300);
  if (morris) {
    return (
      <>
        <thead><tr><th /><th className="number">effect</th><th />
          <th className="number">with its sign</th>
          <th className="number">spread</th></tr></thead>
        <tbody>
          {[...morris].sort((a, b) => b.mean_magnitude - a.mean_magnitude).map((m) => (
            <tr key={m.factor}><th>{m.factor}</th>
              <td className="number">{short(m.mean_magnitude)}</td>
              <td><Bar share={m.mean_magnitude / most} /></td>
              <td className="number">{short(m.mean)}</td>
              <td className="number">{short(m.deviation)}</td></tr>
          ))}
        </tbody>
      </>
    );
  }
  if (sobol) {
    return (
      <>
        <thead><tr><th /><th className="number">by itself</th><th />
          <th className="number">with others</th><th /></tr></thead>
        <tbody>
          {sobol.map((s) => (
            <tr key={s.factor}><th>{s.factor}</th>
              <IndexCells index={s.first} /><IndexCells index={s.total} /></tr>
          ))}
        </tbody>
      </>
    );
  }
  return (
    <>
      <thead><tr><th /><th className="number">derivative</th>
        <th className="number">% by 1 %</th></tr></thead>
      <tbody>
        {(local ?? []).map((l) => (
          <tr key={l.factor}><th>{l.factor}</th>
            <td className="number">{short(l.derivative)}</td>
            <td className="number">{short(l.elasticity)}</td></tr>
        ))}
      </tbody>
    </>
  );
}

export function SensitivityFindings({ list }: { list: Sensitivity[] }) {
  return (
    <>
      {list.map((sensitivity) => (
        <div className="finding" key={sensitivity.number}>
          <table>
            <caption>What {sensitivity.number} depends on</caption>
            {sensitivity.varies ? <Rows sensitivity={sensitivity} />
              : <tbody><tr><td>nothing: it is the same in all runs</td></tr></tbody>}
          </table>
        </div>
      ))}
    </>
  );
}
