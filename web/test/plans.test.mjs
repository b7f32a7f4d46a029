// Plans: their timeline, what is wrong with them, and runs from a snapshot.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { addPlugins, trustFolder } from "./plugins.mjs";
import {
  boxOf, closeBrowser, dragBetween, eventually, openFile, openPage, save, startStudio,
} from "./studio.mjs";

const day = await readFile(new URL("../../examples/rover/day.json", import.meta.url), "utf8");

let studio;
before(async () => {
  studio = await startStudio({ files: {
    "day.json": day,
    "short.json": `{
  "stop": "24 h",
  "activities": [
    {"id": "long", "type": "Drive", "start": "7 h"},
    {"id": "blink", "type": "Heat", "start": "17 h", "arguments": {"time": "500 ns"}}
  ]
}
`,
  } });
  await addPlugins(studio, "rover");
});
after(async () => {
  await closeBrowser();
  await studio?.stop();
});

/** Opens a plan whose model is the only one of the folder. */
async function openPlan(file) {
  const { page, context, errors } = await openPage(studio);
  await trustFolder(page);
  await openFile(page, file);
  await page.waitForSelector(".gantt canvas");
  return { page, context, errors };
}

function stateText(page) {
  return page.locator(".plan-state").innerText();
}

function bars(page) {
  return page.locator(".gantt .only-read li").allInnerTexts();
}

/** The middle of an activity's bar on the screen, by the range that is shown. */
async function middleOfBar(page, id) {
  const texts = await bars(page);
  const row = texts.findIndex((text) => text.startsWith(`${id},`));
  const times = texts.map((text) => /from (\S+) s to (\S+) s/.exec(text))
    .map((found) => [Number(found[1]), Number(found[2])]);
  const least = Math.min(...times.map(([begin]) => begin));
  const most = Math.max(...times.map(([, end]) => end));
  const room = (most - least) * 0.03;
  const box = await boxOf(page.locator(".gantt"));
  const inner = box.width - 168 - 12;
  const at = (time) => box.x + 168 + ((time - least + room) / (most - least + 2 * room)) * inner;
  const [begin, end] = times[row];
  return [(at(begin) + at(end)) / 2, box.y + 24 + row * 26 + 13];
}

