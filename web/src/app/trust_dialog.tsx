// Asks before code of the folder runs for the first time.
import { useEffect, useRef } from "react";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { setTrust, trust } from "../state/trust";
import { Button } from "../ui/controls";

export function TrustDialog() {
  const wanted = useStore(trust, (t) => t.wanted);
  const folder = useStore(session, (s) => s.session?.folder ?? "");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (wanted) dialog.current?.showModal();
    else dialog.current?.close();
  }, [wanted]);
  const refuse = () => trust.set({ wanted: null });
  return (
    <dialog ref={dialog} aria-label="Trust this folder" onCancel={refuse}>
      <div className="trust">
        <h1>Do you trust this folder?</h1>
        <p><code>{folder}</code></p>
        <p>{wanted} is a program, or has parts that are. They may do all that you may do on
          this machine: read and delete your files, use the network. Trust the folder
          only if you know who has made what is in it.</p>
        <div className="form-end">
          <Button kind="primary" onClick={() => void setTrust(true)}>Trust this folder</Button>
          <Button onClick={refuse}>Do not run it</Button>
        </div>
      </div>
    </dialog>
  );
}
