#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace orrery::internal {

/// Says which experiments of a store are being run, and by whom, truly even
/// after kill -9: the file `<store>-run` is locked at the byte of the
/// experiment's number, by a lock that the kernel gives up with the process
/// (F_OFD_SETLK: one that belongs to this object, not to its process). The file
/// is empty, and there only while something runs or after a kill.
///
/// Functions throw Error kIo if the file cannot be used.
class RunLocks {
 public:
  /// @param store the path of the store, links followed.
  explicit RunLocks(const std::string& store);
  RunLocks(const RunLocks&) = delete;
  RunLocks& operator=(const RunLocks&) = delete;
  ~RunLocks();

  /// Holds experiment `id` until Release() or the end of this object. Returns
  /// whether it does; not if another one does.
  [[nodiscard]] bool TryHold(std::int64_t id);

  /// Whether this object holds it.
  [[nodiscard]] bool Holds(std::int64_t id) const { return held_.contains(id); }

  void Release(std::int64_t id) noexcept;

  /// Whether anybody holds it.
  [[nodiscard]] bool IsHeld(std::int64_t id) const;

 private:
  [[nodiscard]] bool IsStillThere() const;
  void Close() noexcept;
  [[noreturn]] void Fail(int code) const;

  std::string path_;
  int file_ = -1;  // Open while something is held.
  std::set<std::int64_t> held_;
};

/// Gives an experiment that `locks` holds up again at its end, unless it is to
/// be kept.
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

}  // namespace orrery::internal
