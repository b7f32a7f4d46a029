// Makes the pictures of the README and of the guide: node test/pictures.mjs
import { fileURLToPath } from "node:url";
import {
  closeBrowser, eventually, openFile, openPage, startStudio, waitForDiagram,
} from "./studio.mjs";

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const studio = await startStudio({ examples: ["pendulum"] });

async function run(page) {
  await page.keyboard.press("F5");
  await eventually(() => page.locator(".progress").getAttribute("data-state"),
    (state) => state === "completed", 20000);
}

const light = await openPage(studio, { width: 1440, height: 860 });
await openFile(light.page, "Circuit.mo");
await waitForDiagram(light.page);
await run(light.page);
await light.page.getByRole("button", { name: "Move this tab to a split" }).nth(1).click();
await light.page.keyboard.press("Control+j");
await light.page.keyboard.press("Control+i");
await light.page.waitForTimeout(800);
await light.page.screenshot({ path: `${images}studio_light.png` });
await light.context.close();

const dark = await openPage(studio, { width: 1440, height: 860, dark: true });
await openFile(dark.page, "pendulum/pendulum.mo");
await dark.page.getByRole("button", { name: "Set a parameter for this run only" }).click();
await dark.page.getByLabel("Name of a parameter").fill("length");
await dark.page.getByLabel("Value of length").fill("0.5:0.05:3");
await run(dark.page);
await dark.page.locator(".experiment-list button", { hasText: "sweep" }).first().click();
await dark.page.waitForSelector(".table-row");
await dark.page.waitForTimeout(800);
await dark.page.screenshot({ path: `${images}studio_dark.png` });
await dark.context.close();

await closeBrowser();
await studio.stop();
