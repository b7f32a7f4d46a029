// Where a model stands still, its modes there, and its frequency responses.
import { SmallPlot } from "../plot/small_plot";
import { short } from "../plot/values";

interface Mode {
  re: number;
  im: number;
  frequency: number;
  damping: number;
  time_constant: number | null;
}

interface Response {
  input: string;
  output: string;
  frequency: number[];
  magnitude_db?: number[];
  phase_deg?: number[];
  resonance?: { frequency: number; magnitude: number } | null;
  gain_margin?: { factor: number; frequency: number } | null;
  phase_margin?: { degrees: number; frequency: number } | null;
}

export interface Point {
  at?: string;
  time: number;
  states: Record<string, number>;
  inputs: Record<string, number>;
  outputs: Record<string, number>;
  units: Record<string, string>;
  residual?: number;
  undetermined?: unknown[];
  modes?: Mode[];
  stable?: boolean;
  A?: number[][];
  B?: number[][];
  C?: number[][];
  D?: number[][];
  dc_gain?: (number | null)[][];
  responses?: Response[];
}

function Values({ title, values, units }: {
  title: string; values: Record<string, number>; units: Record<string, string>;
}) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <tbody>
      <tr><th colSpan={3} className="soft">{title}</th></tr>
      {entries.map(([name, value]) => (
        <tr key={name}><th>{name}</th>
          <td className="number">{short(value)}</td>
          <td className="soft">{units[name]}</td></tr>
      ))}
    </tbody>
  );
}

function eigenvalue({ re, im }: Mode): string {
  if (im === 0) return short(re);
  return `${short(re)} ${im > 0 ? "+" : "−"} ${short(Math.abs(im))} i`;
}

function Modes({ modes, stable }: { modes: Mode[]; stable: boolean }) {
  return (
    <>
      <div className="finding">
        <table>
          <caption>Modes: {stable ? "stable" : "not stable"}</caption>
          <thead><tr><th>eigenvalue</th><th className="number">frequency, rad/s</th>
            <th className="number">damping</th>
            <th className="number">time constant, s</th></tr></thead>
          <tbody>
            {modes.map((mode, i) => (
              <tr key={i} data-unstable={mode.re > 0}><td>{eigenvalue(mode)}</td>
                <td className="number">{short(mode.frequency)}</td>
                <td className="number">{short(mode.damping)}</td>
                <td className="number">{short(mode.time_constant)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="finding wide">
        <SmallPlot label="Eigenvalues in the complex plane" xLabel="real part, 1/s"
          yLabel="imaginary part, rad/s" series={[{
            name: "eigenvalues", points: true, x: modes.map((m) => m.re),
            y: modes.map((m) => m.im),
          }]} />
      </div>
    </>
  );
}

function Matrix({ name, rows }: { name: string; rows: number[][] | undefined }) {
  if (!rows || rows.length === 0 || rows[0]?.length === 0) return null;
  return (
    <div className="finding">
      <table className="matrix">
        <caption>{name}</caption>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{row.map((v, k) => <td key={k} className="number">{short(v)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Margins({ responses }: { responses: Response[] }) {
  const at = (frequency: number) => ` at ${short(frequency)} rad/s`;
  const decibels = (ratio: number) => `${short(20 * Math.log10(ratio))} dB`;
  return (
    <div className="finding">
      <table>
        <caption>Resonance and margins</caption>
        <thead><tr><th /><th>resonance</th><th>gain margin</th><th>phase margin</th></tr>
        </thead>
        <tbody>
          {responses.map((r) => (
            <tr key={`${r.input}/${r.output}`}><th>{r.input} to {r.output}</th>
              <td>{r.resonance
                ? decibels(r.resonance.magnitude) + at(r.resonance.frequency) : "none"}</td>
              <td>{r.gain_margin
                ? decibels(r.gain_margin.factor) + at(r.gain_margin.frequency) : "none"}</td>
              <td>{r.phase_margin
                ? `${short(r.phase_margin.degrees)}°` + at(r.phase_margin.frequency)
                : "none"}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bode({ responses }: { responses: Response[] }) {
  const series = (pick: (r: Response) => number[] | undefined) => responses.map((r) => ({
    name: `${r.input} to ${r.output}`, x: r.frequency, y: pick(r) ?? [],
  }));
  return (
    <>
      <div className="finding wide">
        <SmallPlot label="Magnitude over frequency" xLabel="frequency, rad/s"
          yLabel="magnitude, dB" logX series={series((r) => r.magnitude_db)} />
      </div>
      <div className="finding wide">
        <SmallPlot label="Phase over frequency" xLabel="frequency, rad/s"
          yLabel="phase, degrees" logX series={series((r) => r.phase_deg)} />
      </div>
      <Margins responses={responses} />
    </>
  );
}

export function PointFindings({ point }: { point: Point }) {
  const { modes = [], responses = [], units } = point;
  return (
    <>
      <div className="finding">
        <table>
          <caption>{point.at ? `At ${point.at}` : "Steady state"}, t ={" "}
            {short(point.time)} s</caption>
          <Values title="states" values={point.states} units={units} />
          <Values title="inputs" values={point.inputs} units={units} />
          <Values title="outputs" values={point.outputs} units={units} />
        </table>
        {point.residual !== undefined && (
          <p className="soft">largest residual {short(point.residual)}</p>
        )}
      </div>
      {responses.length > 0 && <Bode responses={responses} />}
      {modes.length > 0 && <Modes modes={modes} stable={point.stable ?? false} />}
      {(["A", "B", "C", "D"] as const).map((name) =>
        <Matrix key={name} name={name} rows={point[name]} />)}
    </>
  );
}
