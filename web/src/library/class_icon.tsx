// The picture of a class in lists: its own icon, else a letter for its kind.
import type { ClassItem } from "../api/types";
import { IconPicture, useIcon } from "../diagram/icons";

const letters: Record<string, string> = {
  package: "P", model: "M", block: "B", connector: "C", function: "F",
  record: "R", type: "T", class: "K", operator: "O",
};

export function ClassIcon({ item, size = 18 }: { item: ClassItem; size?: number }) {
  const drawing = useIcon(item.kind === "package" || item.kind === "function" ? null
    : item.name);
  if (drawing?.markup) return <IconPicture drawing={drawing} size={size} />;
  return (
    <span className={`kind kind-${item.kind}`} style={{ width: size, height: size }}
      aria-hidden="true">
      {letters[item.kind] ?? "?"}
    </span>
  );
}
