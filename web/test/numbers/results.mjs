// Runs, and results of any size.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  askStudio, eventually, openModel, openPage, programs, runToEnd, startStudio,
} from "../studio.mjs";
import { wide } from "../wide_model.mjs";
import { frames, keyUntil, p95, requests, timed } from "./measure.mjs";

const endless = `model Endless
  Real x(start = 1, fixed = true);
equation
  der(x) = -x + sin(1e3*time);
  annotation(experiment(StopTime = 1e5, Interval = 1));
end Endless;
`;

const rows = (count) => `model Rows
  Real x(start = 0, fixed = true);
${Array.from({ length: 15 }, (_, i) => `  Real y${i} = sin((${i} + 1)*1e3*time);`).join("\n")}
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1, Interval = ${1 / count}));
end Rows;
`;

const quick = `model Quick
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 0.01));
end Quick;
`;

/** Carries out a command in the folder of a studio. */
function command(studio, ...words) {
  execFileSync(join(programs, "orrery"), [...words, "--quiet"],
    { cwd: studio.folder, env: studio.env, stdio: ["ignore", "ignore", "inherit"] });
}

const curve = () => document.querySelector(".u-over") !== null;
const inState = (state) => document.querySelector(".progress")?.dataset.state === state;

export async function measureRuns({ tell }) {
  const studio = await startStudio({ examples: ["pendulum"], files: { "Endless.mo": endless } });
  const { page, context } = await openPage(studio);
  await openModel(page, "pendulum/pendulum.mo", "Pendulum");
  tell("F5 until the first curve of the pendulum",
    await keyUntil(page, () => page.keyboard.press("F5"), curve), "ms", 300);
  await page.locator('.progress[data-state="completed"]').waitFor();
  await openModel(page, "Endless.mo", "Endless");
  await page.keyboard.press("F5");
  await page.locator('.progress[data-state="running"]').waitFor();
  await page.locator(".legend-name", { hasText: /^x/ }).first().waitFor();
  tell("Shift+F5 until the run has stopped",
    await keyUntil(page, () => page.keyboard.press("Shift+F5"), inState, "stopped"), "ms", 200);
  // Messages of a run are thinned on the way: its bar changes ten times a second.
  await page.keyboard.press("F5");
  await page.locator('.progress[data-state="running"]').waitFor();
  await page.evaluate(() => new Promise((resolve) => {
    let changes = 0;
    const end = performance.now() + 2000;
    const seen = new MutationObserver((list) => { changes += list.length; });
    seen.observe(document.querySelector(".progress"),
      { subtree: true, childList: true, characterData: true, attributes: true });
    const wait = () => {
      if (performance.now() < end) requestAnimationFrame(wait);
      else {
        window.news = changes / 2;
        resolve();
      }
    };
    wait();
  }));
  const changes = await page.evaluate(() => window.news);
  tell("changes that a run makes to its bar", changes, "1/s", 40, changes > 0 && changes <= 40);
  await page.keyboard.press("Shift+F5");
  await context.close();
  await studio.stop();
}

