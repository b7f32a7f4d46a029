// Loads modules of the page into Node.js, for tests of what needs no browser.
import { build } from "esbuild";

const sources = new URL("../src/", import.meta.url).pathname;

/** The exports of `src/<path>`, bundled with all that it imports. */
export async function load(path) {
  const built = await build({
    entryPoints: [sources + path],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    jsx: "automatic",
    loader: { ".css": "empty", ".svg": "text" },
    logLevel: "error",
  });
  const text = Buffer.from(built.outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${text}`);
}
