// A list of which only the rows in view are in the page.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";

interface VirtualListProps {
  count: number;
  rowHeight: number;
  label: string;
  role?: "list" | "tree" | "listbox";
  /** The row that is kept in view. */
  focus?: number;
  row: (index: number) => ReactNode;
  /** Told which rows are in view, so that they can be fetched. */
  onWindow?: (from: number, to: number) => void;
}

export function VirtualList(props: VirtualListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: props.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => props.rowHeight,
    overscan: 8,
  });
  const rows = list.getVirtualItems();
  const from = rows[0]?.index ?? 0;
  const to = rows[rows.length - 1]?.index ?? 0;
  const { onWindow, focus } = props;
  useEffect(() => onWindow?.(from, to), [onWindow, from, to, props.count]);
  useEffect(() => {
    if (focus !== undefined && focus >= 0) list.scrollToIndex(focus);
  }, [focus, list]);
  return (
    <div className="virtual-list" ref={scroller} role={props.role ?? "list"}
      aria-label={props.label} tabIndex={0}>
      <div className="virtual-space" role="presentation" style={{ height: list.getTotalSize() }}>
        {rows.map((item) => (
          <div key={item.key} className="virtual-row"
            role={(props.role ?? "list") === "list" ? "listitem" : "presentation"}
            style={{ height: item.size, transform: `translateY(${item.start}px)` }}>
            {props.row(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
