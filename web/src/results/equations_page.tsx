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

export default function EquationsPage() {
  const { path, class: name } = useStore(focus, (f) => ({ path: f.path, class: f.class }));
  const version = useStore(documents, (d) => d.open[path]?.version ?? 0);
  const [found, setFound] = useState<Equation[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!path || !name) return undefined;
    let left = false;
    const wait = setTimeout(() => {
      inquire<unknown, { equations: Equation[] }>("orrery/equations",
        { uri: uriOf(path), class: name })
        .then(({ equations }) => {
          if (left) return;
          setFound(equations);
          setProblem("");
        })
        .catch((reason: unknown) => {
          if (!left) setProblem(String((reason as { message?: unknown }).message ?? reason));
        });
    }, 400);
    return () => {
      left = true;
      clearTimeout(wait);
    };
  }, [path, name, version]);
  if (!path) {
    return <Empty icon="info" title="No equations yet">
      <p>Open a model to see its sorted equations.</p></Empty>;
  }
  if (problem && !found) {
    return <Empty icon="warning" title="The equations cannot be shown"><p>{problem}</p></Empty>;
  }
  if (!found) return <p className="loading">Sorting the equations…</p>;
  return (
    <VirtualList count={found.length} rowHeight={44} label="Equations"
      row={(i) => {
        const equation = found[i];
        if (!equation) return null;
        const loop = found[i - 1]?.block === equation.block
          || found[i + 1]?.block === equation.block;
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
