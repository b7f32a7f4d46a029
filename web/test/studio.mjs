// A studio on a folder of its own, and its page in Chromium, for tests.
import { execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
export const programs = process.env.ORRERY_BIN ?? join(root, "build/release/bin");
/** On a busy machine all waits may be longer: ORRERY_PATIENCE times. */
const patience = Number(process.env.ORRERY_PATIENCE ?? 1);
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

/** Starts the program; answers its process, and the address that it prints. */
async function launch(folder, env, args, before = []) {
  const [program, ...words] = [...before, join(programs, "orrery-studio"), folder,
    "--no-browser", "--page", join(root, "web/dist"), ...args];
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the studio ended with code ${code}`)));
  });
  return { child, url };
}

function ended(child, signal) {
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return over;
}

/**
 * Starts a studio on a copy of the test models and of what `examples` names, with
 * `variables` in its environment; `before` answers the words that start its command.
 */
export async function startStudio(
  { examples = [], files = {}, variables = {}, before = () => [] } = {},
) {
  const base = await mkdtemp(join(tmpdir(), "orrery-studio-"));
  const folder = join(base, "models");
  await cp(join(here, "models"), folder, { recursive: true });
  for (const example of examples) {
    await cp(join(root, "examples", example), join(folder, example), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const program = join(programs, "orrery-studio");
  const env = {
    ...process.env, XDG_RUNTIME_DIR: base, XDG_STATE_HOME: join(base, "state"),
    XDG_CACHE_HOME: join(base, "cache"), XDG_CONFIG_HOME: join(base, "config"),
    ...variables,
  };
  let { child, url } = await launch(folder, env, [], before(folder));
  return {
    folder, base, env,
    /** The process of the studio. */
    pid: () => child.pid,
    /** An address of the page, good for one browser. */
    newUrl: () => execFileSync(program, [folder, "--url"], { env, encoding: "utf8" }).trim(),
    origin: new URL(url).origin,
    read: (name) => readFile(join(folder, name), "utf8"),
    // At once, as editors do: no reader sees half of a text.
    async write(name, text) {
      await writeFile(join(base, "next"), text);
      await rename(join(base, "next"), join(folder, name));
    },
    /** Ends the studio by force, and starts another one at its port. */
    async restart(between = () => undefined) {
      await ended(child, "SIGKILL");
      await between();
      ({ child, url } = await launch(folder, env, ["--port", new URL(url).port]));
      return url;
    },
    async stop() {
      await ended(child, "SIGTERM");
      await rm(base, { recursive: true, force: true });
    },
  };
}

let browser;

/**
 * Has a page leave its files, as it does when its tab is closed: the context of a test
 * ends by force, and what its pages send then may be lost.
 */
function leaveFiles(page) {
  return page.evaluate(async () => {
    window.dispatchEvent(new Event("pagehide"));
    await fetch("/api/session");
  }).catch(() => undefined);
}

/** Opens the page of a studio; what its console says of errors is kept. */
export async function openPage(studio, { width = 1280, height = 720, dark = false } = {}) {
  browser ??= await chromium.launch({
    executablePath: browserPath, args: ["--no-sandbox"],
  });
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light",
    acceptDownloads: true,
  });
  context.setDefaultTimeout(15000 * patience);
  const close = context.close.bind(context);
  context.close = async () => {
    await Promise.all(context.pages().map(leaveFiles));
    await close();
  };
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(studio.newUrl());
  await page.waitForSelector(".tree-row");
  return { page, context, errors };
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** Opens a file of the folder, its sub-folders first. */
export async function openFile(page, path) {
  await page.keyboard.press("Control+p");
  await page.locator(".palette-field").fill(path);
  await page.locator(".palette-list li").filter({ hasText: path }).first().click();
  await page.locator(`.tab[data-active=true] [title="${path}"]`).first().waitFor();
  await page.waitForSelector(".editor-host[data-ready=true] .cm-content");
}

/** Opens a file, and waits until a model of it is the one that F5 runs. */
export async function openModel(page, path, name) {
  await openFile(page, path);
  await page.locator(".run-model", { hasText: new RegExp(`^${name}$`) }).waitFor();
}

/** A component of the diagram that is shown. */
export function part(page, name) {
  return page.locator(`.react-flow__node[data-id="${name}"]`);
}

/** The handle of a port. */
export function port(page, partName, portName) {
  return part(page, partName).locator(`.port[data-handleid="${portName}"]`);
}

export async function waitForDiagram(page) {
  await page.waitForSelector(".react-flow__node-part");
}

/** The place and size of an element: what is being drawn anew has none for a moment. */
export const boxOf = (locator) =>
  eventually(() => locator.boundingBox(), (box) => box !== null);

async function middle(locator) {
  const box = await boxOf(locator);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Drags by the mouse, in steps as a hand does. */
export async function dragBetween(page, from, to, steps = 8) {
  const [x, y] = Array.isArray(from) ? from : await middle(from);
  const [u, v] = Array.isArray(to) ? to : await middle(to);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + u) / 2, (y + v) / 2, { steps });
  await page.mouse.move(u, v, { steps });
  await page.mouse.up();
}

/** Puts the caret into a shown text, `at` letters behind where `text` begins. */
export async function putCaret(page, text, at = 0) {
  const line = page.locator(".cm-line", { hasText: text }).first();
  const [x, y] = await line.evaluate((element, [wanted, behind]) => {
    let rest = element.textContent.indexOf(wanted) + behind;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    for (; node.length < rest; node = walker.nextNode()) rest -= node.length;
    node.parentElement.scrollIntoView({ block: "nearest", inline: "nearest" });
    const letter = document.createRange();
    letter.setStart(node, Math.min(rest, node.length - 1));
    letter.setEnd(node, Math.min(rest, node.length - 1) + 1);
    // The line numbers lie over what is scrolled to the left.
    const scroller = element.closest(".cm-scroller");
    const numbers = scroller.querySelector(".cm-gutters").getBoundingClientRect();
    const covered = numbers.right + 2 - letter.getBoundingClientRect().left;
    if (covered > 0) scroller.scrollLeft -= covered;
    const { left, right, top, bottom } = letter.getBoundingClientRect();
    return [rest < node.length ? left + 0.5 : right - 0.5, (top + bottom) / 2];
  }, [text, at]);
  await page.mouse.click(x, y);
}

/** Saves the document in use and waits until it is on disk. */
export async function save(page) {
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => !document.querySelector(".tab .dot"));
}

/** Waits until `read` gives what `expected` says, for at most `ms`. */
export async function eventually(read, expected, ms = 10000) {
  const end = Date.now() + ms * patience;
  for (;;) {
    const found = await read();
    if (expected(found)) return found;
    if (Date.now() > end) throw new Error(`after ${ms} ms: ${String(found).slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What the studio answers to a question of the page. */
export async function askStudio(page, path) {
  const answer = await page.request.get(new URL(path, page.url()).href,
    { headers: { "X-Orrery": "1" } });
  return answer.json();
}

/** What the language service answers to a question of the page. */
export async function askLanguage(page, method, params) {
  const answer = await page.request.post(new URL("/api/lsp", page.url()).href, {
    headers: { "X-Orrery": "1" }, data: { jsonrpc: "2.0", id: "test", method, params },
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Starts a run by F5, waits until the page shows its end, and answers how it ended. */
export async function runToEnd(page, ms = 20000) {
  const [answer] = await Promise.all([
    page.waitForResponse((a) => a.url().endsWith("/api/runs") && a.request().method() === "POST"),
    page.keyboard.press("F5"),
  ]);
  const { id } = await answer.json();
  const { state } = await eventually(() => askStudio(page, `/api/runs/${id}`),
    (run) => !["waiting", "running", "paused"].includes(run.state), ms);
  await page.locator(`.progress[data-state="${state}"]`).waitFor();
  return state;
}
