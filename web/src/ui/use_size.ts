// The size of an element in whole pixels, as it changes.
import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";

export function useSize(): [RefObject<HTMLDivElement | null>, number, number] {
  const host = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!host.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) {
        setSize({
          width: Math.floor(entry.contentRect.width),
          height: Math.floor(entry.contentRect.height),
        });
      }
    });
    observer.observe(host.current);
    return () => observer.disconnect();
  }, []);
  return [host, size.width, size.height];
}
