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

/// Options for opening a store. Plain data.
struct StoreOptions {
  /// Writes and creates nothing. A store in a folder without write permission
  /// is read as it was when it was opened.
  bool read_only = false;

  /// The time to wait for another process that is writing.
  Duration busy_timeout = std::chrono::seconds(10);
};

/// Experiments with their results, in one SQLite file.
///
/// Many processes, and many threads, may use one file at once, each with an
/// ExperimentStore of its own: one object is for one thread at a time. While it
/// is open, files of SQLite (`-wal`, `-shm`) are beside it and, while
/// experiments run, a lock file (`-run`).
///
/// Every function that writes is one transaction: it is stored completely or
/// not at all. Once the function has returned, its data survive the end of the
/// process, even kill -9. (A power failure may undo the last transactions; it
/// leaves the file intact.) An experiment is run by the ExperimentStore that
/// began or resumed it; nobody else can write results to it. If that object or
/// its process ends before the experiment does, the experiment is interrupted,
/// and may be resumed, by one at a time.
///
/// All functions throw Error: kInvalidArgument for an experiment, run or name
/// that does not exist (the message lists those that do); kIo for a file that
/// is damaged, not writable, or locked for longer than the options allow, and
/// for a full disk; kUnsupported for a file of a newer Orrery.
///
/// Numbers are stored to the last bit, NaN and -0.0 too.
class ExperimentStore {
 public:
  /// Opens the store in the file `path`, which is created if it does not exist.
  /// @throws Error kIo also if the file is not a store.
  explicit ExperimentStore(const std::string& path,
                           const StoreOptions& options = {});

  ExperimentStore(const ExperimentStore&) = delete;
  ExperimentStore& operator=(const ExperimentStore&) = delete;

  /// Interrupts the experiments of this object that have not ended.
  ~ExperimentStore();

  /// The path as given.
  [[nodiscard]] const std::string& path() const noexcept;

  /// True if the file is still at its place. If it was removed or replaced,
  /// data written by this object are lost with it.
  [[nodiscard]] bool IsStillThere() const;

  /// Makes all writes of `writes` to this store one transaction: all are stored
  /// when it returns, none if it throws. Others cannot write meanwhile. This is
  /// the fastest way to make many small writes.
  void InOneTransaction(const std::function<void()>& writes);

  // Running an experiment.

  /// Creates an experiment, which this object runs until Finish().
  [[nodiscard]] ExperimentId Begin(const NewExperiment& experiment);

  /// Resumes an experiment that ended or was interrupted: this object runs it
  /// again. Its results stay.
  /// @throws Error kInvalidArgument if another process or object runs it.
  void Resume(ExperimentId id);

  /// Ends an experiment that this object runs.
  void Finish(ExperimentId id, const ExperimentEnd& end);

  /// Changes the number of runs asked for.
  void SetRunsAsked(ExperimentId id, std::int64_t runs);

  /// Replaces the document that determines the experiment, for changes while it
  /// runs.
  void SetDocument(ExperimentId id, std::string_view document);

  /// Adds `text` at the end of the experiment's log.
  void AppendLog(ExperimentId id, std::string_view text);

  /// Adds runs to the table. Of several deliveries of a run, the first
  /// completed one is kept; until one completes, the last failed one.
  /// @throws Error kInvalidArgument if sizes do not fit the table's columns.
  void AppendRuns(ExperimentId id, const RunBatch& batch);

  /// Stores the trajectory of run `run`, replacing an earlier one.
  void SaveTrajectory(ExperimentId id,
                      std::int64_t run,
                      const Trajectory& trajectory);

  /// Appends rows to the trajectory of a run. A long trajectory is stored in
  /// parts, as `TrajectoryBuilder::Take` returns them; the first part by
  /// SaveTrajectory(). Parts of 10^5 rows or more are best.
  /// @throws Error kInvalidArgument if there is no first part, or if `part` has
  ///     other signals or earlier times.
  void AppendTrajectory(ExperimentId id,
                        std::int64_t run,
                        const Trajectory& part);

