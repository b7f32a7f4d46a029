// The files of one kind in the folder, each of which opens in a tab.
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { onNews } from "../api/events";
import type { FileItem } from "../api/types";
import { openTab } from "../state/layout";
import { Icon } from "../ui/icon";
import { allFiles } from "./all_files";

interface FileListProps {
  /** How the names end. */
  ending: string;
  /** The tab that shows such a file, and its icon. */
  kind: "plan" | "trace";
  /** What is shown if there are none. */
  children: ReactNode;
}

export function FileList({ ending, kind, children }: FileListProps) {
  const [files, setFiles] = useState<FileItem[] | null>(null);
  useEffect(() => {
    const load = () => void allFiles().then((all) =>
      setFiles(all.filter((f) => f.path.endsWith(ending)))).catch(() => undefined);
    load();
    // A file that is moved here is told as changed.
    return onNews("file", load);
  }, [ending]);
  if (!files) return <p className="loading">Looking for {kind}s…</p>;
  if (files.length === 0) return <>{children}</>;
  return (
    <ul className="plain-list">
      {files.map(({ path }) => (
        <li key={path}>
          <button type="button" className="tree-row" title={path}
            onClick={() => openTab({ kind, path })}>
            <Icon name={kind} size={14} /><span className="tree-name">{path}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
