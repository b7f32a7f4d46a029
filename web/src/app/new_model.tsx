// The dialog of a new model: a name, which is that of a file of its own, too.
import { useState } from "react";
import type { FormEvent } from "react";
import { ApiError, ask, withQuery } from "../api/client";
import { keywords } from "../language/modelica_mode";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { openFile } from "./open";

/** Why a text cannot name a model; empty if it can. */
export function refusalOf(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return "A name has letters, digits and _, and begins with no digit.";
  }
  return keywords.has(name) ? `${name} is a word of the language.` : "";
}

async function create(name: string): Promise<string> {
  const path = `${name}.mo`;
  await ask(withQuery("/api/file", { path }), {
    method: "PUT", text: `model ${name}\nend ${name};\n`,
    headers: { "If-None-Match": "*" },
  });
  return path;
}

/** @param onDone is called when there is nothing left to ask. */
export function NewModel({ onDone }: { onDone: () => void }) {
  const folder = useStore(session, (s) => s.session?.folder ?? "");
  const [name, setName] = useState("");
  const [failure, setFailure] = useState("");
  const refusal = name ? refusalOf(name) : "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name || refusal) return;
    create(name).then((path) => {
      onDone();
      return openFile(path);
    }).catch((reason: unknown) => setFailure(
      reason instanceof ApiError && reason.status === 412
        ? `There is a file ${name}.mo already.`
        : reason instanceof Error ? reason.message : String(reason)));
  };
  return (
    <form className="new-model" onSubmit={submit}>
      <input autoFocus className="palette-field" value={name} spellCheck={false}
        aria-label="Name of the new model" placeholder="Name of the new model"
        onChange={(event) => {
          setName(event.target.value.trim());
          setFailure("");
        }} />
      <div className="new-model-end">
        <span className={refusal || failure ? "warn" : "soft"} role="status">
          {failure || refusal || `Makes the file ${name || "NAME"}.mo in ${folder}`}</span>
        <Button kind="primary" submit disabled={!name || refusal !== ""}>Make it</Button>
      </div>
    </form>
  );
}