test("a plan that is opened is carried out by the model of the folder", async () => {
  const { page, context, errors } = await openPlan("day.json");
  await eventually(() => stateText(page), (text) => /carried out from the start/.test(text));
  const texts = await bars(page);
  assert.equal(texts.length, 10);
  // By hand: 60 m take 960 s from 7 h on.
  assert.ok(texts.some((text) => /^out, Drive, from 25200 s to 26160 s$/.test(text)), texts.join("\n"));
  assert.match(await page.locator(".bands").innerText(), /charge/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("scenario 35: a dragged bar changes one number, and only the evening is run again", async () => {
  const { page, context } = await openPlan("day.json");
  await eventually(() => stateText(page), (text) => /carried out/.test(text));
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/plan"));
  const [x, y] = await middleOfBar(page, "evening");
  await dragBetween(page, [x, y], [x + 60, y]);
  const answer = await (await answered).json();
  await eventually(() => stateText(page), (text) => /carried out from \d+:\d\d on/.test(text));
  assert.ok(answer.resumed_at > 12 * 3600, `resumed at ${answer.resumed_at}`);
  await save(page);
  const saved = await studio.read("day.json");
  const at = [...saved].findIndex((letter, i) => letter !== day[i]);
  const [, number] = /"start": "(\S+) h",\n {5}"arguments": \{"window"/.exec(saved);
  assert.equal(saved, day.replace('"17 h"', `"${number} h"`));
  assert.notEqual(number, "17");
  assert.ok(at > 0);
  const begin = `from ${Number(number) * 3600} s`;
  assert.ok((await bars(page)).some((text) => text.startsWith("evening") && text.includes(begin)));
  // Nothing was run that is kept: there is no store yet.
  await assert.rejects(studio.read("orrery.db"));
  await context.close();
});

test("one undo takes a drag back, and the plan is carried out as before", async () => {
  const { page, context } = await openPlan("day.json");
  await eventually(() => stateText(page), (text) => /carried out/.test(text));
  const old = await bars(page);
  const [x, y] = await middleOfBar(page, "night");
  await dragBetween(page, [x, y], [x - 80, y]);
  await eventually(() => bars(page), (now) => now.join() !== old.join());
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+z");
  await eventually(() => bars(page), (now) => now.join() === old.join());
  await context.close();
});

test("scenario 36: a problem of the plan stands at its bar and leads to its text", async () => {
  const { page, context } = await openPlan("day.json");
  await eventually(() => stateText(page), (text) => /carried out/.test(text));
  const typed = page.locator(".cm-line", { hasText: '"id": "out"' });
  await typed.click();
  // "Drive" of the first drive becomes "Driv".
  await page.keyboard.press("End");
  for (let i = 0; i < '", "start": "7 h"},'.length; ++i) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  const mark = page.locator(".bar-problem");
  await mark.waitFor();
  assert.match(await mark.innerText(), /Driv'.*mean 'Drive'/);
  const row = (await bars(page)).findIndex((text) => text.startsWith("out,"));
  const box = await boxOf(mark);
  const gantt = await boxOf(page.locator(".gantt"));
  assert.equal(Math.floor((box.y - gantt.y - 24) / 26), row);
  assert.match(await page.locator(".plan-head").innerText(), /This plan has errors/);
  await mark.click();
  await page.waitForFunction(() =>
    document.querySelector(".cm-activeLine")?.textContent.includes('"id": "out"'));
  await context.close();
});

test("an activity that never begins says why at the end of the run", async () => {
  await studio.write("day.json", day.replace(
    '{"id": "rest", "type": "Charge", "after": "on"}',
    '{"id": "rest", "type": "Charge", "after": "on", "arguments": {"level": 99999}}'));
  const { page, context } = await openPlan("day.json");
  await eventually(() => stateText(page), (text) => /carried out/.test(text));
  const late = page.locator(".bar-problem", { hasText: "rest" });
  await late.waitFor();
  const texts = await bars(page);
  assert.ok(texts.some((text) => text.startsWith("look,") && text.includes("rest")), texts.join("\n"));
  await context.close();
});

test("scenario 36: a typed start and end show a microsecond", async () => {
  const { page, context } = await openPlan("short.json");
  await eventually(() => stateText(page), (text) => /carried out/.test(text));
  const field = page.getByLabel("Part of time to show");
  await field.fill("61200 s to 61200.000001 s");
  await field.press("Enter");
  // The bar of 500 ns fills the first half of the chart, nothing the other one.
  const colored = () => page.evaluate(() => {
    const canvas = document.querySelector(".gantt canvas");
    const scale = canvas.width / canvas.clientWidth;
    const y = Math.round((24 + 26 + 9) * scale);
    const inner = canvas.clientWidth - 168 - 12;
    const at = (part) => {
      const x = Math.round((168 + part * inner) * scale);
      return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data].join();
    };
    return [at(0.25), at(0.45), at(0.55), at(0.75)];
  });
  await eventually(colored, ([a, b, c, d]) => a === b && c === d && a !== c, 5000);
  assert.ok((await bars(page)).some((text) =>
    text.startsWith("blink, Heat, from 61200 s to 61200.0000005 s")));
  await context.close();
});

test("an untrusted folder carries nothing out by itself", async () => {
  const { page, context } = await openPage(studio);
  await page.evaluate(async () => {
    await fetch("/api/trust", {
      method: "PUT", headers: { "X-Orrery": "1", "Content-Type": "application/json" },
      body: '{"trusted": false}',
    });
  });
  await page.reload();
  await page.waitForSelector(".tree-row");
  await openFile(page, "short.json");
  await page.getByText("Carry out asks whether you trust this folder.").waitFor();
  await page.getByRole("button", { name: "Carry out" }).click();
  await page.getByRole("dialog").waitFor();
  await context.close();
});
