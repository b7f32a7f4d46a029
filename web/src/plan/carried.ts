// State of an open plan: how its latest text was carried out by a command
// that stays for it, and what of the run is in view.
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/client";
import { notifyError } from "../state/notices";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { carryOut, showPart } from "./requests";
import type { PlanAnswer } from "./requests";

/** Typing is carried out when it pauses, a drag at once for those who look. */
const typing_pause_ms = 120;
const zoom_pause_ms = 80;

export interface Carried {
  /** Of which version of the text the last answer is. */
  version: number | null;
  /** The last answer, which may refuse the plan. */
  answer: PlanAnswer | null;
  /** The last answer that has a run. */
  good: PlanAnswer | null;
  /** The part of that run that is in view, once it has come. */
  part: PlanAnswer | null;
  /** Why no command stays for this model; empty while one does. */
  refusal: string;
  isTrusted: boolean;
}

const nothing: Carried = {
  version: null, answer: null, good: null, part: null, refusal: "", isTrusted: true,
};

interface Wanted {
  /** The model; empty for none. */
  model: string;
  path: string;
  /** The text of the plan and its version. */
  text: string;
  version: number;
  range: [number, number] | null;
  px: number;
}

/** Carries out the text of a plan after each change. */
export function useCarried(wanted: Wanted): Carried {
  const { model, path, text, version, range, px } = wanted;
  const [carried, setCarried] = useState(nothing);
  const newest = useRef(0);
  const trusted = useStore(session, (s) => s.session?.trusted ?? false);
  useEffect(() => setCarried(nothing), [model, path, trusted]);
  useEffect(() => {
    if (!model || !text || carried.refusal || !carried.isTrusted) return undefined;
    const number = ++newest.current;
    const wait = setTimeout(() => {
      carryOut(model, path, text, null).then((answer) => {
        if (number !== newest.current) return;
        const hasRun = answer.status !== "refused";
        setCarried((old) => ({
          ...old, version, answer, good: hasRun ? answer : old.good, part: null,
        }));
      }).catch((reason: unknown) => {
        if (number !== newest.current) return;
        if (!(reason instanceof ApiError)) notifyError("carry out the plan", reason);
        else if (reason.code === "trust") setCarried((old) => ({ ...old, isTrusted: false }));
        else setCarried((old) => ({ ...old, refusal: reason.message }));
      });
    }, typing_pause_ms);
    return () => clearTimeout(wait);
  }, [model, path, text, version, carried.refusal, carried.isTrusted]);
  const [from, to] = range ?? [null, null];
  const good = carried.good;
  useEffect(() => {
    if (!good || from === null || to === null) return undefined;
    const wait = setTimeout(() => {
      showPart(model, { from, to, px: Math.round(px) })
        .then((part) => setCarried((old) => (old.good === good ? { ...old, part } : old)))
        .catch(() => undefined);
    }, zoom_pause_ms);
    return () => clearTimeout(wait);
  }, [model, good, from, to, px]);
  return carried;
}
