// The documentation of a class: HTML of its library, shown where it can do nothing.
import { useEffect, useState } from "react";
import { theme } from "../app/theme";
import { inquire } from "../language/client";
import type { Description } from "../language/protocol";
import { useStore } from "../state/store";
import { Empty } from "../ui/controls";
import { withPictures } from "./pictures";

/** A page around the documentation, in the colours of the window. */
function pageOf(html: string, dark: boolean): string {
  const [ink, paper, link] = dark ? ["#e6e9ef", "#1a1e26", "#7fa9f8"]
    : ["#1b2130", "#ffffff", "#2b62c9"];
  return `<!doctype html><meta charset="utf-8"><body text="${ink}"
    bgcolor="${paper}" link="${link}"><font face="sans-serif" size="2">${html}</font>`;
}

export default function Documentation({ name }: { name: string }) {
  const dark = useStore(theme, (t) => t.dark);
  const [shown, setShown] = useState<{ text: string; html: string } | null>(null);
  useEffect(() => {
    let left = false;
    inquire<unknown, Description>("orrery/describe", { class: name })
      .then(async (found) => {
        const html = await withPictures(found.documentation);
        if (!left) setShown({ text: found.text, html });
      })
      .catch(() => {
        if (!left) setShown({ text: "", html: "" });
      });
    return () => {
      left = true;
    };
  }, [name]);
  if (!shown) return <p className="loading">Loading…</p>;
  return (
    <div className="documentation">
      <header><h1>{name}</h1><p className="soft">{shown.text}</p></header>
      {shown.html
        ? <iframe title={`Documentation of ${name}`} sandbox=""
            srcDoc={pageOf(shown.html, dark)} />
        : <Empty icon="book" title="This class has no documentation">
            <p>Write it into <code>annotation(Documentation(info = "…"))</code>.</p>
          </Empty>}
    </div>
  );
}
