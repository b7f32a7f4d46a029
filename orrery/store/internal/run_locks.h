#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace orrery::store::internal {

/// The locks of running experiments of a store. They are reliable even after
/// kill -9: a lock is on the byte of the experiment's number in the file
/// `<store>-run`, and the kernel releases it with the process (F_OFD_SETLK: the
/// lock belongs to this object, not to its process). The file is empty. It
/// exists only while something runs, or after a kill.
///
/// Functions throw Error kIo if the file cannot be used.
class RunLocks {
 public:
  /// @param store the path of the store, links followed.
  explicit RunLocks(const std::string& store);
  RunLocks(const RunLocks&) = delete;
  RunLocks& operator=(const RunLocks&) = delete;
  ~RunLocks();

  /// Tries to lock experiment `id` until Release() or the end of this object.
  /// Returns false if another one has the lock.
  [[nodiscard]] bool TryHold(std::int64_t id);

  [[nodiscard]] bool Holds(std::int64_t id) const { return held_.contains(id); }

  void Release(std::int64_t id) noexcept;

  /// True if anybody has the lock.
  [[nodiscard]] bool IsHeld(std::int64_t id) const;

 private:
  [[nodiscard]] bool IsStillThere() const;
  void Close() noexcept;
  [[noreturn]] void Fail(int code) const;

  std::string path_;
  int file_ = -1;  // Open while there are locks.
  std::set<std::int64_t> held_;
};

/// Releases an experiment of `locks` at the end, unless it is to be kept.
class RunHold {
 public:
  RunHold(RunLocks& locks, std::int64_t id) : locks_(locks), id_(id) {}

  RunHold(const RunHold&) = delete;
  RunHold& operator=(const RunHold&) = delete;

  ~RunHold() {
    if (!is_kept_) {
      locks_.Release(id_);
    }
  }

  void Keep() noexcept { is_kept_ = true; }

 private:
  RunLocks& locks_;
  std::int64_t id_;
  bool is_kept_ = false;
};

}  // namespace orrery::store::internal
