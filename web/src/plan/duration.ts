// Times of plans: a number with a unit, as "7 h" or "-30 min".

const seconds: Record<string, number> = {
  ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400,
};

const form = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-z]*)\s*$/;

/** The seconds of a time; undefined for another text. */
export function readDuration(text: string): number | undefined {
  const found = form.exec(text);
  const factor = found?.[2] ? seconds[found[2]] : 1;
  return found && factor !== undefined ? Number(found[1]) * factor : undefined;
}

/** `text` moved by some seconds: its unit and form stay, the number changes. */
export function movedDuration(text: string, by: number): string | undefined {
  const found = form.exec(text);
  const number = found?.[1];
  const factor = found?.[2] ? seconds[found[2]] : 1;
  if (number === undefined || factor === undefined) return undefined;
  const moved = Number((Number(number) + by / factor).toPrecision(12));
  return text.replace(number, String(moved));
}

const small_units: [string, number][] = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];

/**
 * Texts for marks so close together that whole times would not fit: a time that all
 * of them follow, and how much later each is.
 */
export function closeTexts(ticks: number[], step: number): { base: number; texts: string[] } {
  const first = ticks[0] ?? 0;
  const whole = 10 ** Math.ceil(Math.log10(step) + 1.5);
  const base = Number((Math.floor(first / whole + 1e-6) * whole).toPrecision(15));
  const [unit, size] = small_units.find(([, s]) => step >= s) ?? ["ns", 1e-9];
  return {
    base,
    texts: ticks.map((tick) => `+${Number(((tick - base) / size).toPrecision(4))} ${unit}`),
  };
}

/** A time as exact as the clock of a run, which counts nanoseconds. */
export function exactText(time: number): string {
  return `${Number(time.toFixed(9))} s`;
}

/** A time of day or of a run, with as much of it as its scale shows. */
export function clockText(time: number, step: number): string {
  if (step >= 60 && time < 10 * 86400) {
    const minutes = Math.round(time / 60);
    const hours = Math.floor(minutes / 60);
    return `${hours}:${String(((minutes % 60) + 60) % 60).padStart(2, "0")}`;
  }
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step))));
  return `${time.toFixed(digits)} s`;
}
