// Shapes of the requests that orrery-lsp answers beside those of LSP.
// docs/reference/language_service.md is their contract.

import type { WorkspaceEdit } from "./edits";

export type Point = [number, number];
export type Extent = [Point, Point];
export type Color = [number, number, number];
/** Offsets of bytes or UTF-16 units, as was agreed on at initialisation. */
export type Span = [number, number];

export interface Placed {
  origin?: Point;
  extent: Extent;
  rotation?: number;
}

export interface Graphic {
  kind: "line" | "polygon" | "rectangle" | "ellipse" | "text" | "bitmap";
  origin?: Point;
  rotation?: number;
  points?: Point[];
  extent?: Extent;
  /** Of lines, borders and letters. */
  color?: Color;
  fillColor?: Color;
  pattern?: string;
  fillPattern?: string;
  thickness?: number;
  radius?: number;
  startAngle?: number;
  endAngle?: number;
  closure?: string;
  arrow?: [string, string];
  arrowSize?: number;
  smooth?: string;
  text?: string;
  fontSize?: number;
  textStyle?: string[];
  align?: string;
  /** Where a bitmap comes from: modelica://... */
  file?: string;
  /** A bitmap in base64. */
  image?: string;
  span?: Span | null;
}

export interface Port {
  name: string;
  type: string;
  icon: string | null;
  at: Placed;
  dims: string[];
  present?: boolean;
  flow?: boolean;
}

/** A text of an icon as a component shows it. */
export interface SlotText {
  slot: number;
  text: string;
}

export interface Part {
  name: string;
  type: string;
  icon: string | null;
  at: Placed | null;
  texts: SlotText[];
  ports: Port[];
  dims: string[];
  present: boolean;
  inherited: string | null;
  connector?: boolean;
  span: Span | null;
  problems?: number;
}

export interface Connection {
  from: string;
  to: string;
  points: Point[];
  color?: Color;
  thickness?: number;
  pattern?: string;
  span: Span | null;
  present: boolean;
  inherited: string | null;
}

export interface CoordinateSystem {
  extent: [number, number, number, number];
  grid: Point;
  preserveAspectRatio: boolean;
}

/** An icon as `orrery/icon` answers it: SVG with y down, texts by slots. */
export interface IconAnswer extends CoordinateSystem {
  svg: string;
}

export interface Scene {
  class: string;
  uri: string;
  version: number | null;
  /** The text has syntax errors: parts may be missing. */
  broken?: boolean;
  system: CoordinateSystem;
  graphics: Graphic[];
  components: Part[];
  connections: Connection[];
  /** The coordinates of the icons that components and ports name. */
  icons: Record<string, CoordinateSystem>;
  /** What could not be drawn, and why. */
  notes: string[];
}

/** One step of `orrery/edit`. */
export type Edit =
  | { op: "addComponent"; type: string; name?: string; at: Placed }
  | { op: "remove"; components: string[]; connections: [string, string][] }
  | { op: "move"; components: string[]; by: Point }
  | { op: "move"; component: string; at: Placed }
  | { op: "flip"; components: string[]; axis: "horizontal" | "vertical" }
  | { op: "rotate"; components: string[]; by: number }
  | { op: "connect"; from: string; to: string; points: Point[]; color?: Color }
  | { op: "reroute"; from: string; to: string; points: Point[] }
  | { op: "setModifier"; component: string; path: string | string[];
    text: string | null }
  | { op: "chooseClass"; component: string; kind: string; name: string;
    type: string | null }
  | { op: "rename"; component: string; name: string }
  | { op: "duplicate"; components: string[]; by: Point };

/** What `orrery/edit` answers: the changes, and the names of new components. */
export interface EditAnswer extends WorkspaceEdit {
  names?: string[];
}

export interface Parameter {
  name: string;
  type: string;
  text: string;
  unit: string;
  displayUnit: string;
  /** Units of the same dimension with which the menu is filled. */
  units: { name: string; factor: number; offset: number }[];
  value: string | null;
  default: string | null;
  from: string | null;
  group: string;
  tab: string;
  enable: boolean;
  choices?: { text: string; value: string }[];
  /** The replaceable class whose parameter it is. */
  of?: string;
  /** Of a replaceable class: the full name of what must be extended. */
  constraint?: string;
}

/** What the inspector shows of a class or of a component of it. */
export interface Description {
  name: string;
  type: string;
  kind: string;
  text: string;
  uri: string | null;
  span: Span | null;
  parameters: Parameter[];
  documentation: string;
  condition?: string | null;
  experiment?: { stop?: string; tolerance?: string };
}

/** A number of a model, as `orrery/quantities` answers it. */
export interface Quantity {
  name: string;
  unit: string;
  text: string;
  kind: "parameter" | "input" | "output" | "variable";
}

export interface Equation {
  latex: string;
  text: string;
  block: number;
  path: string;
  span: Span | null;
  uri?: string;
}
