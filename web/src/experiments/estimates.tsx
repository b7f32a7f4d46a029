// Result of a calibration or an optimisation, and how good it is.
import type { Experiment } from "../api/types";
import { SmallPlot } from "../plot/small_plot";
import { short } from "../plot/values";
import { Button } from "../ui/controls";
import { writeIntoModel } from "./write_values";
import type { NamedValue } from "./write_values";

interface Estimate extends NamedValue {
  unit: string;
  standard_error?: number | null;
  interval?: [number, number] | null;
  profile?: [number, number] | null;
  at_bound?: string | null;
}

interface FittedSignal {
  name: string;
  unit: string;
  time: number[];
  measured: (number | null)[];
  computed: (number | null)[];
}

interface Fit {
  parameters: Estimate[];
  confidence: number;
  residuals: { count: number; sum_of_squares: number; deviation: number | null };
  findings: unknown[];
  data: { file: string; signals: FittedSignal[] }[];
}

function between(range: [number, number] | null | undefined): string {
  return range ? `${short(range[0])} to ${short(range[1])}` : "";
}

function WriteButton({ experiment, values }: {
  experiment: Experiment; values: NamedValue[];
}) {
  return (
    <Button icon="model" onClick={() => void writeIntoModel(experiment, values)}
      title="One change of the text: Ctrl+Z takes it back">Write into the model</Button>
  );
}

function noteOf(note: unknown): string {
  return typeof note === "string" ? note
    : String((note as { message?: unknown }).message ?? JSON.stringify(note));
}

export function CalibrationFindings({ experiment, fit }: {
  experiment: Experiment; fit: Fit;
}) {
  const { residuals, parameters } = fit;
  const has_profile = parameters.some((p) => p.profile);
  return (
    <>
      <div className="finding">
        <table>
          <caption>Estimates</caption>
          <thead><tr><th />
            <th className="number">estimate</th>
            <th>{Math.round(fit.confidence * 100)} % interval</th>
            {has_profile && <th>of the likelihood</th>}
            <th className="number">error</th></tr></thead>
          <tbody>
            {parameters.map((p) => (
              <tr key={p.name}>
                <th>{p.name} <span className="soft">{p.unit}</span></th>
                <td className="number">{short(p.value)}</td>
                <td>{between(p.interval)}</td>
                {has_profile && <td>{between(p.profile)}</td>}
                <td className="number">{short(p.standard_error)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="soft">{residuals.count} measured values, standard deviation of the
          residuals {short(residuals.deviation)}, sum of squares{" "}
          {short(residuals.sum_of_squares)}</p>
        {fit.findings.map((note, i) => <p key={i} className="warn">{noteOf(note)}</p>)}
        <WriteButton experiment={experiment} values={parameters} />
      </div>
      {fit.data.flatMap(({ file, signals }) => signals.map((s) => (
        <div className="finding wide" key={`${file}/${s.name}`}>
          <SmallPlot label={`${s.name} as measured and computed`} xLabel="t, s"
            yLabel={s.unit ? `${s.name}, ${s.unit}` : s.name}
            series={[
              { name: `measured in ${file}`, x: s.time, y: s.measured, points: true,
                color: 1 },
              { name: "computed", x: s.time, y: s.computed, color: 0 },
            ]} />
        </div>
      )))}
    </>
  );
}

interface Optimum {
  goal: string;
  objective: NamedValue;
  values: Estimate[];
  constraints: { name: string; value: number }[];
  method: string;
  evaluations: number;
}

export function OptimumFindings({ experiment, optimum }: {
  experiment: Experiment; optimum: Optimum;
}) {
  return (
    <div className="finding">
      <table>
        <caption>{optimum.goal === "maximize" ? "Largest" : "Smallest"}{" "}
          {optimum.objective.name}: {short(optimum.objective.value)}</caption>
        <tbody>
          {optimum.values.map((v) => (
            <tr key={v.name}>
              <th>{v.name}</th>
              <td className="number">{short(v.value)}</td>
              <td className="soft">{v.unit}</td>
              <td className="warn">{v.at_bound
                && `at its ${v.at_bound === "high" ? "upper" : "lower"} bound`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft">{optimum.evaluations} evaluations by {optimum.method}</p>
      <WriteButton experiment={experiment} values={optimum.values} />
    </div>
  );
}

export type { Fit, Optimum };
