// The bar above what shows a document that another page edits.
import { documents, takeOver } from "../state/documents";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";

export function FollowBar({ path }: { path: string }) {
  const isShown = useStore(documents, (d) => {
    const info = d.open[path];
    return !!info && info.follows && !info.conflict;
  });
  if (!isShown) return null;
  return (
    <div className="bar info" role="status">
      <span>This file is edited in another tab or browser, and follows it here.</span>
      <Button kind="primary" onClick={() => void takeOver(path)}>Edit here</Button>
    </div>
  );
}
