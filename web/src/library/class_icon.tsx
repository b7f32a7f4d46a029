// The picture of a class in lists: its own icon, else a letter for its kind.
import type { ClassItem } from "../api/types";
import { IconPicture } from "../diagram/icons";

const letters: Record<string, string> = {
  package: "P", model: "M", block: "B", connector: "C", function: "F",
  record: "R", type: "T", class: "K", operator: "O",
};

export function ClassIcon({ item, size = 18 }: { item: ClassItem; size?: number }) {
  if (item.icon) return <IconPicture icon={item.icon} size={size} />;
  return (
    <span className={`kind kind-${item.kind}`} style={{ width: size, height: size }}
      aria-hidden="true">
      {letters[item.kind] ?? "?"}
    </span>
  );
}
