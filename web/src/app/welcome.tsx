// The centre before anything is open.
import mark from "../../orrery.svg";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { Button, Keys } from "../ui/controls";
import { overlay } from "./commands";

export function Welcome() {
  const folder = useStore(session, (s) => s.session?.folder ?? "");
  return (
    <div className="welcome">
      <img src={mark} alt="" width={56} height={56} />
      <h1>Orrery studio</h1>
      <p className="soft">{folder}</p>
      <dl>
        <dt><Keys>Ctrl P</Keys></dt><dd>Open a model or a class of a library</dd>
        <dt><Keys>F5</Keys></dt><dd>Run the model and watch its curves grow</dd>
        <dt><Keys>D</Keys></dt><dd>Switch between text and diagram</dd>
        <dt><Keys>Ctrl Shift P</Keys></dt><dd>Find any command</dd>
        <dt><Keys>?</Keys></dt><dd>See all keys</dd>
      </dl>
      <p className="soft">Pick a file at the left to begin, or make one.</p>
      <Button icon="plus" onClick={() => overlay.set({ shown: "new" })}>New model</Button>
    </div>
  );
}
