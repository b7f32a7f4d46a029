// Icons of classes. The language service draws each as a fragment of SVG, y down in
// the icon's coordinates, which a thousand resistors share. Texts are laid out
// here, for they differ from component to component and stay upright.
import { useEffect, useState } from "react";
import { inquire } from "../language/client";
import type { Extent, IconAnswer, SlotText } from "../language/protocol";
import { Bitmap } from "./bitmap";
import { fittingSize } from "./graphics";
import type { Box, Matrix } from "./matrix";

interface TextSlot {
  slot: number;
  box: Box;
  /** In points; 0 fills the box. */
  size: number;
  align: string;
  style: string;
  color: string;
  text: string;
  /** The transform of the primitive around it. */
  transform: string;
}

interface PictureSlot {
  box: Box;
  file: string;
  transform: string;
}

export interface IconDrawing {
  /** The corners of the icon's coordinates, y up. */
  extent: Extent;
  markup: string;
  texts: TextSlot[];
  pictures: PictureSlot[];
}

const usual: Extent = [[-100, -100], [100, 100]];
const blank: IconDrawing = { extent: usual, markup: "", texts: [], pictures: [] };

const known = new Map<string, IconDrawing>();
const asked = new Map<string, Promise<IconDrawing>>();

function numbers(text: string | null): number[] {
  return (text ?? "").split(/[\s,]+/).filter(Boolean).map(Number);
}

function boxFrom([x = 0, y = 0, width = 0, height = 0]: number[]): Box {
  return { x, y, width, height };
}

