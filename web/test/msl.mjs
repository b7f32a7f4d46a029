// The Modelica Standard Library, for tests that draw it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { askStudio, eventually } from "./studio.mjs";

/** The folder of MODELICAPATH that holds the library; undefined if none does. */
export const library = (process.env.MODELICAPATH ?? "").split(":").filter(Boolean)
  .find((folder) => ["Modelica", "Modelica 4.1.0", "Modelica 4.0.0"].some((name) =>
    existsSync(join(folder, name, "package.mo"))));

export const skip = !library
  && "MODELICAPATH names no folder with the Modelica Standard Library";

async function* classes(page, under) {
  for (let offset = 0, total = 1; offset < total; offset += 500) {
    const found = await askStudio(page,
      `/api/tree?under=${encodeURIComponent(under)}&offset=${offset}&limit=500`);
    total = found.total;
    yield* found.items;
  }
}

/** All models in packages named Examples, in the order of the library. */
export async function examplesOf(page, under = "Modelica") {
  const found = [];
  const walk = async (name) => {
    for await (const item of classes(page, name)) {
      const inside = item.name.split(".").includes("Examples");
      if (inside && item.kind === "model" && !item.partial) found.push(item.name);
      if (item.kind === "package" && item.children) await walk(item.name);
    }
  };
  await walk(under);
  return found;
}

/** Opens a class by its full name, and waits for its diagram; answers its parts. */
export async function openDiagram(page, name) {
  await page.keyboard.press("Control+p");
  await page.locator(".palette-field").fill(name);
  await page.locator(".palette-list li")
    .filter({ has: page.getByText(name, { exact: true }) }).first().click();
  await page.locator(`.class-choice[title="${name}"]`).waitFor();
  const drawn = page.locator(".react-flow__node-part, .react-flow__node-background, .sheet-hint");
  await eventually(() => drawn.count(), (count) => count > 0, 10000);
  return page.locator(".react-flow__node-part").count();
}

/** Closes all tabs. */
export async function closeTabs(page) {
  const close = page.locator(".tab-close");
  while (await close.count()) await close.first().click();
}
