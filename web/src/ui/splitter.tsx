// The edge between two panes, moved by mouse or by arrow keys.
import type { KeyboardEvent, PointerEvent } from "react";

interface SplitterProps {
  direction: "horizontal" | "vertical";
  label: string;
  /** Where it stands, in pixels, for those who hear the page. */
  at: number;
  /** Called with the movement in pixels since the last call. */
  onMove: (delta: number) => void;
}

const step = 16;

export function Splitter({ direction, label, at, onMove }: SplitterProps) {
  const horizontal = direction === "horizontal";
  const start = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onMove(horizontal ? event.movementX : event.movementY);
  };
  const press = (event: KeyboardEvent) => {
    const [less, more] = horizontal
      ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === less) onMove(-step);
    else if (event.key === more) onMove(step);
    else return;
    event.preventDefault();
  };
  return (
    <div className={`splitter ${direction}`} role="separator" tabIndex={0}
      aria-label={label} aria-valuenow={Math.round(at)}
      aria-orientation={horizontal ? "vertical" : "horizontal"}
      onPointerDown={start} onPointerMove={drag} onKeyDown={press} />
  );
}
