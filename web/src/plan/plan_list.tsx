// The sidebar of plans: the JSON files of the folder.
import { useEffect, useState } from "react";
import { onNews } from "../api/events";
import type { FileItem } from "../api/types";
import { allFiles } from "../library/all_files";
import { openTab } from "../state/layout";
import { Empty } from "../ui/controls";
import { Icon } from "../ui/icon";

export function PlanList() {
  const [files, setFiles] = useState<FileItem[] | null>(null);
  useEffect(() => {
    const load = () => void allFiles().then((all) =>
      setFiles(all.filter((f) => f.path.endsWith(".json"))));
    load();
    return onNews("file", ({ what }) => {
      if (what !== "changed") load();
    });
  }, []);
  if (!files) return <p className="loading">Looking for plans…</p>;
  if (files.length === 0) {
    return (
      <Empty icon="plan" title="There is no plan in this folder">
        <p>A plan is a JSON file with a list of activities, carried out by a model of
          tasks.</p>
      </Empty>
    );
  }
  return (
    <ul className="plain-list">
      {files.map(({ path }) => (
        <li key={path}>
          <button type="button" className="tree-row" title={path}
            onClick={() => openTab({ kind: "plan", path })}>
            <Icon name="plan" size={14} /><span className="tree-name">{path}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
