#include "orrery/process/run/ancestry.h"

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/process/run/run.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

// Lists only the outermost and the innermost of many ancestors.
std::string Ancestry(const Run& run, const Node& task) {
  static constexpr std::size_t kOutermost = 3;
  static constexpr std::size_t kInnermost = 5;
  const NodePool& tasks = run.tasks.pool();
  std::vector<std::string> names;
  for (const Node* at = &task; at->parent != kNoIndex;
       at = &tasks[at->parent]) {
    if (*at->name != '\0') {
      names.emplace_back(ShownName(at->name));
    }
    if (at->is_planned) {
      names.back() += " (" + run.plan.IdOf(at->index) + ")";
    }
  }
  std::string text;
  for (std::size_t i = names.size(); i-- > 0;) {
    text += text.empty() ? "" : " > ";
    text += names[i];
    if (i > kInnermost && names.size() - i == kOutermost) {
      text += " > ...";
      i = kInnermost;
    }
  }
  return text.empty() ? "Start" : text;
}

}  // namespace orrery::process::internal
