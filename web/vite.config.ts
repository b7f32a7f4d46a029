import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

/** KaTeX names each font in three forms; all browsers read the smallest. */
function smallestFonts(): Plugin {
  return {
    name: "smallest-fonts",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("katex") || !id.endsWith(".css")) return null;
      return code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, "");
    },
  };
}

/**
 * Diagrams are code of their own, which nearly every visit needs: the browser reads it
 * beside that of the page, not after it.
 */
function readAtOnce(name: string): Plugin {
  return {
    name: "read-at-once",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) => Object.values(bundle ?? {}).flatMap((file) =>
        (file.type !== "chunk" || file.name !== name ? [] : [{
          tag: "link", injectTo: "head" as const,
          attrs: { rel: "modulepreload", crossorigin: true, href: `/${file.fileName}` },
        }])),
    },
  };
}

// The page runs under a strict Content-Security-Policy: nothing may become a
// data: URL, and style elements carry the nonce that the server puts in place
// of the word below.
export default defineConfig({
  plugins: [smallestFonts(), readAtOnce("diagram_pane"), react()],
  html: { cspNonce: "__NONCE__" },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1800,
  },
});
