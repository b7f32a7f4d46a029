// All marks of the open documents, and why the last run failed.
import { forEachDiagnostic } from "@codemirror/lint";
import type { Diagnostic as Mark } from "@codemirror/lint";
import { jumpTo } from "../editor/shown_range";
import { currentRun, runs } from "../runs/live";
import { documents, openDocument, viewOf } from "../state/documents";
import { openTab } from "../state/layout";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { leave } from "../state/trail";
import { short } from "../plot/values";
import { askForTrust, isForTrust } from "../state/trust";
import { Button, Empty } from "../ui/controls";
import { Icon } from "../ui/icon";

interface Problem {
  path: string;
  line: number;
  from: number;
  mark: Mark;
}

function problemsOf(paths: string[]): Problem[] {
  const found: Problem[] = [];
  for (const path of paths) {
    const view = viewOf(path);
    if (!view) continue;
    forEachDiagnostic(view.state, (mark, from) => {
      found.push({ path, from, line: view.state.doc.lineAt(from).number, mark });
    });
  }
  return found;
}

async function show(path: string, from: number): Promise<void> {
  const view = await openDocument(path);
  if (!view) return;
  leave();
  openTab({ kind: "text", path });
  jumpTo(view, from);
}

async function showLine(path: string, line: number): Promise<void> {
  const view = await openDocument(path);
  if (view) await show(path, view.state.doc.line(Math.min(line, view.state.doc.lines)).from);
}

/** Where a run ended, unless its message says so: it knows better than the last news. */
function placeOf({ t, message }: { t: number; message: string }): string {
  return t > 0 && !/\bt = /.test(message) ? ` at t = ${short(t)} s` : "";
}

export function ProblemsPage() {
  const open = useStore(documents, (d) => d.open);
  const trusted = useStore(session, (s) => s.session?.trusted ?? false);
  const failed = useStore(runs, (r) => {
    const run = currentRun(r);
    return run && (run.state === "failed" || run.state === "interrupted") ? run : null;
  });
  const problems = problemsOf(Object.keys(open));
  if (problems.length === 0 && !failed) {
    return <Empty icon="info" title="No problems">
      <p>Mistakes in open models appear here while you type.</p>
    </Empty>;
  }
  return (
    <ul className="problems">
      {failed && (
        <li>
          <div className="problem error">
            <Icon name="error" size={14} />
            <span>The run of {failed.model || "a model"} ended{placeOf(failed)}: {failed.message}</span>
            {!trusted && isForTrust(failed.message) && (
              <Button onClick={() => askForTrust(failed.argv[2] ?? failed.model)}>
                Trust this folder…</Button>
            )}
          </div>
        </li>
      )}
      {failed?.diagnostics.map((diagnostic, i) => (
        <li key={`d${i}`}>
          <button type="button" className="problem error" onClick={() => {
            if (diagnostic.file) void showLine(diagnostic.file, diagnostic.line ?? 1);
          }}>
            <Icon name="error" size={14} />
            <span>{diagnostic.message}</span>
            <span className="soft">{diagnostic.file}
              {diagnostic.line ? `:${diagnostic.line}` : ""}</span>
          </button>
        </li>
      ))}
      {problems.map(({ path, from, line, mark }, i) => (
        <li key={i}>
          <button type="button" className={`problem ${mark.severity}`}
            onClick={() => void show(path, from)}>
            <Icon name={mark.severity === "error" ? "error" : "warning"} size={14} />
            <span>{mark.message}</span>
            <span className="soft">{path}:{line}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
