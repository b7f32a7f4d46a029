// Messages at the lower edge.
import { dismiss, notices } from "../state/notices";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { IconButton } from "../ui/controls";
import { Icon } from "../ui/icon";

export function Notices() {
  const list = useStore(notices, (n) => n.list);
  const { up, stranger } = useStore(session, (s) => ({ up: s.up, stranger: s.stranger }));
  return (
    <div className="notices" role="status" aria-live="polite">
      {!up && (
        <div className="notice bad">
          <Icon name="link" />
          {stranger
            ? <div><p>The studio was started anew and does not know this page.</p>
                <p className="soft">Open the address that it has printed in this browser;
                  then this page goes on. What you type is kept in it.</p></div>
            : <div><p>The studio does not answer; trying again each second.</p>
                <p className="soft">What you type is kept in this page.</p></div>}
        </div>
      )}
      {list.map(({ id, kind, text, hint }) => (
        <div key={id} className={`notice ${kind}`}>
          <Icon name={kind === "bad" ? "error" : "info"} />
          <div><p>{text}</p>{hint && <p className="soft">{hint}</p>}</div>
          <IconButton icon="close" label="Close this message"
            onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
