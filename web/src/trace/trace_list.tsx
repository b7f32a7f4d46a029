// The sidebar of traces: files that `orrery run --trace FILE.csv` has written.
import { useEffect, useState } from "react";
import { onNews } from "../api/events";
import type { FileItem } from "../api/types";
import { allFiles } from "../library/all_files";
import { openTab } from "../state/layout";
import { Empty } from "../ui/controls";
import { Icon } from "../ui/icon";

export function TraceList() {
  const [files, setFiles] = useState<FileItem[] | null>(null);
  useEffect(() => {
    const load = () => void allFiles().then((all) =>
      setFiles(all.filter((f) => f.path.endsWith(".csv")))).catch(() => undefined);
    load();
    return onNews("file", load);
  }, []);
  if (!files) return <p className="loading">Looking for traces…</p>;
  if (files.length === 0) {
    return (
      <Empty icon="trace" title="There is no trace in this folder">
        <p>Run a DEVS model with <code>orrery run MODEL --trace trace.csv</code> in a
          terminal; the file is then listed here.</p>
      </Empty>
    );
  }
  return (
    <ul className="plain-list">
      {files.map(({ path }) => (
        <li key={path}>
          <button type="button" className="tree-row" title={path}
            onClick={() => openTab({ kind: "trace", path })}>
            <Icon name="trace" size={14} /><span className="tree-name">{path}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
