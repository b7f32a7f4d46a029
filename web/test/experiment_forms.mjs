// Steps that scenarios of experiments share.
import { eventually, openModel } from "./studio.mjs";

/** Opens a model by its file, with the form of a kind of experiment beside it. */
export async function openForm(page, path, model, kind) {
  await openModel(page, path, model);
  const button = page.getByRole("button", { name: "New experiment" });
  if (await button.count() === 0) {
    await page.getByRole("button", { name: "Experiments", exact: true }).click();
  }
  await button.click();
  await page.getByRole("radio", { name: kind }).click();
}

/** Writes the lines of what varies: names and, where they are given, values. */
export async function vary(page, rows) {
  for (const [i, [name, value]] of rows.entries()) {
    if (i > 0) await page.getByRole("button", { name: "Another parameter" }).click();
    await page.getByLabel("Parameter", { exact: true }).nth(i).fill(name);
    if (value !== undefined) await page.getByLabel(`Values of ${name}`).fill(value);
  }
}

export async function measure(page, texts) {
  for (const [i, text] of texts.entries()) {
    await page.getByRole("button", { name: "Another measure" }).click();
    await page.getByLabel("Measure", { exact: true }).nth(i).fill(text);
  }
}

/** The button that starts what the form says. */
export function startButton(page) {
  return page.locator(".design-pane .form-end button");
}

export function choose(page, label, value) {
  return page.locator("label.small-field", { hasText: new RegExp(`^${label}`) })
    .locator("select").selectOption(value);
}

/** Waits until the experiment of the form has ended. */
export function waitForEnd(page, state = "completed", ms = 20000) {
  return eventually(() => page.locator(".live-table > .bar").first().innerText(),
    (text) => text.startsWith(state), ms);
}

/** What the server answers to the page. */
export function api(page, path) {
  return page.evaluate((asked) => fetch(asked, { headers: { "X-Orrery": "1" } })
    .then((answer) => answer.json()), path);
}

/** The id of the newest experiment. */
export async function newest(page) {
  const { experiments } = await api(page, "/api/experiments?limit=1");
  return experiments[0].id;
}

/** The cells of the rows of a table, as texts. */
export async function cells(table) {
  await table.locator("tbody tr").first().waitFor();
  return table.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
}
