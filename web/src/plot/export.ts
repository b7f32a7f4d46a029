// Curves as files: CSV of their values, SVG of their picture.
import type { Curve } from "./curve_data";
import { strokeOf } from "./colors";
import { differences, plots } from "./plots";
import { ticksOf } from "./ticks";
import { short } from "./values";

/** Offers a file to the user as a download. */
export function saveAs(name: string, file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function labelOf(curve: Curve): string {
  const { sources } = plots.get();
  if (sources.length < 2) return curve.signal;
  return `${curve.signal} (${differences(sources).get(curve.source.key)})`;
}

/** Values as they are drawn; runs with times of their own follow each other. */
export function saveCsv(curves: Curve[]): void {
  const lines = ["curve,x,y"];
  for (const curve of curves) {
    const label = `"${labelOf(curve).replaceAll('"', '""')}"`;
    for (let i = 0; i < curve.x.length; ++i) {
      lines.push(`${label},${curve.x[i]},${curve.y[i]}`);
    }
  }
  saveAs("curves.csv", new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
}

const size = { width: 720, height: 400, left: 70, right: 20, top: 20, bottom: 40 };

/** The picture of curves as the text of an SVG file. */
export function drawSvg(curves: Curve[], title: string): string {
  const all = (pick: (c: Curve) => ArrayLike<number>) =>
    curves.flatMap((c) => Array.from(pick(c)).filter(Number.isFinite));
  const range = (values: number[]): [number, number] => {
    const least = values.reduce((a, b) => Math.min(a, b), Infinity);
    const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
    return most > least ? [least, most] : [least - 1, least + 1];
  };
  const [x0, x1] = range(all((c) => c.x));
  const [y0, y1] = range(all((c) => c.y));
  const w = size.width - size.left - size.right;
  const h = size.height - size.top - size.bottom;
  const px = (x: number) => size.left + ((x - x0) / (x1 - x0)) * w;
  const py = (y: number) => size.top + h - ((y - y0) / (y1 - y0)) * h;
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}"`
      + ' font-family="sans-serif" font-size="11">',
    `<title>${escape(title)}</title><rect width="100%" height="100%" fill="#fff"/>`,
  ];
  for (const tick of ticksOf(x0, x1, 8)) {
    parts.push(`<path d="M${px(tick)} ${size.top}v${h}" stroke="#ddd"/>`
      + `<text x="${px(tick)}" y="${size.height - 20}" text-anchor="middle">${short(tick)}</text>`);
  }
  for (const tick of ticksOf(y0, y1, 6)) {
    parts.push(`<path d="M${size.left} ${py(tick)}h${w}" stroke="#ddd"/>`
      + `<text x="${size.left - 6}" y="${py(tick) + 4}" text-anchor="end">${short(tick)}</text>`);
  }
  curves.forEach((curve, n) => {
    const { color, dash } = strokeOf(curve, plots.get().sources.length);
    const points = Array.from(curve.x, (x, i) =>
      `${px(x).toFixed(2)},${py(curve.y[i] ?? NaN).toFixed(2)}`)
      .filter((p) => !p.includes("NaN"));
    parts.push(`<polyline points="${points.join(" ")}" fill="none" stroke="${color}"`
      + ` stroke-width="1.5" stroke-dasharray="${dash.join(" ")}"/>`
      + `<text x="${size.left + 8}" y="${size.top + 14 + n * 14}" fill="${color}">`
      + `${escape(labelOf(curve))}</text>`);
  });
  return `${parts.join("\n")}\n</svg>\n`;
}

export function saveSvg(curves: Curve[], title: string): void {
  saveAs("curves.svg", new Blob([drawSvg(curves, title)], { type: "image/svg+xml" }));
}
