// The sheet as a list, for those who hear the page.
import type { Scene } from "../language/protocol";

export function SheetOutline({ scene }: { scene: Scene }) {
  return (
    <ul className="only-read" aria-label={`Components and connections of ${scene.class}`}>
      {scene.components.map((part) => (
        <li key={part.name}>
          {part.name}, {part.type}
          {part.ports.length > 0
            && `, ports ${part.ports.map((port) => port.name).join(", ")}`}
        </li>
      ))}
      {scene.connections.map((line) => (
        <li key={`${line.from}|${line.to}`}>{line.from} is connected to {line.to}</li>
      ))}
    </ul>
  );
}
