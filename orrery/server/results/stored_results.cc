#include "orrery/server/results/stored_results.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

constexpr std::size_t kMostTables = 4;
constexpr std::size_t kMostRanges = 32;  // Limit of runs read anew.

// Moves what fits to the front. Returns null if nothing fits.
template <typename List, typename Fits>
auto FindIn(List& list, const Fits& fits) -> decltype(&list.front()) {
  const auto found = std::ranges::find_if(list, fits);
  if (found == list.end()) {
    return nullptr;
  }
  list.splice(list.begin(), list, found);
  return &list.front();
}

bool AreSameFile(const Descriptor& a, const Descriptor& b) {
  struct stat of_a {};

  struct stat of_b {};

  return fstat(a.number(), &of_a) == 0 && fstat(b.number(), &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

// The runs of a table that have not completed: others never change.
std::vector<RunRange> UnfinishedIn(const RunTable& table) {
  std::vector<RunRange> ranges;
  std::int64_t run = 0;
  for (const RunStatus status : table.status) {
    if (status != RunStatus::kCompleted) {
      if (ranges.empty() || ranges.back().first + ranges.back().count != run) {
        ranges.push_back({.first = run, .count = 0});
      }
      ++ranges.back().count;
    }
    ++run;
  }
  return ranges;
}

// Puts rows at those of the runs from `first` on.
void Replace(const RunTable& by, std::int64_t first, RunTable& table) {
  const auto begin = static_cast<std::size_t>(first);
  const std::size_t end = begin + by.status.size();
  if (table.status.size() < end) {
    table.status.resize(end);
    for (std::vector<double>& column : table.values) {
      column.resize(end);
    }
  }
  std::ranges::copy(by.status, table.status.begin() + first);
  for (std::size_t c = 0; c < table.values.size(); ++c) {
    std::ranges::copy(by.values[c], table.values[c].begin() + first);
  }
}

// The table of runs, of which `before` was read earlier; null: nothing.
RunTable ReadNewRuns(ExperimentStore& store,
                     ExperimentId id,
                     const RunTable* before) {
  std::vector<RunRange> ranges;
  if (before != nullptr) {
    ranges = UnfinishedIn(*before);
  }
  if (before == nullptr || ranges.size() > kMostRanges) {
    return store.ReadRuns(id);
  }
  RunTable table = *before;
  for (const RunRange& range : ranges) {
    Replace(store.ReadRunsIn(id, range), range.first, table);
  }
  const auto end = static_cast<std::int64_t>(table.status.size());
  Replace(store.ReadRunsIn(
              id, {.first = end, .count = std::numeric_limits<int>::max()}),
          end,
          table);
  return table;
}

}  // namespace

bool StoredResults::is_there() const {
  return access(path_.c_str(), R_OK) == 0;
}

// With `mutex_` held. Forgets what was read of a file that is no longer there.
// A descriptor of a path alone leaves the locks of SQLite when it is closed.
void StoredResults::LookForAnotherFile() {
  Descriptor place(open(path_.c_str(), O_PATH | O_CLOEXEC));
  if (AreSameFile(place, place_)) {
    return;
  }
  place_ = std::move(place);
  ++file_;
  readers_.clear();
  rows_.clear();
  trees_.Clear();
  tables_.clear();
}

StoredResults::Reader StoredResults::TakeReader() {
  std::unique_lock lock(mutex_);
  is_free_.wait(lock, [this] { return reading_ < kReaders; });
  ++reading_;
  LookForAnotherFile();
  if (readers_.empty()) {
    return {.file = file_, .store = nullptr};
  }
  Reader reader = std::move(readers_.back());
  readers_.pop_back();
  return reader;
}

void StoredResults::ReadFile(
    const std::function<void(ExperimentStore&, std::uint64_t file)>& read) {
  if (!is_there()) {
    throw HttpError{.status = 404,
                    .code = "store",
                    .message = "cannot find '" + path_ +
                               "': nothing was run in this folder yet",
                    .hint = ""};
  }

  // A reader whose read has failed is not used again.
  struct Turn {
    StoredResults& results;

    ~Turn() {
      const std::lock_guard lock(results.mutex_);
      --results.reading_;
      results.is_free_.notify_one();
    }
  };

  Reader reader = TakeReader();
  const Turn turn{*this};
  if (reader.store == nullptr) {
    reader.store = std::make_unique<ExperimentStore>(
        path_, StoreOptions{.read_only = true});
  }
  read(*reader.store, reader.file);
  const std::lock_guard lock(mutex_);
  if (reader.file == file_) {
    readers_.push_back(std::move(reader));
  }
}

void StoredResults::Read(const std::function<void(ExperimentStore&)>& read) {
  ReadFile(
      [&](ExperimentStore& store, std::uint64_t /*file*/) { read(store); });
}

void StoredResults::Write(const std::function<void(ExperimentStore&)>& write) {
  ExperimentStore store(path_);
  write(store);
}

std::shared_ptr<const SignalTree> StoredResults::Tree(ExperimentId id,
                                                      std::int64_t run) {
  std::shared_ptr<const SignalTree> tree;
  ReadFile([&](ExperimentStore& store, std::uint64_t file) {
    const std::string key =
        fmt::format("{} {} {} {}", file, id, run, store.CountRows(id, run));
    tree = trees_.Get(
        key, [&] { return SignalTree(store.ReadSignals(id, run).table); });
  });
  return tree;
}

Trajectory StoredResults::Rows(ExperimentId id,
                               std::int64_t run,
                               std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Trajectory rows;
  bool is_known = false;
  StoredRun of{.experiment = id, .run = run};
  ReadFile([&](ExperimentStore& store, std::uint64_t file) {
    of.file = file;
    of.rows = store.CountRows(id, run);
    {
      const std::lock_guard lock(mutex_);
      const KeptRows* const kept = FindIn(rows_, [&](const KeptRows& one) {
        return one.of == of && one.names == names;
      });
      if (kept != nullptr) {
        rows = kept->rows;
        is_known = true;
        return;
      }
    }
    rows = store.ReadTrajectory(id, run, names);
  });
  if (is_known) {
    return rows;
  }
  const std::lock_guard lock(mutex_);
  rows_.push_front(
      {.of = of,
       .names = std::move(names),
       .rows = rows,
       .bytes = sizeof(double) * rows.rows() * (rows.table()->columns() + 1)});
  std::size_t bytes = 0;
  for (auto kept = rows_.begin(); kept != rows_.end();) {
    bytes += kept->bytes;
    kept = bytes > kMostBytes ? rows_.erase(kept) : std::next(kept);
  }
  return rows;
}

std::shared_ptr<const RunTable> StoredResults::Table(ExperimentId id) {
  std::shared_ptr<const RunTable> table;
  RunCounts counts;
  std::uint64_t of_file = 0;
  bool is_known = false;
  ReadFile([&](ExperimentStore& store, std::uint64_t file) {
    of_file = file;
    counts = store.Read(id).info.runs;
    {
      const std::lock_guard lock(mutex_);
      const KeptTable* const kept = FindIn(tables_, [&](const KeptTable& one) {
        return one.file == file && one.id == id;
      });
      if (kept != nullptr) {
        is_known = kept->counts == counts;
        // A table of fewer runs than were asked for before would have rows too
        // many.
        table = kept->counts.asked <= counts.asked ? kept->table : nullptr;
      }
    }
    if (!is_known) {
      table =
          std::make_shared<const RunTable>(ReadNewRuns(store, id, table.get()));
    }
  });
  if (!is_known) {
    const std::lock_guard lock(mutex_);
    std::erase_if(tables_, [&](const KeptTable& one) { return one.id == id; });
    tables_.push_front(
        {.file = of_file, .id = id, .counts = counts, .table = table});
    if (tables_.size() > kMostTables) {
      tables_.pop_back();
    }
  }
  return table;
}

}  // namespace orrery::server
