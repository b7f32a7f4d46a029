// The line that follows the pointer while two ports are being connected.
import type { ConnectionLineComponentProps } from "@xyflow/react";

export function PendingLine({ fromX, fromY, toX, toY }: ConnectionLineComponentProps) {
  const across = Math.abs(toX - fromX) >= Math.abs(toY - fromY);
  const middle = across
    ? `L${(fromX + toX) / 2} ${fromY}L${(fromX + toX) / 2} ${toY}`
    : `L${fromX} ${(fromY + toY) / 2}L${toX} ${(fromY + toY) / 2}`;
  return (
    <path className="wire-drawn" d={`M${fromX} ${fromY}${middle}L${toX} ${toY}`} />
  );
}
