// Two texts side by side, with what differs.
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorTheme } from "./theme";

export default function Differences({ mine, theirs }: { mine: string; theirs: string }) {
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
