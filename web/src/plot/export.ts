// Curves as files: CSV of their values, SVG of their picture.
import type { Curve } from "./curve_data";
import { strokeOf } from "./colors";
import { differences, plots } from "./plots";
import { hasPlace, scaleOf } from "./scales";
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

/** The points of a curve that have a place, parted where others are between them. */
function pieces(curve: Curve, log: boolean): [number, number][][] {
  const found: [number, number][][] = [[]];
  for (let i = 0; i < curve.x.length; ++i) {
    const [x, y] = [curve.x[i], curve.y[i]];
    if (hasPlace(x, false) && hasPlace(y, log)) found[found.length - 1]?.push([x, y]);
    else if (found[found.length - 1]?.length) found.push([]);
  }
  return found.filter((points) => points.length > 0);
}

/**
 * The picture of curves as the text of an SVG file.
 * @param log whether the values upwards go by powers of ten.
 */
export function drawSvg(curves: Curve[], title: string, log = false): string {
  const w = size.width - size.left - size.right;
  const h = size.height - size.top - size.bottom;
  const x = scaleOf(curves.map((c) => c.x), size.left, size.left + w, { count: 8 });
  const y = scaleOf(curves.map((c) => c.y), size.top + h, size.top, { log, count: 6 });
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}"`
      + ' font-family="sans-serif" font-size="11">',
    `<title>${escape(title)}</title><rect width="100%" height="100%" fill="#fff"/>`,
  ];
  for (const tick of x.ticks) {
    parts.push(`<path d="M${x.at(tick)} ${size.top}v${h}" stroke="#ddd"/>`
      + `<text x="${x.at(tick)}" y="${size.height - 20}" text-anchor="middle">${short(tick)}</text>`);
  }
  for (const tick of y.ticks) {
    parts.push(`<path d="M${size.left} ${y.at(tick)}h${w}" stroke="#ddd"/>`
      + `<text x="${size.left - 6}" y="${y.at(tick) + 4}" text-anchor="end">${short(tick)}</text>`);
  }
  curves.forEach((curve, n) => {
    const { color, dash } = strokeOf(curve, plots.get().sources.length);
    for (const points of pieces(curve, log)) {
      parts.push(`<polyline points="${points.map(([u, v]) =>
        `${x.at(u).toFixed(2)},${y.at(v).toFixed(2)}`).join(" ")}" fill="none"`
        + ` stroke="${color}" stroke-width="1.5" stroke-dasharray="${dash.join(" ")}"/>`);
    }
    parts.push(`<text x="${size.left + 8}" y="${size.top + 14 + n * 14}" fill="${color}">`
      + `${escape(labelOf(curve))}</text>`);
  });
  return `${parts.join("\n")}\n</svg>\n`;
}

export function saveSvg(curves: Curve[], title: string, log: boolean): void {
  saveAs("curves.svg", new Blob([drawSvg(curves, title, log)], { type: "image/svg+xml" }));
}
