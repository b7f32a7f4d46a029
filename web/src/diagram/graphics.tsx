// Draws the graphics of annotations as SVG, in coordinates with y down: a point
// (x, y) of Modelica is drawn at (x, -y). Lengths of pens are in millimetres
// there, which are units of the sheet.
import type { ReactNode } from "react";
import type { Color, Extent, Graphic, Point } from "../language/protocol";
import { Bitmap } from "./bitmap";
import { arrowHead, bezierPath, linePath } from "./paths";

export function css(color: Color | undefined, fallback: string): string {
  return color ? `rgb(${color[0]},${color[1]},${color[2]})` : fallback;
}

const dashes: Record<string, number[]> = {
  Dash: [4, 2], Dot: [1, 2], DashDot: [4, 2, 1, 2], DashDotDot: [4, 2, 1, 2, 1, 2],
};

export interface Pen {
  stroke: string;
  strokeWidth: number;
  strokeDasharray?: string;
}

/** The pen of a line; lines are never thinner than what can be seen. */
export function penOf(
  color: string, pattern: string | undefined, thickness: number | undefined,
): Pen {
  if (pattern === "None") return { stroke: "none", strokeWidth: 0 };
  const width = thickness ?? 0.25;
  const dash = dashes[pattern ?? "Solid"];
  const pen: Pen = { stroke: color, strokeWidth: Math.max(width, 0.25) * 2 };
  if (dash) {
    pen.strokeDasharray = dash.map((d) => d * Math.max(width, 0.5) * 2).join(" ");
  }
  return pen;
}

function borderPen(graphic: Graphic): Pen {
  return penOf(css(graphic.color, "rgb(0,0,0)"), graphic.pattern, graphic.thickness);
}

/** The fill of a closed shape: a colour, or a gradient or hatch of the page. */
function fillOf(graphic: Graphic, id: string): { fill: string; defs: ReactNode } {
  const pattern = graphic.fillPattern ?? "None";
  const fill = css(graphic.fillColor, "rgb(0,0,0)");
  const line = css(graphic.color, "rgb(0,0,0)");
  if (pattern === "None") return { fill: "none", defs: null };
  if (pattern === "Solid") return { fill, defs: null };
  const url = `url(#${id})`;
  if (pattern === "Sphere") {
    return { fill: url, defs: (
      <radialGradient id={id}>
        <stop offset="0" stopColor={fill} /><stop offset="1" stopColor={line} />
      </radialGradient>
    ) };
  }
  if (pattern.endsWith("Cylinder")) {
    const upright = pattern === "VerticalCylinder";
    return { fill: url, defs: (
      <linearGradient id={id} x1="0" y1="0" x2={upright ? 1 : 0} y2={upright ? 0 : 1}>
        <stop offset="0" stopColor={line} /><stop offset="0.5" stopColor={fill} />
        <stop offset="1" stopColor={line} />
      </linearGradient>
    ) };
  }
  const strokes: Record<string, string> = {
    Horizontal: "M0 2h4", Vertical: "M2 0v4", Cross: "M0 2h4M2 0v4",
    Forward: "M0 4L4 0", Backward: "M0 0L4 4", CrossDiag: "M0 4L4 0M0 0L4 4",
  };
  return { fill: url, defs: (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse">
      <rect width="4" height="4" fill={fill} />
      <path d={strokes[pattern] ?? ""} stroke={line} strokeWidth="0.5" />
    </pattern>
  ) };
}

function Shape({ graphic, id, children }: {
  graphic: Graphic; id: string; children: (fill: string) => ReactNode;
}) {
  const { fill, defs } = fillOf(graphic, id);
  return <>{defs && <defs>{defs}</defs>}{children(fill)}</>;
}

function Line({ graphic }: { graphic: Graphic }) {
  const points = graphic.points ?? [];
  const color = css(graphic.color, "rgb(0,0,0)");
  const pen = penOf(color, graphic.pattern, graphic.thickness);
  const [start, end] = graphic.arrow ?? ["None", "None"];
  const size = graphic.arrowSize ?? 3;
  const path = graphic.smooth === "Bezier" ? bezierPath(points) : linePath(points);
  return (
    <>
      <path d={path} fill="none" {...pen} />
      {arrowHead(points[1], points[0], start, size, color)}
      {arrowHead(points[points.length - 2], points[points.length - 1], end, size, color)}
    </>
  );
}

function boxAttributes([[x1, y1], [x2, y2]]: Extent) {
  return {
    x: Math.min(x1, x2), y: -Math.max(y1, y2),
    width: Math.abs(x2 - x1), height: Math.abs(y2 - y1),
  };
}

function Rectangle({ graphic, id }: { graphic: Graphic; id: string }) {
  const box = boxAttributes(graphic.extent ?? [[0, 0], [0, 0]]);
  return (
    <Shape graphic={graphic} id={id}>
      {(fill) => <rect {...box} rx={graphic.radius ?? 0} fill={fill}
        {...borderPen(graphic)} />}
    </Shape>
  );
}

