// Icons of classes. The server makes a fragment of SVG for each, which never
// changes; a thousand resistors share one.
import { useEffect, useState } from "react";
import { ask } from "../api/client";
import type { Extent } from "../language/protocol";

export interface IconDrawing {
  /** The corners of the icon's coordinates, y up. */
  extent: Extent;
  markup: string;
}

const known = new Map<string, IconDrawing>();
const asked = new Map<string, Promise<IconDrawing>>();

const blank: IconDrawing = { extent: [[-100, -100], [100, 100]], markup: "" };

/** Takes the drawing and its extent out of the server's SVG. */
export function readIcon(svg: string): IconDrawing {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (root.tagName !== "svg") return blank;
  const [x = -100, y = -100, width = 200, height = 200] =
    (root.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  return { extent: [[x, -(y + height)], [x + width, -y]], markup: root.innerHTML };
}

export function fetchIcon(id: string): Promise<IconDrawing> {
  const pending = asked.get(id) ?? ask(`/api/icon/${encodeURIComponent(id)}`)
    .then((answer) => answer.text())
    .then((svg) => {
      const drawing = readIcon(svg);
      known.set(id, drawing);
      return drawing;
    })
    .catch(() => blank);
  asked.set(id, pending);
  return pending;
}

/** The drawing of an icon; a blank one until it has come. */
export function useIcon(id: string | null): IconDrawing | null {
  const [drawing, setDrawing] = useState(id ? known.get(id) ?? null : null);
  useEffect(() => {
    if (!id) return undefined;
    let left = false;
    void fetchIcon(id).then((found) => {
      if (!left) setDrawing(found);
    });
    return () => {
      left = true;
    };
  }, [id]);
  return id ? drawing : null;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** `markup` with the texts of its slots replaced by those of a component. */
export function withTexts(
  markup: string, texts: { slot: number; text: string }[],
): string {
  let filled = markup;
  for (const { slot, text } of texts) {
    const place = new RegExp(`(<text[^>]*data-slot="${slot}"[^>]*>)[^<]*(?:<tspan[^>]*>[^<]*</tspan>)*(</text>)`);
    filled = filled.replace(place, (_, open: string, close: string) =>
      open + escaped(text) + close);
  }
  return filled;
}

/** An icon as a small picture in lists. */
export function IconPicture({ icon, size }: { icon: string; size: number }) {
  const drawing = useIcon(icon);
  if (!drawing) return <span className="icon-space" style={{ width: size, height: size }} />;
  const [[x1, y1], [x2, y2]] = drawing.extent;
  const box = `${x1 - 10} ${-y2 - 10} ${x2 - x1 + 20} ${y2 - y1 + 20}`;
  return (
    <svg className="icon-picture" viewBox={box} width={size} height={size} aria-hidden="true">
      <g dangerouslySetInnerHTML={{ __html: drawing.markup }} />
    </svg>
  );
}
