// The sidebar of traces: files that `orrery run --trace FILE.csv` has written.
import { FileList } from "../library/file_list";
import { Empty } from "../ui/controls";

export function TraceList() {
  return (
    <FileList ending=".csv" kind="trace">
      <Empty icon="trace" title="There is no trace in this folder">
        <p>Run a DEVS model with <code>orrery run MODEL --trace trace.csv</code> in a
          terminal; the file is then listed here.</p>
      </Empty>
    </FileList>
  );
}