export async function measureZoom({ tell, smoke }) {
  const count = smoke ? 1e4 : 1e6;
  const studio = await startStudio({ files: { "Rows.mo": rows(count) } });
  command(studio, "run", "Rows.mo");
  const { page, context } = await openPage(studio);
  await openModel(page, "Rows.mo", "Rows");
  const sizes = [];
  page.on("response", async (answer) => {
    const body = answer.url().includes("/data?") && await answer.body().catch(() => null);
    if (body) sizes.push(body.length);
  });
  await page.getByRole("button", { name: "Results" }).click();
  await page.locator(".runs-list input").first().click();
  await page.locator(".u-over").first().waitFor();
  await eventually(() => sizes.length, (n) => n > 0);
  const { width } = await page.locator(".u-over").first().boundingBox();
  const names = ["x", ...Array.from({ length: 15 }, (_, i) => `y${i}`)];
  const path = (signals) => `/api/experiments/1/0/data?s=${signals.join(",")}&px=${Math.round(width)}`;
  const [first, again] = await requests(page, [path(names.slice(0, 4)), path(names.slice(0, 4))]);
  tell(`first window of ${count} rows, 4 curves`, first.ms, "ms", 300, first.ok);
  tell("the same window again", again.ms, "ms", 80, again.ok);
  // Each column of pixels has its first and last row, and the rows of the least and
  // greatest value of each of sixteen curves; a row has the time and sixteen values.
  const most = (width + 2) * (2 + 2 * 16) * 17 * 8;
  const [all] = await requests(page, [path(names)]);
  tell(`bytes of 16 curves of ${count} rows`, all.length / 1000, "kB", most / 1000,
    all.length < most);
  await page.locator(".u-over").first().hover();
  const zoom = await frames(page, async () => {
    for (let i = 0; i < (smoke ? 4 : 60); ++i) await page.mouse.wheel(0, i % 30 < 20 ? -80 : 80);
  });
  tell(`pictures while zooming into ${count} rows`, zoom.rate, "1/s", 55);
  const largest = Math.max(...sizes);
  tell("largest answer while zooming", largest / 1000, "kB", most / 1000, largest < most);
  await context.close();
  await studio.stop();
}

export async function measureSignals({ tell, smoke }) {
  const parts = smoke ? 10 : 1000;
  const studio = await startStudio({ files: { "Wide.mo": wide(parts) } });
  const { page, context } = await openPage(studio);
  await openModel(page, "Wide.mo", "Wide");
  await runToEnd(page, 60000);
  const [{ id }] = (await askStudio(page, "/api/experiments")).experiments;
  const base = `/api/experiments/${id}/0/signals`;
  const { total } = await askStudio(page, `${base}?q=*&limit=1`);
  const found = await requests(page, ["needle", "*.level[7]", "level[98]", "*[9]*", "k"]
    .map((word) => `${base}?q=${encodeURIComponent(word)}&limit=100`));
  tell(`search among ${total} signals, p95`, p95(found.map(({ ms }) => ms)), "ms", 50,
    total > 99 * parts && found.every(({ ok, length }) => ok && length > 100));
  await page.getByRole("button", { name: "Results" }).click();
  await page.getByLabel("Search the signals").fill("level");
  await page.locator(".signal", { hasText: "level" }).first().waitFor();
  const shown = await page.locator(".signal").count();
  tell("lines of signals in the page", shown, "lines", 200, shown > 0 && shown < 200);
  await context.close();
  await studio.stop();
}

export async function measureTable({ tell, smoke }) {
  const count = smoke ? 101 : 100_001;
  const studio = await startStudio({ files: { "Quick.mo": quick } });
  command(studio, "sweep", "Quick.mo", "--vary", `k=0:${100 / (count - 1)}:100`, "--keep", "x");
  const { page, context } = await openPage(studio);
  const base = "/api/experiments/1/runs?offset=0&limit=5000";
  await requests(page, [base]);
  const found = await requests(page, [`${base}&sort=-x`, `${base}&sort=k`, `${base}&sort=x`]);
  const { total } = await askStudio(page, `${base}&limit=1`);
  tell(`sort ${count} runs, p95`, p95(found.map(({ ms }) => ms)), "ms", 200,
    total === count && found.every(({ ok }) => ok));
  await page.getByRole("button", { name: "Experiments" }).click();
  await page.locator(".experiment-list button", { hasText: "sweep" }).first().click();
  await page.waitForSelector(".table-row");
  await page.locator(".table-row").nth(2).hover();
  const scroll = await frames(page, async () => {
    for (let i = 0; i < (smoke ? 4 : 90); ++i) await page.mouse.wheel(0, 400);
  });
  tell(`pictures while scrolling ${count} runs`, scroll.rate, "1/s", 60);
  const lines = await page.locator(".table-row").count();
  tell("lines of the table in the page", lines, "lines", 200, lines > 0 && lines < 200);
  await context.close();
  await studio.stop();
}
