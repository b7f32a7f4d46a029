// Models that never end, crash or need trust: the page lives on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { execFileSync } from "node:child_process";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  closeBrowser, eventually, openFile, openModel, openPage, putCaret, runToEnd, startStudio,
} from "./studio.mjs";

// Each constant takes some hundredths of a second, all together minutes.
const constants = Array.from({ length: 400 }, (_, i) => `c${i}`);
const slow = `model Slow
  function count
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y < 200000 loop
      y := y + 1;
    end while;
  end count;
  constant Boolean all = true;
${constants.map((name, i) =>
    `  constant Real ${name} = if all then count(${i}) else 1;`).join("\n")}
  Real x(start = 1, fixed = true);
  Real free;
equation
  der(x) = -x*(${constants.join(" + ")});
end Slow;
`;

const external = (name, body) => `model ${name}
  function peek
    input Real u;
    output Real y;
    external "C" y = peek(u)
      annotation(Include = "static double peek(double u) { ${body} }");
  end peek;
  Real x(start = 0, fixed = true);
  Real y = peek(time);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end ${name};
`;

let studio;
before(async () => {
  studio = await startStudio({ examples: ["pendulum"], files: {
    "Slow.mo": slow,
    "Null.mo": external("Null", "return u < 0.5 ? u : *(volatile double*)0;"),
    "Twice.mo": external("Twice", "return 2*u;"),
    "Endless.mo": "model Endless\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x + sin(1e3*time);\n  annotation(experiment(StopTime = 1e5, Interval = 1));\nend Endless;\n",
    program: "#!/bin/sh\ntouch program_ran\n",
    "plugin.c": "#include <stdio.h>\n__attribute__((constructor)) static void run(void) {\n  fclose(fopen(\"plugin_ran\", \"w\"));\n}\n",
    "day.json": "{\"activities\": [{\"type\": \"Drive\", \"start\": \"1 h\"}]}\n",
  } });
  await chmod(join(studio.folder, "program"), 0o755);
  execFileSync("cc", ["-shared", "-fPIC", "-o", "plugin.so", "plugin.c"], { cwd: studio.folder });
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

function state(page) {
  return page.locator(".progress").getAttribute("data-state");
}

const has = (name) => existsSync(join(studio.folder, name));

/** The processes that a program has started, as [pid, command]. */
async function childrenOf(pid) {
  const found = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent !== pid) continue;
    const words = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    found.push([Number(entry), words.replaceAll("\0", " ")]);
  }
  return found;
}

test("scenario 21: a run whose compilation does not end is stopped", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Slow.mo", "Slow");
  await page.keyboard.press("F5");
  await page.locator(".progress", { hasText: "compiling" }).waitFor();
  await page.keyboard.press("Shift+F5");
  await eventually(() => state(page), (now) => now === "stopped", 10000);
  const left = await childrenOf(studio.pid());
  assert.deepEqual(left.filter(([, words]) => words.includes("Slow.mo")), []);
  await context.close();
});

test("scenario 21: while a check does not end, the next keystroke checks again", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Slow.mo", "Slow");
  const problems = page.locator(".problems");
  const line = page.locator(".cm-line", { hasText: "constant Boolean all = true;" });
  await line.dblclick({ position: { x: 4, y: 8 } });
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < 4; ++i) await page.keyboard.press("Backspace");
  await page.keyboard.type("false");
  // Found by a check of the whole model only: no equation determines it.
  await problems.getByText("free").first().waitFor();
  for (let i = 0; i < 5; ++i) await page.keyboard.press("Backspace");
  await page.keyboard.type("true");
  await page.locator(".cm-line", { hasText: "constant Boolean all = true;" }).waitFor();
  await page.keyboard.press("Control+End");
  await page.locator(".cm-line", { hasText: "Real free;" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Real 3;");
  await problems.locator("li", { hasText: "Slow.mo:" }).first().waitFor();
  await context.close();
});

