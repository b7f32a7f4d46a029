// Parts that the measurements of the page share.
import { readFile } from "node:fs/promises";

/** The value below which a share of others is. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

export const p95 = (values) => percentile(values, 0.95);

/** Milliseconds that `work` takes. */
export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Runs in the page: notes how long after a key `holds(given)` is true. */
function waitInPage(holds, given) {
  window.measured = new Promise((resolve, reject) => {
    let began = 0;
    const seen = new MutationObserver(() => {
      if (!began || !holds(given)) return;
      seen.disconnect();
      resolve(performance.now() - began);
    });
    seen.observe(document.body, {
      subtree: true, childList: true, attributes: true, characterData: true,
    });
    window.addEventListener("keydown", () => { began ||= performance.now(); },
      { capture: true, once: true });
    setTimeout(() => reject(new Error("nothing came within 20 s")), 20000);
  });
  window.measured.catch(() => undefined);
}

/**
 * Milliseconds from the first key of `press` until a change of the page makes
 * `holds(given)` true, a function of the page: what the test takes is not in it.
 */
export async function keyUntil(page, press, holds, given = null) {
  await page.evaluate(`(${waitInPage})(${holds}, ${JSON.stringify(given)})`);
  await press();
  return page.evaluate(() => window.measured);
}

/** How many pictures a second the page draws while `work` goes on, and the longest wait. */
export async function frames(page, work) {
  await page.evaluate(() => {
    window.drawn = [];
    const draw = (at) => {
      window.drawn.push(at);
      window.drawing = requestAnimationFrame(draw);
    };
    window.drawing = requestAnimationFrame(draw);
  });
  await work();
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.drawing);
    return window.drawn;
  });
  const waits = times.slice(1).map((at, i) => at - times[i]);
  const sum = waits.reduce((a, b) => a + b, 0);
  return { rate: (1000 * waits.length) / sum, longest: Math.max(...waits) };
}

/** Milliseconds of requests of the page, one after the other. */
export function requests(page, paths) {
  return page.evaluate(async (list) => {
    const found = [];
    for (const path of list) {
      const began = performance.now();
      const answer = await fetch(path, { headers: { "X-Orrery": "1" } });
      const { length } = await answer.text();
      found.push({ ms: performance.now() - began, ok: answer.ok, length });
    }
    return found;
  }, paths);
}

/** A line of `/proc/PID/status` in MB: VmRSS is what a process keeps in memory. */
export async function memoryOf(pid, line = "VmRSS") {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(text)?.[1] ?? NaN) / 1000;
}
