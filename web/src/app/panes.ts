// The keyboard's way from pane to pane.

const panes = ".sidebar, .group, .inspector, .run-bar, .drawer";

/** What of a pane takes the keyboard: its text or sheet, else the first that can. */
const targets = [
  ".cm-content", ".sheet", ".virtual-list",
  "input, select, button:not([tabindex='-1']), [tabindex='0']",
];

function targetOf(pane: Element): HTMLElement | null {
  for (const selector of targets) {
    const found = [...pane.querySelectorAll<HTMLElement>(selector)]
      .find((element) => element.offsetParent !== null);
    if (found) return found;
  }
  return null;
}

/** Puts the keyboard into the next pane, or the one before. */
export function focusPane(by: 1 | -1): void {
  const all = [...document.querySelectorAll(panes)];
  const at = all.findIndex((pane) => pane.contains(document.activeElement));
  for (let step = 1; step <= all.length; ++step) {
    const index = at < 0 && by < 0 ? all.length - step : at + by * step;
    const pane = all[(index + all.length) % all.length];
    const target = pane && targetOf(pane);
    if (!target) continue;
    target.focus();
    return;
  }
}

/** Puts the keyboard into the text or the sheet that the active tab of a group shows. */
export function focusGroup(group: number): void {
  // The tab is drawn by then.
  requestAnimationFrame(() => {
    const pane = document.querySelectorAll(".group")[group];
    (pane && targetOf(pane))?.focus();
  });
}