function Ellipse({ graphic, id }: { graphic: Graphic; id: string }) {
  const box = boxAttributes(graphic.extent ?? [[0, 0], [0, 0]]);
  const rx = box.width / 2;
  const ry = box.height / 2;
  const cx = box.x + rx;
  const cy = box.y + ry;
  const start = graphic.startAngle ?? 0;
  const end = graphic.endAngle ?? 360;
  return (
    <Shape graphic={graphic} id={id}>
      {(fill) => {
        if (Math.abs(end - start) >= 360) {
          return <ellipse cx={cx} cy={cy} rx={rx} ry={ry} fill={fill}
            {...borderPen(graphic)} />;
        }
        const at = (degrees: number): Point => {
          const angle = (degrees * Math.PI) / 180;
          return [cx + rx * Math.cos(angle), cy - ry * Math.sin(angle)];
        };
        const [x1, y1] = at(start);
        const [x2, y2] = at(end);
        const large = Math.abs(end - start) > 180 ? 1 : 0;
        const sweep = end > start ? 0 : 1;
        const closure = graphic.closure ?? "Chord";
        const closing = closure === "None" ? ""
          : closure === "Radial" ? `L${cx} ${cy}Z` : "Z";
        const path = `M${x1} ${y1}A${rx} ${ry} 0 ${large} ${sweep} ${x2} ${y2}${closing}`;
        return <path d={path} fill={closure === "None" ? "none" : fill}
          {...borderPen(graphic)} />;
      }}
    </Shape>
  );
}

function Polygon({ graphic, id }: { graphic: Graphic; id: string }) {
  const points = graphic.points ?? [];
  const path = graphic.smooth === "Bezier" ? bezierPath(points) : linePath(points);
  return (
    <Shape graphic={graphic} id={id}>
      {(fill) => <path d={`${path}Z`} fill={fill} fillRule="evenodd"
        {...borderPen(graphic)} />}
    </Shape>
  );
}

/** The size at which a text fills a box, by the mean width of letters. */
export function fittingSize(text: string, width: number, height: number): number {
  const lines = text.split("\n");
  const longest = Math.max(1, ...lines.map((line) => line.length));
  const byHeight = height / lines.length / 1.15;
  return width > 0 ? Math.min(byHeight, width / (longest * 0.56)) : byHeight;
}

export function TextGraphic({ graphic, text }: { graphic: Graphic; text: string }) {
  const box = boxAttributes(graphic.extent ?? [[0, 0], [0, 0]]);
  const size = graphic.fontSize ? graphic.fontSize * 0.7
    : fittingSize(text, box.width, box.height);
  const align = graphic.align ?? "Center";
  const x = align === "Left" ? box.x : align === "Right" ? box.x + box.width
    : box.x + box.width / 2;
  const anchor = align === "Left" ? "start" : align === "Right" ? "end" : "middle";
  const style = graphic.textStyle ?? [];
  const lines = text.split("\n");
  const top = box.y + box.height / 2 - ((lines.length - 1) * size * 1.15) / 2;
  return (
    <text textAnchor={anchor} fontSize={size}
      fill={css(graphic.color, "rgb(0,0,0)")}
      fontWeight={style.some((s) => s.endsWith("Bold")) ? 700 : 400}
      fontStyle={style.some((s) => s.endsWith("Italic")) ? "italic" : "normal"}
      textDecoration={style.some((s) => s.endsWith("UnderLine")) ? "underline" : "none"}>
      {lines.map((line, i) => (
        <tspan key={i} x={x} y={top + i * size * 1.15 + size * 0.35}>{line}</tspan>
      ))}
    </text>
  );
}

function One({ graphic, id }: { graphic: Graphic; id: string }) {
  switch (graphic.kind) {
    case "line": return <Line graphic={graphic} />;
    case "rectangle": return <Rectangle graphic={graphic} id={id} />;
    case "ellipse": return <Ellipse graphic={graphic} id={id} />;
    case "polygon": return <Polygon graphic={graphic} id={id} />;
    case "text":
      return <TextGraphic graphic={graphic} text={graphic.text ?? ""} />;
    case "bitmap":
      return <Bitmap
        source={graphic.image ? `data:image/png;base64,${graphic.image}` : graphic.file ?? ""}
        box={boxAttributes(graphic.extent ?? [[0, 0], [0, 0]])} />;
  }
}

/** All graphics of a layer, the first at the back. */
export function Graphics({ list, prefix }: { list: Graphic[]; prefix: string }) {
  return (
    <>
      {list.map((graphic, i) => {
        const [x, y] = graphic.origin ?? [0, 0];
        const turned = graphic.rotation ?? 0;
        const moved = x !== 0 || y !== 0 || turned !== 0;
        return (
          <g key={i} transform={moved ? `translate(${x} ${-y}) rotate(${-turned})`
            : undefined}>
            <One graphic={graphic} id={`${prefix}-${i}`} />
          </g>
        );
      })}
    </>
  );
}
