// Findings of experiments beside runs: estimates, optima, indices, means, modes.
import type { Experiment } from "../api/types";
import { short } from "../plot/values";
import { CalibrationFindings, OptimumFindings } from "./estimates";
import type { Fit, Optimum } from "./estimates";
import { PointFindings } from "./linear_findings";
import type { Point } from "./linear_findings";
import { SensitivityFindings } from "./sensitivities";
import type { Sensitivity } from "./sensitivities";

interface MeasuredColumn {
  name: string;
  unit: string;
  varied: boolean;
  mean: number | null;
  deviation: number | null;
  /** To both sides of the mean: of its 95 % interval. */
  half_width: number | null;
  quantiles?: Record<string, number>;
}

/** Means are told where values were drawn: those over a grid say nothing. */
function isDrawn(experiment: Experiment, columns: MeasuredColumn[]): boolean {
  return experiment.type === "sweep" && columns.some((c) => c.half_width !== null);
}

function Means({ columns }: { columns: MeasuredColumn[] }) {
  return (
    <div className="finding">
      <table>
        <caption>Means</caption>
        <thead><tr><th /><th className="number">mean, its 95 % interval</th>
          <th className="number">deviation</th>
          <th className="number">5 %</th><th className="number">median</th>
          <th className="number">95 %</th></tr></thead>
        <tbody>
          {columns.filter((c) => !c.varied).map((c) => (
            <tr key={c.name}><th>{c.name} <span className="soft">{c.unit}</span></th>
              <td className="number">{short(c.mean)}
                {c.half_width !== null && ` ± ${short(c.half_width)}`}</td>
              <td className="number">{short(c.deviation)}</td>
              {["0.05", "0.5", "0.95"].map((q) => (
                <td key={q} className="number">{short(c.quantiles?.[q])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function bodyOf(experiment: Experiment) {
  const results = experiment.results ?? {};
  if (Array.isArray(results["parameters"]) && results["residuals"]) {
    return <CalibrationFindings experiment={experiment} fit={results as unknown as Fit} />;
  }
  if (results["objective"] && Array.isArray(results["values"])) {
    return <OptimumFindings experiment={experiment}
      optimum={results as unknown as Optimum} />;
  }
  if (Array.isArray(results["sensitivities"])) {
    return <SensitivityFindings list={results["sensitivities"] as Sensitivity[]} />;
  }
  if (results["states"]) return <PointFindings point={results as unknown as Point} />;
  const columns = results["columns"] as MeasuredColumn[] | undefined;
  if (columns && isDrawn(experiment, columns)) return <Means columns={columns} />;
  return null;
}

export function Findings({ experiment }: { experiment: Experiment }) {
  const body = bodyOf(experiment);
  return body && <div className="findings">{body}</div>;
}
