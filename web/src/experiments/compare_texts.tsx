// The texts of experiments side by side: models, libraries and data, as they were when
// each ran.
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "react";
import { ask, getJson, withQuery } from "../api/client";
import { editorTheme } from "../editor/theme";
import { notifyError } from "../state/notices";

interface StoredText {
  name: string;
  size: number;
  hash: string;
}

/** A file whose text is not the same in all experiments. */
interface Differing {
  name: string;
  /** The experiments by their texts: one of each text, in their order. */
  ids: number[];
  missing: number[];
}

/** Files with different texts among experiments; each has a list of its files. */
export function differingTexts(ids: number[], lists: StoredText[][]): Differing[] {
  const names = [...new Set(lists.flatMap((list) => list.map((t) => t.name)))];
  return names.flatMap((name) => {
    const hashes = lists.map((list) => list.find((t) => t.name === name)?.hash);
    if (new Set(hashes).size < 2) return [];
    const with_text = ids.filter((_, i) => hashes[i] !== undefined
      && hashes.indexOf(hashes[i]) === i);
    return [{ name, ids: with_text, missing: ids.filter((_, i) => hashes[i] === undefined) }];
  });
}

async function textOf(id: number, name: string): Promise<string> {
  const answer = await ask(withQuery(`/api/experiments/${id}/texts`, { name }));
  return answer.text();
}

function SideBySide({ name, left, right }: { name: string; left: number; right: number }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let left_already = false;
    let merge: MergeView | undefined;
    const extensions = [editorTheme, EditorState.readOnly.of(true), EditorView.lineWrapping];
    Promise.all([textOf(left, name), textOf(right, name)]).then(([a, b]) => {
      if (left_already || !host.current) return;
      merge = new MergeView({
        a: { doc: a, extensions }, b: { doc: b, extensions },
        parent: host.current, collapseUnchanged: { margin: 2 },
      });
    }).catch((reason: unknown) => notifyError(`compare ${name}`, reason));
    return () => {
      left_already = true;
      merge?.destroy();
    };
  }, [name, left, right]);
  return (
    <>
      <div className="differences-head"><span>experiment {left}</span>
        <span>experiment {right}</span></div>
      <div className="differences" ref={host} />
    </>
  );
}

export function CompareTexts({ ids }: { ids: number[] }) {
  const [found, setFound] = useState<Differing[] | null>(null);
  const key = ids.join();
  useEffect(() => {
    Promise.all(ids.map((id) =>
      getJson<{ items: StoredText[] }>(`/api/experiments/${id}/texts`)))
      .then((lists) => setFound(differingTexts(ids, lists.map((l) => l.items))))
      .catch((reason: unknown) => notifyError("read the texts of the experiments", reason));
  }, [key]);
  if (!found) return null;
  return (
    <section className="compare-texts" aria-label="Texts">
      <h2>Texts</h2>
      {found.length === 0 && (
        <p className="soft">All of them ran the same texts.</p>
      )}
      {found.map(({ name, ids: [first, ...others], missing }) => (
        <div key={name}>
          <h3><code>{name}</code></h3>
          {missing.length > 0 && (
            <p className="soft">Not part of {missing.join(", ")}.</p>
          )}
          {first !== undefined && others.map((other) => (
            <SideBySide key={other} name={name} left={first} right={other} />
          ))}
        </div>
      ))}
    </section>
  );
}
