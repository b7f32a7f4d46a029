// A tab with an FMU: where it comes from, and its variables.
import "../style/fmu.css";
import { useEffect, useMemo, useState } from "react";
import { short } from "../plot/values";
import { startRun } from "../runs/live";
import { focusOn } from "../state/focus";
import { useStore } from "../state/store";
import { Button, Empty } from "../ui/controls";
import { Icon } from "../ui/icon";
import { VirtualList } from "../ui/virtual_list";
import { fmus, loadFmu } from "./description";
import type { FmuVariable } from "./description";

/** A number with the digits of a table, or another value as it is. */
function shownStart(start: string | null): string {
  const value = start ? Number(start) : NaN;
  return Number.isFinite(value) ? short(value) : start ?? "";
}

function Row({ variable }: { variable: FmuVariable }) {
  const { name, causality, variability, start, unit, description } = variable;
  return (
    <div className="fmu-row" title={description}>
      <span className="tree-name">{name}</span>
      <span className="soft">{causality}</span>
      <span className="soft">{variability}</span>
      <span className="number" title={start ?? ""}>{shownStart(start)}</span>
      <span className="soft">{unit}</span>
    </div>
  );
}

export default function FmuPane({ path }: { path: string }) {
  const known = useStore(fmus, (f) => f.of[path]);
  const [query, setQuery] = useState("");
  useEffect(() => {
    focusOn(path, "");
    void loadFmu(path);
  }, [path]);
  const fmu = known?.description;
  const shown = useMemo(() => (fmu?.variables ?? []).filter((v) =>
    `${v.name} ${v.causality} ${v.description}`.toLowerCase().includes(query.toLowerCase())),
  [fmu, query]);
  if (!known) return <p className="loading">Reading the FMU…</p>;
  if (!fmu) {
    return (
      <Empty icon="error" title="This FMU cannot be read">
        <p>{known.failure}</p>
      </Empty>
    );
  }
  return (
    <div className="fmu-pane">
      <header>
        <h1>{fmu.model}</h1>
        <Button kind="primary" icon="run" title="Run the FMU (F5)"
          onClick={() => void startRun()}>Run</Button>
      </header>
      <p className="soft">
        {[fmu.description, `FMI ${fmu.fmi}, ${fmu.interfaces.map((i) => i.kind).join(", ")}`,
          fmu.tool && `by ${fmu.tool}`, fmu.platforms.join(", ")].filter(Boolean).join(" · ")}
      </p>
      <div className="search">
        <Icon name="search" size={14} />
        <input type="search" value={query} placeholder={`${fmu.variables.length} variables`}
          aria-label="Search the variables" onChange={(e) => setQuery(e.target.value)} />
      </div>
      <div className="fmu-row fmu-head">
        <span>variable</span><span>causality</span><span>variability</span>
        <span className="number">start</span><span>unit</span>
      </div>
      <VirtualList count={shown.length} rowHeight={24} label="Variables of the FMU"
        row={(i) => {
          const variable = shown[i];
          return variable ? <Row variable={variable} /> : null;
        }} />
      {shown.length === 0 && <p className="tree-note">No variable fits.</p>}
    </div>
  );
}
