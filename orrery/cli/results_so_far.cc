#include "orrery/cli/internal/results_so_far.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/cli/internal/print_error.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenStores{500};

// Least ratio of the time between two stores to the duration of a store.
constexpr int kLeastShare = 20;

}  // namespace

ResultsSoFar::ResultsSoFar(LiveRun& run,
                           SavedExperiment& saved,
                           std::string program)
    : run_(run),
      saved_(saved),
      program_(std::move(program)),
      due_(Clock::now() + kBetweenStores) {}

void ResultsSoFar::Keep() {
  const Clock::time_point begin = Clock::now();
  if (is_broken_ || !saved_.is_saved() || begin < due_) {
    return;
  }
  try {
    Store();
  } catch (const Error& error) {
    is_broken_ = true;
    PrintError(
        "{}: warning: what the run has come to so far is not saved: {}\n",
        program_,
        error.what());
  }
  const Clock::time_point end = Clock::now();
  due_ = end +
         std::max<Clock::duration>(kBetweenStores, kLeastShare * (end - begin));
}

void ResultsSoFar::Store() {
  const std::optional<NewRows> results = run_.TakeResults();
  if (!results) {
    return;
  }
  ExperimentStore& store = saved_.store();
  store.InOneTransaction([&] {
    saved_.TakeDown(run_.record());
    if (results->are_all) {
      store.SaveTrajectory(saved_.id(), 0, results->rows);
    } else {
      store.AppendTrajectory(saved_.id(), 0, results->rows);
    }
  });
}

}  // namespace orrery::cli
