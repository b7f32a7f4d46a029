#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "orrery/server/runs/run_request.h"

namespace orrery::server {

/// Commands that stay for the plans that are open in pages, one for each model
/// with its settings: each carries out plan after plan, from the latest
/// snapshot before the first change. Any thread may call the functions; plans
/// of one model wait for each other.
class PlanRuns {
 public:
  struct Options {
    std::string command;          ///< The path of `orrery`.
    std::string folder;           ///< Where it works.
    std::size_t most_memory = 0;  ///< Bytes that a command may use.
  };

  explicit PlanRuns(Options options);
  PlanRuns(const PlanRuns&) = delete;
  PlanRuns& operator=(const PlanRuns&) = delete;

  /// Ends all commands.
  ~PlanRuns();

  /// The answer to a line of `orrery run MODEL --resident`. A command whose
  /// model has changed on the disk, or that has ended, begins anew.
  /// @param run names the model, which is its first file, and its settings.
  /// @throws HttpError 422 with what the command has printed, if it ends; 504
  ///     if it does not answer in half a minute: it is then killed.
  [[nodiscard]] std::string Answer(const RunWords& run,
                                   const std::string& line);

 private:
  class Resident;

  [[nodiscard]] std::shared_ptr<Resident> Find(const RunWords& run);

  Options options_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Resident>> residents_;  // The last used first.
};

}  // namespace orrery::server