  /// Deletes the recorded rows of run `run`, if there are any.
  void DropTrajectory(ExperimentId id, std::int64_t run);

  /// Stores the events of run `run`, replacing earlier ones.
  void SaveEvents(ExperimentId id, std::int64_t run, const EventLog& events);

  /// Stores the next events of a run: those of a long one are stored as it
  /// goes, the first by SaveEvents().
  /// @throws Error kInvalidArgument if there are no first ones.
  void AppendEvents(ExperimentId id, std::int64_t run, const EventLog& events);

  // Reading.

  /// The experiments, the newest first.
  [[nodiscard]] std::vector<ExperimentInfo> List(
      const ExperimentFilter& filter = {});

  [[nodiscard]] ExperimentRecord Read(ExperimentId id);

  /// The whole table of runs.
  [[nodiscard]] RunTable ReadRuns(ExperimentId id);

  /// The rows of the table for some runs, the first for run `runs.first`; less
  /// where the table ends. Of the others nothing is decoded.
  [[nodiscard]] RunTable ReadRunsIn(ExperimentId id, const RunRange& runs);

  /// The runs asked for that are missing or failed, in their order.
  [[nodiscard]] std::vector<RunRange> UnfinishedRuns(ExperimentId id);

  /// The reasons why runs failed: the first `limit` of them.
  [[nodiscard]] std::vector<RunFailure> ReadFailures(ExperimentId id,
                                                     std::size_t limit);

  [[nodiscard]] Trajectory ReadTrajectory(ExperimentId id, std::int64_t run);

  /// The signals of a trajectory, without its rows.
  [[nodiscard]] StoredSignals ReadSignals(ExperimentId id, std::int64_t run);

  /// The number of rows of a trajectory. Nothing is decoded.
  [[nodiscard]] std::int64_t CountRows(ExperimentId id, std::int64_t run);

  /// Some signals of a trajectory, in this order: of the others nothing is
  /// decoded. No signal has a derivative.
  /// @throws Error kInvalidArgument also for a name that it does not have.
  [[nodiscard]] Trajectory ReadTrajectory(ExperimentId id,
                                          std::int64_t run,
                                          std::span<const std::string> names);

  [[nodiscard]] EventLog ReadEvents(ExperimentId id, std::int64_t run);

  /// The bytes of an attachment.
  [[nodiscard]] std::string ReadAttachment(ExperimentId id,
                                           std::string_view name);

  /// The bytes of a range of it, as far as it has them. Only the parts of the
  /// file that hold them are read.
  [[nodiscard]] std::string ReadAttachment(ExperimentId id,
                                           std::string_view name,
                                           const ByteRange& range);

  // Managing experiments, running or not.

  /// Stores `bytes` under `name`, replacing an earlier attachment of that name.
  void Attach(ExperimentId id,
              const std::string& name,
              const std::string& media_type,
              std::string_view bytes);

  /// Adds `bytes` at the end of an attachment, which is made if there is none.
  /// A large one is stored as it grows, best by parts of 4 MB.
  void AppendAttachment(ExperimentId id,
                        const std::string& name,
                        const std::string& media_type,
                        std::string_view bytes);

  /// Adds a tag, unless the experiment has it already.
  /// @throws Error kInvalidArgument if `tag` is empty.
  void Tag(ExperimentId id, const std::string& tag);

  /// Removes a tag.
  /// @throws Error kInvalidArgument if the experiment does not have it.
  void Untag(ExperimentId id, const std::string& tag);

  /// Replaces the notes.
  void SetNotes(ExperimentId id, const std::string& notes);

  /// Deletes an experiment with all of its results; the file shrinks.
  /// @throws Error kInvalidArgument if it is running.
  void Delete(ExperimentId id);

  /// Deletes several experiments: all or, if that fails for one, none.
  void Delete(std::span<const ExperimentId> ids);

  /// Reads everything. Returns a text for each damage; none if the store is
  /// intact.
  [[nodiscard]] std::vector<std::string> FindDamage();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery
