// Start, memory and what survives a crash.
import { gzipSync } from "node:zlib";
import { readdir, readFile } from "node:fs/promises";
import { addPlugins, trustFolder } from "../plugins.mjs";
import {
  eventually, openFile, openModel, openPage, putCaret, startStudio,
} from "../studio.mjs";
import { keyUntil, memoryOf, timed } from "./measure.mjs";

/** Notes when the first line of the library, and the first component, are there. */
function noteFirsts() {
  window.firsts = {};
  const look = () => {
    for (const [name, selector] of [["list", ".tree-row"], ["part", ".react-flow__node-part"]]) {
      if (!window.firsts[name] && document.querySelector(selector)) {
        window.firsts[name] = performance.now();
      }
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
}

/** What the page has loaded until it is drawn, as gzip packs it. */
async function packedSize(page, context) {
  const assets = await page.evaluate(() => performance.getEntriesByType("resource")
    .map((entry) => entry.name).filter((name) => name.includes("/assets/")));
  let bytes = 0;
  for (const asset of assets) {
    const answer = await context.request.get(asset);
    // A page that is served by --page is not packed; the one built in is.
    bytes += gzipSync(await answer.body()).length;
  }
  return bytes;
}

export async function measureStart({ tell }) {
  let studio;
  tell("start until the port is open", await timed(async () => {
    studio = await startStudio({ examples: ["pendulum"] });
  }), "ms", 150);
  const { page, context, errors } = await openPage(studio);
  const first = await packedSize(page, context);
  tell("first load, packed", first / 1000, "kB", 400, first < 400_000);
  await openModel(page, "Circuit.mo", "Circuit");
  await page.waitForSelector(".react-flow__node-part");
  // A page of its own, which shows what was open: its address is typed into a new tab.
  await page.addInitScript(noteFirsts);
  await page.reload();
  await page.waitForSelector(".react-flow__node-part");
  const { list, part } = await page.evaluate(() => window.firsts);
  tell("page until the library is listed", list, "ms", 1000);
  tell("page until the diagram that was open is drawn", part, "ms", 1000, errors.length === 0);
  await context.close();
  await studio.stop();
}

/** The child of a process that is a program, and has `word` in its command. */
async function childOf(pid, program, word = "") {
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    const words = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === pid && words.split("\0")[0].endsWith(program) && words.includes(word)) {
      return Number(entry);
    }
  }
  return NaN;
}

export async function measureCrashes({ tell }) {
  const studio = await startStudio();
  const { page, context } = await openPage(studio);
  await openModel(page, "Circuit.mo", "Circuit");
  await page.waitForSelector(".react-flow__node-part");
  const child = await childOf(studio.pid(), "orrery-lsp");
  await putCaret(page, "Parts.Ground", 0);
  const began = performance.now();
  process.kill(child, "SIGKILL");
  await page.keyboard.type("3 ");
  await page.locator(".problems li", { hasText: "Circuit.mo:" }).first().waitFor();
  const took = performance.now() - began;
  const next = await childOf(studio.pid(), "orrery-lsp");
  tell("language server killed until an error is told", took, "ms", 1000,
    next > 0 && next !== child);
  await page.keyboard.press("Control+z");
  await page.locator(".problems li", { hasText: "Circuit.mo:" }).first()
    .waitFor({ state: "detached" });
  await context.close();
  await studio.stop();
}

const endless = `model Endless
  Real x(start = 1, fixed = true);
equation
  der(x) = -x + sin(1e3*time);
  annotation(experiment(StopTime = 1e5, Interval = 1));
end Endless;
`;

/** A run whose process dies: the page lives, and says so with what there is of it. */
export async function measureRunCrash({ tell }) {
  const studio = await startStudio({ files: { "Endless.mo": endless } });
  const { page, context } = await openPage(studio);
  await openModel(page, "Endless.mo", "Endless");
  await page.keyboard.press("F5");
  await page.locator(".legend").getByText("x", { exact: true }).waitFor();
  const run = await childOf(studio.pid(), "orrery", "Endless.mo");
  const took = await timed(async () => {
    process.kill(run, "SIGSEGV");
    await page.locator(".bar.bad", { hasText: "SIGSEGV ended the run" }).waitFor();
  });
  const lives = await page.locator(".legend").getByText("x", { exact: true }).count();
  tell("run killed until the page says by what", took, "ms", 1000, lives === 1);
  await context.close();
  await studio.stop();
}

const day = new URL("../../../examples/rover/day.json", import.meta.url);

/** A change of a plan: from its first key until it was carried out again from a snapshot. */
export async function measurePlan({ tell }) {
  const studio = await startStudio({ files: { "day.json": await readFile(day, "utf8") } });
  await addPlugins(studio, "rover");
  const { page, context } = await openPage(studio);
  await trustFolder(page);
  await openFile(page, "day.json");
  await page.locator(".plan-state", { hasText: "carried out from the start" }).waitFor();
  // Before the unit of `"start": "17 h",` at the end of its line.
  await page.locator(".cm-line", { hasText: '"id": "evening"' }).click({ position: { x: 8, y: 8 } });
  await page.keyboard.press("End");
  for (let i = 0; i < 4; ++i) await page.keyboard.press("ArrowLeft");
  const took = await keyUntil(page, () => page.keyboard.type(".5"), () =>
    /^carried out from \d+:\d\d on/.test(document.querySelector(".plan-state")?.textContent));
  const bars = await page.locator(".gantt .only-read li").allInnerTexts();
  tell("change of a plan until it is carried out again", took, "ms", 1000,
    bars.some((text) => text.startsWith("evening,") && text.includes("from 63000 s")));
  await context.close();
  await studio.stop();
}

/** The heap of the page after all that is not used was given back, in MB. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1e6;
}

/** Types, undoes and runs, again and again. */
async function work(page, rounds) {
  for (let i = 0; i < rounds; ++i) {
    await putCaret(page, "model Circuit", 6);
    await page.keyboard.type("typed ");
    await page.keyboard.press("Control+z");
    const [answer] = await Promise.all([
      page.waitForResponse((a) => a.url().endsWith("/api/runs")),
      page.keyboard.press("F5"),
    ]);
    const { id } = await answer.json();
    await eventually(() => page.evaluate((run) => fetch(`/api/runs/${run}`,
      { headers: { "X-Orrery": "1" } }).then((a) => a.json()), id),
    (run) => run.state === "completed");
  }
}

export async function measureMemory({ tell, smoke }) {
  const studio = await startStudio();
  tell("memory of the server, idle", await memoryOf(studio.pid()), "MB", 40);
  const { page, context } = await openPage(studio);
  await openModel(page, "Circuit.mo", "Circuit");
  const child = await childOf(studio.pid(), "orrery-lsp");
  tell("memory of the language server with its libraries", await memoryOf(child), "MB", 200);
  const rounds = smoke ? 2 : 25;
  await work(page, rounds);
  const early = await heapOf(page);
  await work(page, smoke ? 2 : 3 * rounds);
  const late = await heapOf(page);
  tell(`memory of the page after ${smoke ? 4 : 4 * rounds} runs`, late, "MB", 300, late < 300);
  tell("memory of the page, growth by three quarters of them", late - early, "MB", 20,
    late - early < 20);
  await context.close();
  await studio.stop();
}
