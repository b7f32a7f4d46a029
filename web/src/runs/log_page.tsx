// Output of a run, and the command line that would do the same.
import { useEffect } from "react";
import { currentRun, loadLog, runs } from "./live";
import { notify } from "../state/notices";
import { useStore } from "../state/store";
import { Empty, IconButton } from "../ui/controls";

/** A word of a command line, in quotes where the shell needs them. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function TerminalLine() {
  const argv = useStore(runs, (r) => currentRun(r)?.argv ?? []);
  if (argv.length === 0) return null;
  const line = argv.map(quoted).join(" ");
  return (
    <span className="terminal-line">
      <code title={line}>$ {line}</code>
      <IconButton icon="copy" label="Copy this command"
        onClick={() => void navigator.clipboard.writeText(line)
          .then(() => notify("good", "The command was copied"))} />
    </span>
  );
}

export function LogPage() {
  const run = useStore(runs, currentRun);
  const id = run?.id;
  const state = run?.state;
  useEffect(() => {
    if (id !== undefined) void loadLog(id);
  }, [id, state]);
  if (!run) {
    return <Empty icon="command" title="Nothing ran yet">
      <p>What a model prints while it runs is shown here.</p>
    </Empty>;
  }
  return <pre className="log">{run.log || `The run printed nothing (${run.state}).`}</pre>;
}
