#include "orrery/store/internal/run_locks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::store::internal {
namespace {

struct flock ByteOf(std::int64_t id, int type) {
  struct flock lock {};

  lock.l_type = static_cast<std::int16_t>(type);
  lock.l_whence = SEEK_SET;
  lock.l_start = id;
  lock.l_len = 1;
  return lock;
}

// A lock of the whole file, for its removal.
struct flock AllBytes() {
  struct flock lock = ByteOf(0, F_WRLCK);
  lock.l_len = 0;
  return lock;
}

// True if somebody else runs experiment `id`. Ignores locks for removal.
bool IsHeldByAnother(int file, std::int64_t id) {
  struct flock lock = ByteOf(id, F_WRLCK);
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK &&
         lock.l_len != 0;
}

}  // namespace

RunLocks::RunLocks(const std::string& store) : path_(store + "-run") {}

RunLocks::~RunLocks() {
  Close();
}

bool RunLocks::TryHold(std::int64_t id) {
  ORRERY_CHECK(!Holds(id));
  for (;;) {
    if (file_ < 0) {
      file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (file_ < 0) {
        Fail(errno);
      }
    }
    struct flock lock = ByteOf(id, F_WRLCK);
    if (fcntl(file_, F_OFD_SETLK, &lock) == 0) {
      if (!held_.empty() || IsStillThere()) {
        held_.insert(id);
        return true;
      }
      Close();  // Another one removed the file before we locked it.
    } else if (errno != EAGAIN && errno != EACCES) {
      const int code = errno;
      Close();
      Fail(code);
    } else if (IsHeldByAnother(file_, id)) {
      if (held_.empty()) {
        Close();
      }
      return false;
    }
  }
}

void RunLocks::Release(std::int64_t id) noexcept {
  if (held_.erase(id) == 0) {
    return;
  }
  if (held_.empty()) {
    Close();
    return;
  }
  struct flock lock = ByteOf(id, F_UNLCK);
  fcntl(file_, F_OFD_SETLK, &lock);
}

bool RunLocks::IsHeld(std::int64_t id) const {
  if (Holds(id)) {
    return true;
  }
  const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno != ENOENT) {
      Fail(errno);
    }
    return false;
  }
  const bool is_held = IsHeldByAnother(file, id);
  close(file);
  return is_held;
}

bool RunLocks::IsStillThere() const {
  struct stat ours {};

  struct stat there {};

  return fstat(file_, &ours) == 0 && stat(path_.c_str(), &there) == 0 &&
         ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

// Removes the file if nobody else has a lock.
void RunLocks::Close() noexcept {
  if (file_ < 0) {
    return;
  }
  held_.clear();
  struct flock lock = AllBytes();
  if (fcntl(file_, F_OFD_SETLK, &lock) == 0 && IsStillThere()) {
    unlink(path_.c_str());
  }
  close(std::exchange(file_, -1));
}

void RunLocks::Fail(int code) const {
  throw Error(
      ErrorCode::kIo,
      "cannot lock '" + path_ + "': " + std::generic_category().message(code));
}

}  // namespace orrery::store::internal
