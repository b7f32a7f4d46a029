// What an experiment found beside its runs: estimates, optima, indices.
import type { Experiment } from "../api/types";
import { short } from "../plot/values";

interface Estimate {
  name: string;
  unit?: string;
  value: number;
  low?: number;
  high?: number;
}

function isEstimate(value: unknown): value is Estimate {
  return typeof value === "object" && value !== null && "name" in value
    && "value" in value && typeof value.value === "number";
}

/** The lists of named numbers in the results of an experiment. */
function estimatesOf(experiment: Experiment): { title: string; list: Estimate[] }[] {
  const { results } = experiment as { results?: Record<string, unknown> };
  return Object.entries(results ?? {}).flatMap(([title, list]) =>
    (Array.isArray(list) && list.length > 0 && list.every(isEstimate)
      ? [{ title, list }] : []));
}

export function Findings({ experiment }: { experiment: Experiment }) {
  const found = estimatesOf(experiment);
  if (found.length === 0) return null;
  return (
    <div className="findings">
      {found.map(({ title, list }) => (
        <table key={title}>
          <caption>{title}</caption>
          <tbody>
            {list.map((e) => (
              <tr key={e.name}>
                <th>{e.name}</th>
                <td className="number">{short(e.value)}</td>
                <td className="soft">{e.low !== undefined && e.high !== undefined
                  && `${short(e.low)} to ${short(e.high)}`}</td>
                <td className="soft">{e.unit}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