test("scenario 23: a program of an untrusted folder is not run before it is trusted", async () => {
  const { page, context } = await openPage(studio);
  await openFile(page, "program");
  await page.locator(".run-model", { hasText: "program" }).waitFor();
  const dialog = page.getByRole("dialog", { name: "Trust this folder" });
  await page.keyboard.press("F5");
  await dialog.getByText("program is a program").waitFor();
  assert.match(await dialog.innerText(), new RegExp(studio.folder));
  await dialog.getByRole("button", { name: "Do not run it" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(has("program_ran"), false);
  // The plug-in of a plan is not loaded, either.
  await page.getByRole("button", { name: "Plan" }).click();
  await page.getByRole("button", { name: "day.json" }).click();
  await page.locator(".plan-head select").selectOption("plugin.so");
  await page.getByRole("button", { name: "Carry out" }).click();
  await dialog.getByText("plugin.so is a program").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(has("plugin_ran"), false);
  await context.close();
});

test("scenario 23: external functions and plug-ins run once their folder is trusted", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Twice.mo", "Twice");
  assert.equal(await runToEnd(page), "failed");
  const problems = page.locator(".problems");
  await problems.getByText("cannot call the external function 'peek'").first().waitFor();
  await problems.getByRole("button", { name: "Trust this folder…" }).click();
  const dialog = page.getByRole("dialog", { name: "Trust this folder" });
  await dialog.getByRole("button", { name: "Trust this folder" }).click();
  await page.getByText("This folder is trusted; run it again").waitFor();
  assert.equal(await runToEnd(page), "completed");
  assert.equal(await problems.getByRole("button", { name: "Trust this folder…" }).count(), 0);
  await page.getByRole("button", { name: "Plan" }).click();
  await page.getByRole("button", { name: "day.json" }).click();
  await page.locator(".plan-head select").selectOption("plugin.so");
  await page.getByRole("button", { name: "Carry out" }).click();
  await eventually(() => has("plugin_ran"), Boolean, 10000);
  await context.close();
});

test("scenario 22: a crash in an external function leaves the page and the curves", async () => {
  const { page, context, errors } = await openPage(studio);
  await openModel(page, "Null.mo", "Null");
  assert.equal(await runToEnd(page), "failed");
  await page.locator(".problems").getByText(/at t = 0\.5 s.*Segmentation fault/).first().waitFor();
  // Its curve is there up to the crash.
  await page.locator(".u-over").first().waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"),
    page.getByRole("button", { name: "csv" }).click()]);
  const rows = (await readFile(await file.path(), "utf8")).trim().split("\n");
  const last = Number(rows.at(-1).split(",")[1]);
  assert.ok(last > 0.45 && last < 0.5, rows.at(-1));
  assert.ok(rows.length > 100, `${rows.length} rows`);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  assert.equal(await runToEnd(page), "completed");
  assert.deepEqual(errors, []);
  await context.close();
});

test("scenario 22: a run whose process dies says by what, and keeps its curves", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "Endless.mo", "Endless");
  await page.keyboard.press("F5");
  await eventually(() => state(page), (now) => now === "running");
  await page.locator(".u-over").first().waitFor();
  const [run] = await eventually(async () => (await childrenOf(studio.pid()))
    .filter(([, words]) => words.includes("Endless.mo")), (found) => found.length === 1);
  process.kill(run[0], "SIGSEGV");
  await eventually(() => state(page), (now) => now === "interrupted");
  await page.locator(".bar.bad", { hasText: /SIGSEGV ended the run at t = \d/ }).waitFor();
  await page.locator(".legend").getByText("x", { exact: true }).waitFor();
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  assert.equal(await runToEnd(page), "completed");
  await context.close();
});

test("scenario 40: a language server that is killed goes on with what was typed", async () => {
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  await page.locator(".react-flow__node-background, .sheet-hint").first().waitFor();
  const servers = async () => (await childrenOf(studio.pid()))
    .filter(([, words]) => words.includes("orrery-lsp")).map(([pid]) => pid);
  const [before] = await servers();
  process.kill(before, "SIGKILL");
  await putCaret(page, "equation", "equation".length);
  await page.keyboard.type(" Real");
  await page.locator(".problems li", { hasText: "pendulum.mo:" }).first().waitFor();
  const [after] = await eventually(servers, (found) => found.length === 1);
  assert.notEqual(after, before);
  await page.keyboard.press("Control+z");
  await page.locator(".problems li", { hasText: "pendulum.mo:" }).first()
    .waitFor({ state: "detached" });
  await context.close();
});
