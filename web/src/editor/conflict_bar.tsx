// The bar above a changed text whose file changed on disk, too.
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "react";
import { documents, settleConflict, viewOf } from "../state/documents";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { editorTheme } from "./theme";

function Differences({ mine, theirs }: { mine: string; theirs: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const extensions = [editorTheme, EditorState.readOnly.of(true),
      EditorView.lineWrapping];
    const merge = new MergeView({
      a: { doc: mine, extensions }, b: { doc: theirs, extensions },
      parent: host.current, collapseUnchanged: { margin: 2 },
    });
    return () => merge.destroy();
  }, [mine, theirs]);
  return <div className="differences" ref={host} />;
}

export function ConflictBar({ path }: { path: string }) {
  const conflict = useStore(documents, (d) => d.open[path]?.conflict);
  const follows = useStore(documents, (d) => d.open[path]?.follows ?? false);
  const [compared, setCompared] = useState(false);
  if (!conflict) return null;
  return (
    <>
      <div className="bar bad" role="alert">
        <span>{follows
          ? "Another tab took this file over without what you typed here last."
          : "This file changed on disk while you changed it here."}</span>
        <Button onClick={() => setCompared(!compared)}>
          {compared ? "Hide the differences" : "Compare"}
        </Button>
        <Button onClick={() => void settleConflict(path, "disk")}>
          {follows ? "Take the other text" : "Take the disk's text"}
        </Button>
        <Button onClick={() => void settleConflict(path, "mine")}>
          {follows ? "Edit here with mine" : "Keep mine"}
        </Button>
      </div>
      {compared && (
        <>
          <div className="differences-head"><span>here</span><span>{follows ? "there" : "on disk"}</span></div>
          <Differences mine={viewOf(path)?.state.sliceDoc() ?? ""}
            theirs={conflict.text} />
        </>
      )}
    </>
  );
}
