#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// How a store is opened. Plain data.
struct StoreOptions {
  /// Nothing is written, and nothing is created. A store in a folder that may
  /// not be written to is read as it stood when it was opened.
  bool read_only = false;

  /// How long to wait for another process that is writing.
  Duration busy_timeout = std::chrono::seconds(10);
};

/// Experiments with their results, in one SQLite file.
///
/// Many processes, and many threads, may use one file at once, each with an
/// ExperimentStore of its own: one object is for one thread at a time. While it
/// is open, files of SQLite (`-wal`, `-shm`) stand beside it, and, while
/// experiments run, one that says so (`-run`).
///
/// Every function that writes is one transaction: it is stored whole or not at
/// all, and what it stored before it returned survives the end of the process,
/// kill -9 too (a power failure may take the last moments; it leaves the file
/// sound). An experiment is run by the ExperimentStore that began or resumed
/// it; nobody else can write results to it. If that object or its process ends
/// before the experiment does, the experiment is interrupted, and may be
/// resumed, by one at a time.
///
/// All functions throw Error: kInvalidArgument for an experiment, run or name
/// that is not there (the message lists what is); kIo for a file that is
/// damaged, not writable, or locked for longer than the options allow, and for
/// a full disk; kUnsupported for a file of a newer Orrery.
///
/// Numbers are stored to the last bit, NaN and -0.0 too.
class ExperimentStore {
 public:
  /// Opens the store in the file `path`, which is created if it is not there.
  /// @throws Error kIo also if it is no store.
  explicit ExperimentStore(const std::string& path,
                           const StoreOptions& options = {});

  ExperimentStore(const ExperimentStore&) = delete;
  ExperimentStore& operator=(const ExperimentStore&) = delete;

  /// Experiments of this object that have not ended are interrupted.
  ~ExperimentStore();

  /// As it was given.
  [[nodiscard]] const std::string& path() const noexcept;

  /// Whether the file still stands where it was opened. If it was removed or
  /// replaced, what is written goes with this object.
  [[nodiscard]] bool IsStillThere() const;

  /// Calls `writes`, whose writes to this store become one transaction: all
  /// are stored when it returns, none if it throws. Others cannot write
  /// meanwhile. Many small writes are fastest so.
  void InOneTransaction(const std::function<void()>& writes);

  // Running an experiment.

  /// A new experiment, which this object runs until Finish().
  [[nodiscard]] ExperimentId Begin(const NewExperiment& experiment);

  /// Takes up an experiment that ended or was interrupted: it is running again,
  /// by this object. Its results stay.
  /// @throws Error kInvalidArgument if another process or object runs it.
  void Resume(ExperimentId id);

  /// Ends an experiment that this object runs.
  void Finish(ExperimentId id, const ExperimentEnd& end);

  /// Changes the number of runs asked for.
  void SetRunsAsked(ExperimentId id, std::int64_t runs);

  /// Changes what determines the experiment: what it was told as it went on
  /// belongs to that.
  void SetDocument(ExperimentId id, std::string_view document);

  /// Adds `text` at the end of the experiment's log.
  void AppendLog(ExperimentId id, std::string_view text);

  /// Adds runs to the table. Of a run that is delivered twice, the first that
  /// completed is kept; until one does, the last that failed.
  /// @throws Error kInvalidArgument if sizes do not fit the table's columns.
  void AppendRuns(ExperimentId id, const RunBatch& batch);

  /// Stores what run `run` recorded, in place of what it had recorded.
  void SaveTrajectory(ExperimentId id,
                      std::int64_t run,
                      const Trajectory& trajectory);

  /// Stores the next rows of a run: a long one is stored as it goes, in parts
  /// that `TrajectoryBuilder::Take` gives, the first by SaveTrajectory(). Parts
  /// of 10^5 rows and more are stored best.
  /// @throws Error kInvalidArgument if there is no first part, or if `part` has
  ///     other signals or earlier times.
  void AppendTrajectory(ExperimentId id,
                        std::int64_t run,
                        const Trajectory& part);

  /// Forgets what run `run` recorded, if it has recorded something.
  void DropTrajectory(ExperimentId id, std::int64_t run);

  /// Stores the events of run `run`, in place of those it had.
  void SaveEvents(ExperimentId id, std::int64_t run, const EventLog& events);

  /// Stores the next events of a run: those of a long one are stored as it
  /// goes, the first by SaveEvents().
  /// @throws Error kInvalidArgument if there are no first ones.
  void AppendEvents(ExperimentId id, std::int64_t run, const EventLog& events);

  // What was stored.

  /// The newest first.
  [[nodiscard]] std::vector<ExperimentInfo> List(
      const ExperimentFilter& filter = {});

  [[nodiscard]] ExperimentRecord Read(ExperimentId id);

  /// The whole table of runs.
  [[nodiscard]] RunTable ReadRuns(ExperimentId id);

  /// The runs asked for that are missing or failed, in their order.
  [[nodiscard]] std::vector<RunRange> UnfinishedRuns(ExperimentId id);

  /// Why runs failed: the `limit` first of them.
  [[nodiscard]] std::vector<RunFailure> ReadFailures(ExperimentId id,
                                                     std::size_t limit);

  [[nodiscard]] Trajectory ReadTrajectory(ExperimentId id, std::int64_t run);

  [[nodiscard]] EventLog ReadEvents(ExperimentId id, std::int64_t run);

  /// The bytes of an attachment.
  [[nodiscard]] std::string ReadAttachment(ExperimentId id,
                                           std::string_view name);

  // What people do with experiments, running or not.

  /// Stores `bytes` under `name`, in place of what had this name.
  void Attach(ExperimentId id,
              const std::string& name,
              const std::string& media_type,
              std::string_view bytes);

  /// Does nothing if the experiment has the tag.
  /// @throws Error kInvalidArgument if `tag` is empty.
  void Tag(ExperimentId id, const std::string& tag);

  /// @throws Error kInvalidArgument if the experiment has no such tag.
  void Untag(ExperimentId id, const std::string& tag);

  /// Replaces the notes.
  void SetNotes(ExperimentId id, const std::string& notes);

  /// Deletes an experiment with all of its results; the file shrinks.
  /// @throws Error kInvalidArgument if it is running.
  void Delete(ExperimentId id);

  /// The same of several: of all or, if that fails for one, of none.
  void Delete(std::span<const ExperimentId> ids);

  /// Reads everything. Returns what is damaged, in words; nothing if the store
  /// is sound.
  [[nodiscard]] std::vector<std::string> FindDamage();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery
