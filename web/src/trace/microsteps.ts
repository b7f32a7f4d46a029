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

/** A model whose messages at a port arrive at another one; "": the outside. */
export interface Link {
  from: string;
  port: string;
  to: string;
}

/** What happened at once: outputs, and the transitions that they cause. */
export interface Microstep {
  time: number;
  /** Counts the microsteps of one time, from 1. */
  number: number;
  messages: Message[];
  transitions: { model: string; kind: string; state: string }[];
}

/** Values by a name: "out.id" and "out.size" of one model become "id=3, size=7". */
function grouped(
  rows: TraceRow[], keyOf: (row: TraceRow) => string, nameOf: (row: TraceRow) => string,
): Map<string, string> {
  const values = new Map<string, string[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const list = values.get(key) ?? [];
    if (row.name) list.push(`${nameOf(row)}=${row.value}`);
    values.set(key, list);
  }
  return new Map([...values].map(([key, list]): [string, string] => [key, list.join(", ")]));
}

/** Who gets the messages of a port: by the links, if they are known, else whoever
 * was changed by a message. */
function receiversOf(
  from: string, port: string, links: Link[], changed: string[],
): string[] {
  return links.length > 0
    ? links.filter((link) => link.from === from && link.port === port).map((link) => link.to)
    : changed.filter((model) => model !== from);
}

/** A microstep out of its rows. */
export function stepOf(rows: TraceRow[], number: number, links: Link[] = []): Microstep {
  const inner = rows.filter((r) => r.event !== "output" && r.event !== "input");
  const kinds = new Map(inner.map((r): [string, string] => [r.model, r.event]));
  const states = grouped(inner, (r) => r.model, (r) => r.name);
  const changed = [...kinds].filter(([, kind]) =>
    kind === "external" || kind === "confluent").map(([model]) => model);
  const portOf = (row: TraceRow) => row.name.split(".")[0] ?? "";
  const outputs = rows.filter((r) => r.event === "output");
  const texts = grouped(outputs, (r) => `${r.model}\n${portOf(r)}`, (r) => r.name);
  const messages: Message[] = [];
  for (const [key, text] of texts) {
    const [from = "", port = ""] = key.split("\n");
    const receivers = receiversOf(from, port, links, changed);
    for (const to of receivers) messages.push({ from, to, text });
    // An output that nobody takes leaves the model.
    if (receivers.length === 0) messages.push({ from, to: "", text });
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
