// Where the activities of a plan stand in its JSON text, so that a drag changes one
// number of it and nothing else.

export interface Field {
  value: string;
  /** Offsets of the value, without its quotes. */
  from: number;
  to: number;
}

export interface Activity {
  id: string;
  type: string;
  /** Texts of the members "start", "offset", "after", "with", ... */
  fields: Map<string, Field>;
  from: number;
  to: number;
}

const token = /"((?:[^"\\]|\\.)*)"|[-+]?\d[\d.eE+-]*|[{}[\],:]|true|false|null/g;

interface Token {
  text: string;
  from: number;
  to: number;
  isString: boolean;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(token)].map((found) => {
    const isString = found[1] !== undefined;
    const from = found.index + (isString ? 1 : 0);
    const word = found[1] ?? found[0];
    return { text: word, from, to: from + word.length, isString };
  });
}

/** The activities of a plan, in the order of its text. */
export function readPlan(text: string): Activity[] {
  const tokens = tokensOf(text);
  const begin = tokens.findIndex((t, i) => t.isString && t.text === "activities"
    && tokens[i + 1]?.text === ":");
  const found: Activity[] = [];
  let depth = 0;
  let current: Activity | null = null;
  for (let i = Math.max(0, begin + 2); begin >= 0 && i < tokens.length; ++i) {
    const now = tokens[i];
    if (!now) break;
    const opens = !now.isString && (now.text === "{" || now.text === "[");
    const closes = !now.isString && (now.text === "}" || now.text === "]");
    if (opens && ++depth === 2 && now.text === "{") {
      current = { id: "", type: "", fields: new Map(), from: now.from, to: now.to };
    }
    if (closes) {
      if (depth === 2 && current) {
        current.to = now.to;
        // Without an id it is known by its place in the list.
        current.id = current.fields.get("id")?.value ?? `#${found.length + 1}`;
        found.push(current);
        current = null;
      }
      if (--depth === 0) break;
    }
    const value = tokens[i + 2];
    if (current && depth === 2 && now.isString && tokens[i + 1]?.text === ":" && value) {
      if (value.isString || /^[-+\d]/.test(value.text)) {
        current.fields.set(now.text, { value: value.text, from: value.from, to: value.to });
      }
      if (now.text === "type") current.type = value.text;
      if (value.isString) i += 2;
    }
  }
  return found;
}

/**
 * The activity at a place of a text, as messages name it: the line counts from 1,
 * as do the bytes in it.
 */
export function activityAt(
  text: string, activities: Activity[], line: number, column: number,
): Activity | undefined {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  const bytes = new TextEncoder().encode(lines[line - 1] ?? "");
  const inLine = new TextDecoder().decode(bytes.slice(0, Math.max(0, column - 1)));
  const at = before + inLine.length;
  return activities.find((activity) => at >= activity.from && at < activity.to);
}

/** The field that moves an activity: its offset if it has one, else its start. */
export function movableField(activity: Activity): Field | undefined {
  return activity.fields.get("offset") ?? activity.fields.get("start");
}
