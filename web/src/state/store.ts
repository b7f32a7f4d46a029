// A store holds one immutable value and tells its listeners when it changes.
import { useCallback, useRef, useSyncExternalStore } from "react";

export interface Store<T> {
  get(): T;
  /** Replaces the value by what `next` makes of it. */
  update(next: (value: T) => T): void;
  /** Replaces some members of the value. */
  set(part: Partial<T>): void;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const update = (next: (value: T) => T) => {
    const changed = next(value);
    if (Object.is(changed, value)) return;
    value = changed;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    update,
    set: (part) => update((old) => ({ ...old, ...part })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Reads a part of a store in a component, which renders again when that part
 * changes. Parts that are made anew each time are compared member by member.
 */
export function useStore<T extends object, S>(
  store: Store<T>,
  select: (value: T) => S,
): S {
  const last = useRef<S | undefined>(undefined);
  const snapshot = useCallback(() => {
    const selected = select(store.get());
    if (last.current !== undefined && sameMembers(last.current, selected)) {
      return last.current;
    }
    last.current = selected;
    return selected;
  }, [store, select]);
  return useSyncExternalStore(store.subscribe, snapshot);
}

function sameMembers(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  return (
    left.length === Object.keys(b).length &&
    left.every(([name, member]) => Object.is(member, right[name]))
  );
}

/** Keeps `value` under `key` in the browser; fails silently where it may not. */
export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`orrery.${key}`, JSON.stringify(value));
  } catch {
    // Private windows have no storage: the layout is then forgotten on reload.
  }
}

/** What `remember` kept under `key`, laid over `fallback`. */
export function recall<T extends object>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`orrery.${key}`);
    return text ? { ...fallback, ...(JSON.parse(text) as Partial<T>) } : fallback;
  } catch {
    return fallback;
  }
}
