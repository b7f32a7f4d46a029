// The equations as they are solved, as on paper; a click shows their source line.
import katex from "katex";
import "katex/dist/katex.min.css";
import { useEffect, useRef, useState } from "react";
import { openTab } from "../state/layout";
import { documents, openDocument } from "../state/documents";
import { focus } from "../state/focus";
import { pathOf, uriOf } from "../state/session";
import { useStore } from "../state/store";
import { leave } from "../state/trail";
import { jumpTo, showRanges } from "../editor/shown_range";
import { inquire } from "../language/client";
import type { Equation } from "../language/protocol";
import { Empty } from "../ui/controls";
import { VirtualList } from "../ui/virtual_list";

function Formula({ equation }: { equation: Equation }) {
  const host = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!host.current) return;
    try {
      katex.render(equation.latex, host.current, { throwOnError: true, strict: false });
    } catch {
      host.current.textContent = equation.text;
    }
  }, [equation]);
  return <span className="formula" ref={host} />;
}

async function show(equation: Equation, fallback: string): Promise<void> {
  const path = equation.uri ? pathOf(equation.uri) : fallback;
  const view = await openDocument(path);
  if (!view || !equation.span) return;
  leave();
  openTab({ kind: "text", path });
  const [from, to] = equation.span;
  jumpTo(view, from);
  showRanges(view, [{ from, to }], false);
}

function EquationList({ equations, path }: { equations: Equation[]; path: string }) {
  return (
    <VirtualList count={equations.length} rowHeight={44} label="Equations"
      row={(i) => {
        const equation = equations[i];
        if (!equation) return null;
        const loop = equations[i - 1]?.block === equation.block
          || equations[i + 1]?.block === equation.block;
        return (
          <button type="button" className="equation" data-loop={loop}
            title={`${equation.path}\n${equation.text}`}
            onClick={() => void show(equation, path)}>
            <span className="number soft">{equation.block + 1}</span>
            <Formula equation={equation} />
          </button>
        );
      }} />
  );
}

interface Known {
  /** Of which class; equations of another one are never shown for it. */
  of: string;
  equations: Equation[] | null;
  problem: string;
}

function useEquations(path: string, name: string): Known {
  const version = useStore(documents, (d) => d.open[path]?.version ?? 0);
  const of = `${path}#${name}`;
  const none: Known = { of, equations: null, problem: "" };
  const [known, setKnown] = useState(none);
  useEffect(() => {
    if (!path || !name) return undefined;
    let left = false;
    const wait = setTimeout(() => {
      inquire<unknown, { equations: Equation[] }>("orrery/equations",
        { uri: uriOf(path), class: name })
        .then(({ equations }) => {
          if (!left) setKnown({ of, equations, problem: "" });
        })
        .catch((reason: unknown) => {
          const problem = String((reason as { message?: unknown }).message ?? reason);
          if (left) return;
          setKnown((last) => ({
            of, problem, equations: last.of === of ? last.equations : null,
          }));
        });
    }, 400);
    return () => {
      left = true;
      clearTimeout(wait);
    };
  }, [path, name, of, version]);
  return known.of === of ? known : none;
}

export default function EquationsPage() {
  const { path, class: name } = useStore(focus, (f) => ({ path: f.path, class: f.class }));
  const { equations, problem } = useEquations(path, name);
  if (!path || !name) {
    return <Empty icon="info" title="No equations yet">
      <p>Open a model to see its sorted equations.</p></Empty>;
  }
  if (problem && !equations) {
    return <Empty icon="warning" title="The equations cannot be shown"><p>{problem}</p></Empty>;
  }
  if (!equations) return <p className="loading">Sorting the equations…</p>;
  return (
    <>
      {problem && (
        <div className="bar bad" role="status">
          <span>These are the equations before the last change: {problem}</span>
        </div>
      )}
      <EquationList equations={equations} path={path} />
    </>
  );
}
