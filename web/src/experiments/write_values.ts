// Estimates and optima written into the text of a model, as one step of its history.
import type { Experiment } from "../api/types";
import { edit } from "../diagram/gestures";
import type { Edit, Quantity } from "../language/protocol";
import { mainClass, refreshOutline } from "../state/classes";
import { openDocument } from "../state/documents";
import { openTab } from "../state/layout";
import { notify } from "../state/notices";
import { pathOf, uriOf } from "../state/session";
import { quantitiesOf } from "./quantities";

export interface NamedValue {
  name: string;
  value: number;
}

/** A number as it is written into a text: to seven digits. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(7)));
}

/**
 * The edits that give parameters, and the starts of states, these values. Names that
 * are not known are taken as parameters.
 */
export function editsOf(values: NamedValue[], quantities: Quantity[]): Edit[] {
  return values.map(({ name, value }): Edit => {
    const kind = quantities.find((q) => q.name === name)?.kind ?? "parameter";
    const [component = "", ...below] = name.split(".");
    const path = kind === "parameter" ? below : [...below, "start"];
    return path.length === 0
      ? { op: "setModifier", component: "", path: component, text: numberText(value) }
      : { op: "setModifier", component, path: path.join("."), text: numberText(value) };
  });
}

/** Writes values into the model that an experiment ran, and shows its text. */
export async function writeIntoModel(
  experiment: Experiment, values: NamedValue[],
): Promise<void> {
  const { file, class: named } = experiment.document ?? {};
  if (typeof file !== "string" || !file.endsWith(".mo")) {
    notify("info", `Experiment ${experiment.id} ran no Modelica text of this folder`);
    return;
  }
  const path = pathOf(file);
  if (!(await openDocument(path))) return;
  // Where texts are: what the experiment found stays in sight beside it.
  openTab({ kind: "text", path }, 0);
  await refreshOutline(path, uriOf(path)).catch(() => undefined);
  const name = typeof named === "string" ? named : mainClass(path) ?? "";
  const quantities = await quantitiesOf(path, name).catch(() => []);
  const names = values.map((v) => v.name).join(", ");
  if (await edit(path, name, editsOf(values, quantities), `write ${names}`)) {
    notify("good", `${names} ${values.length > 1 ? "were" : "was"} written into ${path}`,
      "Ctrl+Z takes that back.");
  }
}
