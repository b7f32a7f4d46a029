#include "orrery/experiment/runs/subject.h"

#include <algorithm>

#include "orrery/base/error.h"

namespace orrery {

std::size_t Runner::RunAll(const SubjectRuns& runs,
                           std::size_t num_varied,
                           const GoesOn& goes_on) {
  std::vector<double> values(num_varied);
  for (std::size_t i = 0; i < runs.count && (!goes_on || goes_on()); ++i) {
    runs.values(i, values);
    runs.take(i, Run(values, runs.seed(i), goes_on));
  }
  return 1;
}

std::vector<std::string> NamesOfTexts(const TextValues& texts) {
  std::vector<std::string> names = texts.values;
  std::ranges::replace(names, std::string(), std::string("\"\""));
  return names;
}

std::shared_ptr<const Subject> Subject::WithTexts(
    std::vector<TextValues> texts) const {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot vary '" + (texts.empty() ? "" : texts.front().name) +
                  "': texts do not vary in runs of " + name());
}

}  // namespace orrery
