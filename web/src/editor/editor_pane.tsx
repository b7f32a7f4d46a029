// A tab with a text: puts the document's editor into the page.
import { useEffect, useRef, useState } from "react";
import { documents, openDocument, settleDraft, viewOf } from "../state/documents";
import { focus, focusOn } from "../state/focus";
import { classAt } from "../state/classes";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { ConflictBar } from "./conflict_bar";
import { FollowBar } from "./follow_bar";

/** Makes the class around the caret the one in focus, in packages of several. */
function followCaret(path: string): void {
  const view = viewOf(path);
  if (!view) return;
  const name = classAt(path, view.state.selection.main.head);
  if (name && focus.get().path !== path) focusOn(path, name);
}

export function EditorPane({ path }: { path: string }) {
  const host = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const info = useStore(documents, (d) => d.open[path]);
  useEffect(() => {
    let left = false;
    void openDocument(path).then((view) => {
      if (left || !view || !host.current) return;
      host.current.replaceChildren(view.dom);
      view.requestMeasure();
      setReady(true);
    });
    return () => {
      left = true;
    };
  }, [path]);
  return (
    <div className="editor-pane">
      {info?.conflict && <ConflictBar path={path} />}
      {info?.draft != null && (
        <div className="bar info" role="alert">
          <span>There is a text of this file that was not saved.</span>
          <Button kind="primary" onClick={() => settleDraft(path, true)}>Take it</Button>
          <Button onClick={() => settleDraft(path, false)}>Forget it</Button>
        </div>
      )}
      <FollowBar path={path} />
      {info?.readonly && (
        <div className="bar info">
          <span>This file belongs to a library and cannot be changed here.</span>
        </div>
      )}
      <div className="editor-host" ref={host} data-ready={ready}
        onClick={() => followCaret(path)} />
    </div>
  );
}
