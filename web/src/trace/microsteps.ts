// Messages between the models of a DEVS run, out of the rows of its trace.

/** A row of the trace of a DEVS run. */
export interface TraceRow {
  time: number;
  model: string;
  event: string;
  name: string;
  value: string;
}

/** The rows of a trace file; none if the text is no trace. */
export function readTrace(text: string): TraceRow[] {
  const [head, ...lines] = text.split("\n");
  if (head?.trim() !== "time,model,event,name,value") return [];
  return lines.filter(Boolean).map((line) => {
    const [time = "", model = "", event = "", name = "", ...rest] = line.split(",");
    return { time: Number(time), model, event, name, value: rest.join(",") };
  });
}

export interface Message {
  from: string;
  to: string;
  text: string;
}

/** What happened at once: outputs, and the transitions that they cause. */
export interface Microstep {
  time: number;
  /** Counts the microsteps of one time, from 1. */
  number: number;
  messages: Message[];
  transitions: { model: string; kind: string; state: string }[];
}

/** "out.id" and "out.size" of one model become "out: id=3, size=7". */
function grouped(rows: TraceRow[]): Map<string, string> {
  const values = new Map<string, string[]>();
  for (const { model, name, value } of rows) {
    values.set(model, [...(values.get(model) ?? []), `${name}=${value}`]);
  }
  return new Map([...values].map(([model, list]): [string, string] =>
    [model, list.join(", ")]));
}

function stepOf(rows: TraceRow[], number: number): Microstep {
  const outputs = grouped(rows.filter((r) => r.event === "output"));
  const inner = rows.filter((r) => r.event !== "output");
  const kinds = new Map(inner.map((r): [string, string] => [r.model, r.event]));
  const states = grouped(inner);
  const receivers = [...kinds].filter(([, kind]) =>
    kind === "external" || kind === "confluent").map(([model]) => model);
  const messages: Message[] = [];
  for (const [from, text] of outputs) {
    const others = receivers.filter((model) => model !== from);
    for (const to of others) messages.push({ from, to, text });
    // An output that nobody takes leaves the model.
    if (others.length === 0) messages.push({ from, to: "", text });
  }
  return {
    time: rows[0]?.time ?? 0, number, messages,
    transitions: [...kinds].map(([model, kind]) => ({
      model, kind, state: states.get(model) ?? "",
    })),
  };
}

/** The microsteps of a trace: outputs come before the transitions of a step. */
export function microstepsOf(rows: TraceRow[]): Microstep[] {
  const steps: Microstep[] = [];
  let current: TraceRow[] = [];
  let changed = false;
  let number = 0;
  const close = () => {
    if (current.length > 0) steps.push(stepOf(current, number));
    current = [];
    changed = false;
  };
  for (const row of rows) {
    const last = current[current.length - 1];
    if (last && last.time !== row.time) {
      close();
      number = 0;
    } else if (row.event === "output" && changed) {
      close();
    }
    if (current.length === 0) ++number;
    current.push(row);
    changed ||= row.event !== "output";
  }
  close();
  return steps;
}
