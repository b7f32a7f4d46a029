#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// The file of the store: orrery.db unless another is named.
[[nodiscard]] std::string StorePath(const RunCommand& command);

/// `text` as one word of a shell: quoted if necessary.
[[nodiscard]] std::string ShellWord(const std::string& text);

/// The option that names that store on a command line: ` --store FILE`, or
/// nothing.
[[nodiscard]] std::string StoreOption(const RunCommand& command);

/// An experiment in progress, in the store, with the files of its model that
/// the command has read. Tells its number and its end to a program that asks
/// for it; beside that does nothing if the experiment is not to be saved.
///
/// If the default store cannot be used, a message tells so, and the experiment
/// is not saved.
class SavedExperiment {
 public:
  /// Begins the experiment.
  /// @throws Error as ExperimentStore for a store that was named.
  SavedExperiment(const RunCommand& command, NewExperiment experiment);

  /// Begins an experiment of a single run of a model.
  SavedExperiment(const RunCommand& command, const std::string& model);

  /// Resumes an existing experiment.
  /// @throws Error as ExperimentStore.
  SavedExperiment(const RunCommand& command, ExperimentId id);

  SavedExperiment(const SavedExperiment&) = delete;
  SavedExperiment& operator=(const SavedExperiment&) = delete;

  /// Prints its number if it has ended.
  ~SavedExperiment();

  [[nodiscard]] bool is_saved() const noexcept { return store_.has_value(); }

  /// The store, if the experiment is saved.
  [[nodiscard]] ExperimentStore& store() { return *store_; }

  [[nodiscard]] ExperimentId id() const noexcept { return id_; }

  /// Also prints how to resume the runs that were not carried out.
  void OfferToResume() noexcept { offers_to_resume_ = true; }

  /// Saves the requests of a live run, which belong to its definition.
  void TakeDown(const LiveRecord& record);

  /// Ends it, and prints a message if the store was removed meanwhile.
  /// Operations that can fail, such as output on a full disk, must follow it.
  void Finish(const ExperimentEnd& end);

  /// Ends an experiment of one run with its results.
  void Finish(const Trajectory& trajectory,
              const EventLog& events,
              const ExperimentEnd& end);

 private:
  [[nodiscard]] std::string Begin(NewExperiment& experiment);
  void Warn(const std::string& message, const std::string& hint) const;
  void FinishStored(const ExperimentEnd& end);
  void SaveResults(const Trajectory& trajectory,
                   const EventLog& events,
                   const ExperimentEnd& end);

  const RunCommand& command_;
  std::optional<ExperimentStore> store_;
  ExperimentId id_ = 0;
  std::string model_;
  std::int64_t created_ns_ = 0;
  bool has_ended_ = false;  // And is in the store.
  bool offers_to_resume_ = false;
};

/// The status of an experiment of one run.
[[nodiscard]] ExperimentStatus StatusOf(RunOutcome outcome) noexcept;
[[nodiscard]] ExperimentStatus StatusOf(RunEnd end) noexcept;

/// Nanoseconds since 1970.
[[nodiscard]] std::int64_t Now();

}  // namespace orrery::cli
