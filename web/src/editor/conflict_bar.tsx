// The bar above a changed text whose file changed on disk, too.
import { Suspense, lazy, useState } from "react";
import { documents, settleConflict, viewOf } from "../state/documents";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";

// Its library is large, and conflicts are rare.
const Differences = lazy(() => import("./differences"));

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
          <Suspense>
            <Differences mine={viewOf(path)?.state.sliceDoc() ?? ""}
              theirs={conflict.text} />
          </Suspense>
        </>
      )}
    </>
  );
}
