#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/results.h"
#include "orrery/server/files/descriptor.h"
#include "orrery/server/results/kept.h"
#include "orrery/server/results/signal_tree.h"

namespace orrery::server {

/// A run with a trajectory, as it was when it had this many rows.
struct StoredRun {
  std::uint64_t file = 0;  ///< Files at the path are counted.
  ExperimentId experiment = 0;
  std::int64_t run = 0;
  std::int64_t rows = 0;

  friend bool operator==(const StoredRun&, const StoredRun&) = default;
};

/// Experiments of a store for many readers at once. Two of them read the file
/// at a time; columns that were decoded are kept for a while, as long as the
/// file is the same one. Any thread may call the functions.
///
/// All functions throw HttpError 404 if there is no store yet, and Error as
/// ExperimentStore.
class StoredResults {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
  static constexpr std::size_t kReaders = 2;

  /// @param path of the file; it need not be there.
  explicit StoredResults(std::string path) : path_(std::move(path)) {}

  /// True if the file is there.
  [[nodiscard]] bool is_there() const;

  /// Calls `read` with a store that nobody else uses, which cannot be written.
  void Read(const std::function<void(ExperimentStore&)>& read);

  /// The same with the number of the file: that of another one at its place is
  /// another one.
  void ReadFile(
      const std::function<void(ExperimentStore&, std::uint64_t file)>& read);

  /// The same with a store that can be written.
  void Write(const std::function<void(ExperimentStore&)>& write);

  /// Signals of a run, and their tree.
  [[nodiscard]] std::shared_ptr<const SignalTree> Tree(ExperimentId id,
                                                       std::int64_t run);

  /// The rows of some signals of a run.
  [[nodiscard]] Trajectory Rows(ExperimentId id,
                                std::int64_t run,
                                std::vector<std::string> names);

  /// The table of the runs of an experiment.
  [[nodiscard]] std::shared_ptr<const RunTable> Table(ExperimentId id);

 private:
  struct KeptRows {
    StoredRun of;
    std::vector<std::string> names;
    Trajectory rows;
    std::size_t bytes = 0;
  };

  struct KeptTable {
    std::uint64_t file = 0;
    ExperimentId id = 0;
    RunCounts counts;
    std::shared_ptr<const RunTable> table;
  };

  struct Reader {
    std::uint64_t file = 0;
    std::unique_ptr<ExperimentStore> store;
  };

  [[nodiscard]] Reader TakeReader();
  void LookForAnotherFile();

  std::string path_;

  std::mutex mutex_;  // Guards what follows.
  std::condition_variable is_free_;
  Descriptor place_;        // The file's; nobody gets its number meanwhile.
  std::uint64_t file_ = 0;  // Counted.
  std::vector<Reader> readers_;  // All of this file.
  std::size_t reading_ = 0;
  std::list<KeptRows> rows_;  // The last used first, as below.
  std::list<KeptTable> tables_;

  Kept<SignalTree> trees_{4};
};

}  // namespace orrery::server
