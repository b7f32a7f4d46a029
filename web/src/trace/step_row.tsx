// A microstep as a row of lanes: an arrow a message, a dot a transition.
import { short } from "../plot/values";
import type { Message, Microstep } from "./microsteps";

export const lane_width = 150;
export const time_width = 120;
export const row_height = 30;
/** Room at both sides for messages from and to models without a lane. */
export const margin = 40;

interface StepRowProps {
  step: Microstep;
  /** The lane of a model by its path. */
  lanes: Map<string, number>;
  chosen: boolean;
  onMessage: (message: Message) => void;
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

export function StepRow({ step, lanes, chosen, onMessage }: StepRowProps) {
  const width = lanes.size * lane_width + 2 * margin;
  const laneOf = (model: string) => lanes.get(model);
  const middle = (lane: number) => margin + lane * lane_width + lane_width / 2;
  const y = row_height / 2;
  const shown = step.messages.filter((m) =>
    laneOf(m.from) !== undefined || laneOf(m.to) !== undefined);
  return (
    <div className="trace-step" data-chosen={chosen}>
      <span className="trace-time number">{short(step.time)} s
        <span className="soft"> · {step.number}</span></span>
      <svg width={width} height={row_height}>
        {[...lanes.values()].map((lane) => (
          <line key={lane} className="lane" x1={middle(lane)} x2={middle(lane)} y1={0}
            y2={row_height} />
        ))}
        {shown.map((message, i) => {
          const from = laneOf(message.from);
          const to = laneOf(message.to);
          const x = from === undefined ? 4 : middle(from);
          const end = to === undefined ? width - 4 : middle(to);
          const head = end > x ? -7 : 7;
          const words = from === undefined ? `${lastName(message.from)}: ${message.text}`
            : message.text;
          const between = Math.abs(end - x) / 6;
          return (
            <g key={i} className="message" onClick={() => onMessage(message)}>
              <path className="message-reach" d={`M${x} ${y}H${end}`} />
              <path d={`M${x} ${y}H${end}M${end + head} ${y - 4}L${end} ${y}L${end + head} ${y + 4}`} />
              <text x={(x + end) / 2} y={y - 4} textAnchor="middle">
                {words.length > between ? `${words.slice(0, Math.max(3, between - 1))}…` : words}
              </text>
              <title>{`${message.from} to ${message.to || "the outside"}\n${message.text}`}</title>
            </g>
          );
        })}
        {step.transitions.map(({ model, kind, state }) => {
          const lane = laneOf(model);
          return lane !== undefined && (
            <circle key={model} className={`transition ${kind}`} cx={middle(lane)} cy={y} r={4}>
              <title>{`${model}: ${kind}\n${state}`}</title></circle>
          );
        })}
      </svg>
    </div>
  );
}
