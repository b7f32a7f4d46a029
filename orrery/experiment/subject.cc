#include "orrery/experiment/subject.h"

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

}  // namespace orrery
