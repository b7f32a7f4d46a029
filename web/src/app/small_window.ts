// Windows that are small, as that of a page at 200 %, leave their room to the centre.
import { layout } from "../state/layout";

/** Hides a pane while the window fits a query; it comes back unless it was opened. */
function hideWhile(query: string, pane: "inspector" | "drawer"): void {
  const window_is_small = window.matchMedia(query);
  let has_hidden = false;
  const look = () => {
    const { matches } = window_is_small;
    if (matches && layout.get()[pane]) {
      has_hidden = true;
      layout.set({ [pane]: false });
    } else if (!matches && has_hidden) {
      has_hidden = false;
      layout.set({ [pane]: true });
    }
  };
  window_is_small.addEventListener("change", look);
  look();
}

/** To be called once. The same bounds are in style/small.css. */
export function followWindow(): void {
  hideWhile("(max-width: 900px)", "inspector");
  hideWhile("(max-height: 480px)", "drawer");
}
