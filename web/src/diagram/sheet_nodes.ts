// From a scene to the nodes of the sheet.
import type { Node } from "@xyflow/react";
import type { Extent, Graphic, Scene } from "../language/protocol";
import { partBox } from "./layout";
import type { PartNodeType } from "./part_node";
import { scale } from "./matrix";

export type BackgroundData = {
  graphics: Graphic[];
  extent: Extent;
};
export type BackgroundNodeType = Node<BackgroundData, "background">;
export type SheetNode = PartNodeType | BackgroundNodeType;

export const background_id = " background";

/** The extent of the sheet, which is what a diagram fits into view. */
export function sheetExtent(scene: Scene): Extent {
  const [x1, y1, x2, y2] = scene.system.extent;
  return [[x1, y1], [x2, y2]];
}

function backgroundOf(scene: Scene): BackgroundNodeType {
  const extent = sheetExtent(scene);
  const [[x1, y1], [x2, y2]] = extent;
  return {
    id: background_id, type: "background",
    position: { x: x1 * scale, y: -y2 * scale },
    width: (x2 - x1) * scale, height: (y2 - y1) * scale,
    data: { graphics: scene.graphics, extent },
    draggable: false, selectable: false, focusable: false, connectable: false,
    deletable: false, zIndex: -10,
  };
}

export function nodesOf(
  scene: Scene, selected: string[], editable: boolean,
  chosen: { part: string; port: string } | null, values: Map<string, string>,
): SheetNode[] {
  const parts = scene.components.filter((part) => part.at).map((part): PartNodeType => {
    const box = partBox(part);
    return {
      id: part.name, type: "part", position: { x: box.x, y: box.y },
      width: box.width, height: box.height,
      selected: selected.includes(part.name),
      draggable: editable && !part.inherited,
      // A drag of what cannot be moved does not move the sheet instead.
      className: part.inherited ? "nopan" : "",
      ariaLabel: `${part.name}, a ${part.type.slice(part.type.lastIndexOf(".") + 1)}`,
      data: {
        part, value: values.get(part.name) ?? null,
        chosenPort: chosen?.part === part.name ? chosen.port : null,
      },
    };
  });
  return [backgroundOf(scene), ...parts];
}
