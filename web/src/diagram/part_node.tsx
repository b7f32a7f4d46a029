// A component on the sheet: an upright box with its turned icon inside, and a
// handle at each port.
import { Handle, Position } from "@xyflow/react";
import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";
import type { Part, Port } from "../language/protocol";
import { after, asTransform, toSheet } from "./matrix";
import type { Matrix } from "./matrix";
import { drawingMatrix, partBox, portPoint } from "./layout";
import { IconView, useIcon } from "./icons";

export type PartData = {
  part: Part;
  /** The port that the keyboard has chosen. */
  chosenPort: string | null;
  value: string | null;
};

export type PartNodeType = Node<PartData, "part">;

function PortHandle({ part, port, chosen }: {
  part: Part; port: Port; chosen: boolean;
}) {
  const box = partBox(part);
  const [x, y] = toSheet(portPoint(part, port));
  return (
    <Handle type="source" position={Position.Top} id={port.name}
      className={`port${chosen ? " chosen" : ""}`}
      title={`${part.name}.${port.name}: ${port.type}`}
      style={{ left: x - box.x, top: y - box.y }} />
  );
}

/** A port drawn by its own icon where its placement has it. */
function PortPicture({ port, matrix }: { port: Port; matrix: Matrix }) {
  const icon = useIcon(port.icon);
  if (!icon || port.present === false) return null;
  const [[x1, y1], [x2, y2]] = port.at.extent;
  const [ox, oy] = port.at.origin ?? [0, 0];
  const [[p1, q1], [p2, q2]] = icon.extent;
  const sx = (x2 - x1) / (p2 - p1 || 1);
  const sy = (y2 - y1) / (q2 - q1 || 1);
  const angle = (-(port.at.rotation ?? 0) * Math.PI) / 180;
  const turned: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle),
    Math.cos(angle), ox, -oy];
  const place = after(turned, [sx, 0, 0, sy, x1 - sx * p1, -(y1 - sy * q1)]);
  return (
    <g transform={asTransform(place)}>
      <IconView drawing={icon} texts={[]} matrix={after(matrix, place)} />
    </g>
  );
}

function PartNodeView({ data, selected }: NodeProps<PartNodeType>) {
  const { part, chosenPort, value } = data;
  const icon = useIcon(part.icon);
  const box = partBox(part, icon?.extent);
  const classes = ["part"];
  if (selected) classes.push("selected");
  if (part.inherited) classes.push("inherited");
  if (!part.present) classes.push("absent");
  if ((part.problems ?? 0) > 0) classes.push("faulty");
  return (
    <div className={classes.join(" ")} style={{ width: box.width, height: box.height }}
      title={`${part.name}: ${part.type}${part.inherited
        ? `\ninherited from ${part.inherited}; can be changed there only` : ""}`}>
      <svg width={box.width} height={box.height} className="part-picture" aria-hidden="true">
        {icon ? (
          <g transform={asTransform(drawingMatrix(part, icon.extent, box))}>
            <IconView drawing={icon} texts={part.texts}
              matrix={drawingMatrix(part, icon.extent, box)} />
            {part.ports.map((port) => <PortPicture key={port.name} port={port}
              matrix={drawingMatrix(part, icon.extent, box)} />)}
          </g>
        ) : (
          <>
            <rect className="plain-box" x={0.5} y={0.5} width={box.width - 1}
              height={box.height - 1} rx={2} />
            <text className="plain-name" x={box.width / 2} y={box.height / 2 + 2.5}
              textAnchor="middle">{part.name}</text>
          </>
        )}
      </svg>
      {part.ports.filter((port) => port.present !== false).map((port) => (
        <PortHandle key={port.name} part={part} port={port}
          chosen={port.name === chosenPort} />
      ))}
      {part.connector && (
        <Handle type="source" position={Position.Top} id="" title={part.name}
          className={`port${chosenPort === "" ? " chosen" : ""}`}
          style={{ left: box.width / 2, top: box.height / 2 }} />
      )}
      {value !== null && <span className="part-value">{value}</span>}
    </div>
  );
}

export const PartNode = memo(PartNodeView);
