// The sidebar of plans: the JSON files of the folder.
import { FileList } from "../library/file_list";
import { Empty } from "../ui/controls";

export function PlanList() {
  return (
    <FileList ending=".json" kind="plan">
      <Empty icon="plan" title="There is no plan in this folder">
        <p>A plan is a JSON file with a list of activities, carried out by a model of
          tasks.</p>
      </Empty>
    </FileList>
  );
}
