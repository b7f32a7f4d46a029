#include "orrery/cli/commands/experiments/search_place.h"

#include <cstddef>
#include <string>

#include "orrery/base/error.h"

namespace orrery::cli {
namespace {

// Threads that wait for a cluster. More runs are rarely known to be needed at
// once.
constexpr std::size_t kLanesOfCluster = 64;

}  // namespace

SearchPlace::SearchPlace(const WhereToRun& where,
                         const RunCommand& run,
                         const std::function<ClusterJob()>& make_job)
    : run_(run),
      bar_(!run.quiet && !run.json, run.report_fd),
      threads_(where.queue.empty() ? static_cast<std::size_t>(where.jobs)
                                   : kLanesOfCluster) {
  if (!where.queue.empty()) {
    cluster_.emplace(make_job(),
                     ClusterOptions{.url = where.queue,
                                    .patience = where.patience,
                                    .tell =
                                        [this](const std::string& line) {
                                          bar_.Tell(run_.program + ": " + line);
                                        }},
                     clock_);
  }
}

SubjectStandIn SearchPlace::StandIn() {
  return [this](std::size_t i, std::shared_ptr<const Subject> subject) {
    return cluster_ ? cluster_->Elsewhere(i, std::move(subject)) : subject;
  };
}

GoesOn SearchPlace::goes_on() const {
  return [this] {
    return InterruptGuard::goes_on() && (!cluster_ || cluster_->is_healthy());
  };
}

void SearchPlace::TellTrouble() const {
  if (!cluster_) {
    return;
  }
  try {
    cluster_->CheckHealth();
  } catch (const Error& error) {
    bar_.Tell(run_.program + ": " + error.what());
  }
}

}  // namespace orrery::cli
