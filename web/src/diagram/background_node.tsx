// The graphics that a class draws on its own sheet, below its components.
import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { Graphics } from "./graphics";
import type { BackgroundNodeType } from "./sheet_nodes";

function BackgroundNodeView({ data }: NodeProps<BackgroundNodeType>) {
  const [[x1, y1], [x2, y2]] = data.extent;
  return (
    <svg className="sheet-graphics" width="100%" height="100%"
      viewBox={`${x1} ${-y2} ${x2 - x1} ${y2 - y1}`} aria-hidden="true">
      <Graphics list={data.graphics} prefix="sheet" />
    </svg>
  );
}

export const BackgroundNode = memo(BackgroundNodeView);
