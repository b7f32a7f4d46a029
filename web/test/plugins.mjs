// Built models in C++ in the folder of a studio, which is trusted to run them.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { programs } from "./studio.mjs";

const plugins = process.env.ORRERY_PLUGINS ?? join(programs, "../lib");

/** Copies plug-ins of examples by their names: `rover`, `bank`. */
export async function addPlugins(studio, ...names) {
  for (const name of names) {
    await cp(join(plugins, `lib${name}.so`), join(studio.folder, `lib${name}.so`));
  }
}

/** Trusts the folder, as its user does in the dialog. */
export async function trustFolder(page) {
  await page.evaluate(async () => {
    await fetch("/api/trust", {
      method: "PUT", headers: { "X-Orrery": "1", "Content-Type": "application/json" },
      body: '{"trusted": true}',
    });
  });
  await page.reload();
  await page.waitForSelector(".tree-row");
}
