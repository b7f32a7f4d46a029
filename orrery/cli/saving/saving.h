#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// The file of the store: orrery.db unless another is named.
[[nodiscard]] std::string StorePath(const RunCommand& command);

/// `text` as a shell takes it for one word: quoted if need be.
[[nodiscard]] std::string ShellWord(const std::string& text);

/// What names that store on a command line: ` --store FILE`, or nothing.
[[nodiscard]] std::string StoreOption(const RunCommand& command);

/// What code is known again by, which is not stored: the hash of its file.
/// @throws Error kIo if it cannot be read.
[[nodiscard]] std::string HashOfCode(const std::string& file);

/// An experiment that a command is at work on, in the store, with the files
/// that it is made of, those that the command has read. Does nothing where
/// nothing is to be saved.
///
/// A store that nobody asked for by name and that cannot be used is told of,
/// and the experiment is not saved.
class SavedExperiment {
 public:
  /// Begins it.
  /// @throws Error as ExperimentStore for a store that was asked for.
  SavedExperiment(const RunCommand& command, NewExperiment experiment);

  /// Begins one that is a single run of a model.
  SavedExperiment(const RunCommand& command, const std::string& model);

  /// Goes on with one that is there.
  /// @throws Error as ExperimentStore.
  SavedExperiment(const RunCommand& command, ExperimentId id);

  SavedExperiment(const SavedExperiment&) = delete;
  SavedExperiment& operator=(const SavedExperiment&) = delete;

  /// If it has ended, tells which it is.
  ~SavedExperiment();

  [[nodiscard]] bool is_saved() const noexcept { return store_.has_value(); }

  /// Of what is saved.
  [[nodiscard]] ExperimentStore& store() { return *store_; }

  [[nodiscard]] ExperimentId id() const noexcept { return id_; }

  /// Tells, too, how to go on with what was not carried out.
  void OfferToResume() noexcept { offers_to_resume_ = true; }

  /// What it was told as it went on belongs to what determines it.
  void TakeDown(const LiveRecord& record);

  /// Ends it, and tells if the store was removed meanwhile. What can fail, as
  /// output on a full disk, is to come afterwards.
  void Finish(const ExperimentEnd& end);

  /// Ends an experiment of one run with what that has left.
  void Finish(const Trajectory& trajectory,
              const EventLog& events,
              const ExperimentEnd& end);

 private:
  const RunCommand& command_;
  std::optional<ExperimentStore> store_;
  ExperimentId id_ = 0;
  std::string model_;
  std::int64_t created_ns_ = 0;
  bool has_ended_ = false;  // And is in the store.
  bool offers_to_resume_ = false;
};

/// How an experiment of one run has ended.
[[nodiscard]] ExperimentStatus StatusOf(RunOutcome outcome) noexcept;
[[nodiscard]] ExperimentStatus StatusOf(RunEnd end) noexcept;

/// A time since 1970 in the time zone of the user: `2026-11-21 10:14`.
[[nodiscard]] std::string LocalTime(std::int64_t ns);

/// Nanoseconds since 1970.
[[nodiscard]] std::int64_t Now();

}  // namespace orrery::cli
