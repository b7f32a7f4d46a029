// Classes that the user comes back to: favourites, and those that were used last.
// They are kept in the browser.
import type { ClassItem } from "../api/types";
import { createStore, recall, remember } from "../state/store";

export interface UsualClasses {
  favourites: ClassItem[];
  /** The last one first. */
  recent: ClassItem[];
}

const most_recent = 5;

export const usual = createStore<UsualClasses>(
  recall("classes", { favourites: [], recent: [] } as UsualClasses));
usual.subscribe(() => remember("classes", usual.get()));

function without(list: ClassItem[], name: string): ClassItem[] {
  return list.filter((item) => item.name !== name);
}

export function isFavourite({ favourites }: UsualClasses, name: string): boolean {
  return favourites.some((item) => item.name === name);
}

/** Makes a class a favourite, or no longer. */
export function toggleFavourite(item: ClassItem): void {
  usual.update((value) => ({
    ...value,
    favourites: isFavourite(value, item.name) ? without(value.favourites, item.name)
      : [...value.favourites, item],
  }));
}

/** Notes that a class was put into a diagram. */
export function noteUse(item: ClassItem): void {
  usual.update((value) => ({
    ...value, recent: [item, ...without(value.recent, item.name)].slice(0, most_recent),
  }));
}