/** Takes texts and pictures out of a fragment; what is left is shared markup. */
export function readIcon({ svg, extent: [x1, y1, x2, y2] }: IconAnswer): IconDrawing {
  const page = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`, "image/svg+xml");
  const root = page.documentElement.firstElementChild;
  if (!root || root.tagName === "parsererror") return blank;
  const around = (element: Element) =>
    element.parentElement?.getAttribute("transform") ?? "";
  const texts = [...root.querySelectorAll("text[data-slot]")].map((element): TextSlot => {
    const found = {
      slot: Number(element.getAttribute("data-slot")),
      box: boxFrom(numbers(element.getAttribute("data-box"))),
      size: Number(element.getAttribute("data-size") ?? 0),
      align: element.getAttribute("data-align") ?? "Center",
      style: element.getAttribute("data-style") ?? "",
      color: element.getAttribute("fill") ?? "#000",
      text: element.textContent ?? "",
      transform: around(element),
    };
    element.remove();
    return found;
  });
  const pictures = [...root.querySelectorAll("image[data-file]")].map((element) => {
    const box = boxFrom(["x", "y", "width", "height"].map((name) =>
      Number(element.getAttribute(name))));
    const file = element.getAttribute("data-file") ?? "";
    const transform = around(element);
    element.remove();
    return { box, file, transform };
  });
  const extent: Extent = [[x1, y1], [x2, y2]];
  return { extent, markup: root.innerHTML, texts, pictures };
}

// Icons that components want at the same moment are asked for together.
let wanted: string[] = [];
let answer: Promise<Record<string, IconAnswer>> | undefined;

function askTogether(id: string): Promise<IconAnswer | undefined> {
  wanted.push(id);
  answer ??= new Promise((resolve, reject) => {
    setTimeout(() => {
      const icons = wanted;
      wanted = [];
      answer = undefined;
      inquire<unknown, Record<string, IconAnswer>>("orrery/icon", { icons })
        .then(resolve, reject);
    }, 0);
  });
  return answer.then((found) => found[id]);
}

/** The icon "i:..." of a scene, or that of the class of this name. */
function ask(id: string): Promise<IconAnswer | undefined> {
  return id.startsWith("i:") ? askTogether(id)
    : inquire<unknown, IconAnswer>("orrery/icon", { class: id });
}

export function fetchIcon(id: string): Promise<IconDrawing> {
  const pending = asked.get(id) ?? ask(id)
    .then((found) => {
      const drawing = found ? readIcon(found) : blank;
      known.set(id, drawing);
      return drawing;
    })
    .catch(() => blank);
  asked.set(id, pending);
  return pending;
}

/** The drawing of an icon; null until it has come, or if there is none. */
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

/**
 * What makes a text upright again under `matrix`, about the middle of its box: a
 * mirrored one is mirrored back, one upside down is turned.
 */
function upright(box: Box, [a, b, c, d]: Matrix): { transform: string; flips: boolean } {
  const cx = box.x + box.width / 2;
  const cy = box.y + box.height / 2;
  const about = (scale: string) =>
    `translate(${cx} ${cy}) scale(${scale}) translate(${-cx} ${-cy})`;
  const mirrored = a * d - b * c < 0;
  // Across: where the text's line goes on the page, to the right or up is upright.
  const [x, y] = [a, b];
  const backwards = Math.abs(x) >= Math.abs(y) ? x < 0 : y > 0;
  if (mirrored) {
    return backwards ? { transform: about("-1 1"), flips: true }
      : { transform: about("1 -1"), flips: false };
  }
  return backwards ? { transform: about("-1 -1"), flips: true }
    : { transform: "", flips: false };
}

function SlotView({ slot, text, matrix }: {
  slot: TextSlot; text: string; matrix: Matrix;
}) {
  if (!text) return null;
  const { box } = slot;
  const { transform, flips } = upright(box, matrix);
  const size = slot.size > 0 ? slot.size * 2.6
    : fittingSize(text, box.width, box.height);
  const align = flips && slot.align !== "Center"
    ? (slot.align === "Left" ? "Right" : "Left") : slot.align;
  const x = align === "Left" ? box.x : align === "Right" ? box.x + box.width
    : box.x + box.width / 2;
  const anchor = align === "Left" ? "start" : align === "Right" ? "end" : "middle";
  const lines = text.split("\n");
  const top = box.y + box.height / 2 - ((lines.length - 1) * size * 1.15) / 2;
  return (
    <g transform={slot.transform || undefined}>
      <g transform={transform || undefined}>
        <text textAnchor={anchor} fontSize={size} fill={slot.color}
          fontWeight={slot.style.includes("Bold") ? 700 : 400}
          fontStyle={slot.style.includes("Italic") ? "italic" : "normal"}>
          {lines.map((line, i) => (
            <tspan key={i} x={x} y={top + i * size * 1.15 + size * 0.35}>{line}</tspan>
          ))}
        </text>
      </g>
    </g>
  );
}

interface IconViewProps {
  drawing: IconDrawing;
  /** Texts of a component; those that the icon itself has where absent. */
  texts: SlotText[] | null;
  /** From the icon's coordinates to the page, for texts that stay upright. */
  matrix: Matrix;
}

/** The inside of an icon, in its own coordinates with y down. */
export function IconView({ drawing, texts, matrix }: IconViewProps) {
  return (
    <>
      <g dangerouslySetInnerHTML={{ __html: drawing.markup }} />
      {drawing.pictures.map(({ box, file, transform }, i) => (
        <g key={i} transform={transform || undefined}><Bitmap source={file} box={box} /></g>
      ))}
      {drawing.texts.map((slot) => (
        <SlotView key={slot.slot} slot={slot} matrix={matrix}
          text={texts?.find((t) => t.slot === slot.slot)?.text
            ?? (texts ? "" : slot.text)} />
      ))}
    </>
  );
}

/** An icon as a small picture in lists, without texts, which nobody could read. */
export function IconPicture({ drawing, size }: { drawing: IconDrawing; size: number }) {
  const [[x1, y1], [x2, y2]] = drawing.extent;
  const box = `${x1 - 10} ${-y2 - 10} ${x2 - x1 + 20} ${y2 - y1 + 20}`;
  return (
    <svg className="icon-picture" viewBox={box} width={size} height={size} aria-hidden="true">
      <g dangerouslySetInnerHTML={{ __html: drawing.markup }} />
    </svg>
  );
}
