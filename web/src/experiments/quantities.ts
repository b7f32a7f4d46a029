// The quantities of a model, for the names that forms take, and the values that its
// parameters have in its text.
import { useEffect, useState } from "react";
import { inquire } from "../language/client";
import type { Description, Quantity } from "../language/protocol";
import { documents } from "../state/documents";
import { uriOf } from "../state/session";
import { useStore } from "../state/store";

export function quantitiesOf(path: string, name: string): Promise<Quantity[]> {
  return inquire<unknown, { items: Quantity[] }>("orrery/quantities",
    { uri: uriOf(path), class: name }).then(({ items }) => items);
}

interface ModelQuantities {
  list: Quantity[];
  /** Values of the class's own parameters that are plain numbers. */
  values: Map<string, number>;
}

const none: ModelQuantities = { list: [], values: new Map() };

/** They are asked for again when the text changes. */
export function useQuantities(path: string, name: string): ModelQuantities {
  const version = useStore(documents, (d) => d.open[path]?.version ?? 0);
  const [known, setKnown] = useState(none);
  useEffect(() => {
    if (!name) return undefined;
    let left = false;
    Promise.all([
      quantitiesOf(path, name).catch(() => []),
      inquire<unknown, Description | null>("orrery/describe",
        { uri: uriOf(path), class: name }).catch(() => null),
    ]).then(([list, description]) => {
      if (left) return;
      const values = new Map((description?.parameters ?? [])
        .map((p): [string, number] => [p.name, Number(p.value ?? p.default ?? NaN)]));
      setKnown({ list, values });
    }).catch(() => undefined);
    return () => {
      left = true;
    };
  }, [path, name, version]);
  return known;
}
