// The models that a microstep changes, with their states before and after it.
import { useEffect, useState } from "react";
import { short } from "../plot/values";
import type { Microstep } from "./microsteps";
import type { ModelState, TraceSource } from "./trace_source";

/** Of a microstep that changes more models only the first are shown. */
const most_models = 8;

interface StepStatesProps {
  source: TraceSource;
  filter: string;
  place: number;
  step: Microstep;
  /** The receiver of the message that was chosen; "" for none. */
  receiver: string;
  /** Whether a model is among those that are shown. */
  isShown: (model: string) => boolean;
}

export function StepStates(props: StepStatesProps) {
  const { source, filter, place, step, receiver, isShown } = props;
  const [before, setBefore] = useState<Map<string, ModelState | null>>(new Map());
  const changed = step.transitions.filter((t) => t.model === receiver || isShown(t.model))
    .sort((a, b) => Number(b.model === receiver) - Number(a.model === receiver))
    .slice(0, most_models);
  const names = changed.map((t) => t.model).join("\n");
  useEffect(() => {
    let isWanted = true;
    const models = names ? names.split("\n") : [];
    Promise.all(models.map(async (model): Promise<[string, ModelState | null]> =>
      [model, await source.stateBefore(filter, place, model).catch(() => null)]))
      .then((states) => {
        if (isWanted) setBefore(new Map(states));
      }).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [source, filter, place, names]);
  if (changed.length === 0) return null;
  return (
    <table className="trace-state">
      <thead>
        <tr><th>model</th><th>transition</th><th>state before</th><th>state after</th></tr>
      </thead>
      <tbody>
        {changed.map(({ model, kind, state }) => {
          const old = before.get(model);
          const fields = old?.fields.filter(([name]) => name) ?? [];
          return (
            <tr key={model} data-chosen={model === receiver}>
              <th scope="row">{model}</th>
              <td>{kind}</td>
              <td>{fields.length > 0
                ? <code>{fields.map(([name, value]) => `${name}=${value}`).join(", ")}</code>
                : <span className="soft">not in the trace</span>}
                {old && fields.length > 0 && (
                  <span className="soft"> since {short(old.time)} s</span>
                )}</td>
              <td>{state ? <code>{state}</code>
                : <span className="soft">not in the trace</span>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
