#include "orrery/cli/saving/results_so_far.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/cli/terminal/print_error.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenStores{500};
constexpr std::chrono::milliseconds kBetweenShown{100};  // If somebody watches.

// Least ratio of the time between two stores to the duration of a store.
constexpr int kLeastShare = 20;

}  // namespace

ResultsSoFar::ResultsSoFar(LiveRun& run,
                           SavedExperiment& saved,
                           std::string program,
                           ReportStream& report)
    : run_(run),
      saved_(saved),
      program_(std::move(program)),
      report_(report),
      due_(Clock::now() + Between()) {}

ResultsSoFar::Clock::duration ResultsSoFar::Between() const {
  return report_.is_wanted() ? kBetweenShown : kBetweenStores;
}

void ResultsSoFar::Keep() {
  const Clock::time_point begin = Clock::now();
  if (begin < due_ ||
      ((is_broken_ || !saved_.is_saved()) && !report_.is_wanted())) {
    return;
  }
  const NewResults results = run_.TakeResults();
  report_.Show(results.rows);
  try {
    if (!is_broken_ && saved_.is_saved()) {
      Store(results);
    }
  } catch (const Error& error) {
    is_broken_ = true;
    PrintError(
        "{}: warning: what the run has come to so far is not saved: {}\n",
        program_,
        error.what());
  }
  const Clock::time_point end = Clock::now();
  due_ =
      end + std::max<Clock::duration>(Between(), kLeastShare * (end - begin));
}

void ResultsSoFar::Store(const NewResults& results) {
  const NewRows& rows = results.rows;
  const NewEvents& events = results.events;
  ExperimentStore& store = saved_.store();
  store.InOneTransaction([&] {
    saved_.TakeDown(run_.record());
    if (rows.are_all) {
      store.SaveTrajectory(saved_.id(), 0, rows.rows);
    } else if (rows.rows.rows() > 0) {
      store.AppendTrajectory(saved_.id(), 0, rows.rows);
    }
    if (events.are_all || !has_events_) {
      store.SaveEvents(saved_.id(), 0, events.events);
    } else if (events.events.size() > 0) {
      store.AppendEvents(saved_.id(), 0, events.events);
    }
  });
  has_events_ = true;
}

}  // namespace orrery::cli
