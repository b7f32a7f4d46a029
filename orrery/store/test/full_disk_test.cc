// Stores on a disk that has little room left.

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/store/store.h"
#include "orrery/store/test/store_file.h"

namespace orrery {
namespace {

using testing::IsEmpty;

// How many bytes files may still grow by, and what they have given back.
std::atomic<std::int64_t>& RoomLeft() {
  static std::atomic<std::int64_t> room{0};
  return room;
}

std::int64_t SizeOfOpen(int file) {
  struct stat status {};

  return fstat(file, &status) == 0 ? status.st_size : 0;
}

ssize_t WriteToASmallDisk(int file, const void* data, size_t size, off_t at) {
  const auto end = static_cast<std::int64_t>(size) + at;
  const std::int64_t growth = std::max<std::int64_t>(0, end - SizeOfOpen(file));
  if (growth > RoomLeft()) {
    errno = ENOSPC;
    return -1;
  }
  RoomLeft() -= growth;
  return pwrite(file, data, size, at);
}

int TruncateOnASmallDisk(int file, off_t size) {
  RoomLeft() += std::max<std::int64_t>(0, SizeOfOpen(file) - size);
  return ftruncate(file, size);
}

// While it lives, the disk has so much room.
class SmallDisk {
 public:
  explicit SmallDisk(std::int64_t room) {
    RoomLeft() = room;
    Replace(reinterpret_cast<sqlite3_syscall_ptr>(&WriteToASmallDisk),
            reinterpret_cast<sqlite3_syscall_ptr>(&TruncateOnASmallDisk));
  }

  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  ~SmallDisk() { Replace(nullptr, nullptr); }

 private:
  static void Replace(sqlite3_syscall_ptr write, sqlite3_syscall_ptr truncate) {
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    for (const char* name : {"pwrite", "pwrite64"}) {
      if (system->xGetSystemCall(system, name) != nullptr) {
        system->xSetSystemCall(system, name, write);
      }
    }
    system->xSetSystemCall(system, "ftruncate", truncate);
  }
};

// Ten experiments of 1.6 MB each, of numbers that do not compress.
std::vector<ExperimentId> MakeLargeStore(const std::string& path) {
  ExperimentStore store(path);
  std::vector<ExperimentId> ids;
  RandomStream random(1, "bulk");
  for (int i = 0; i < 10; ++i) {
    ids.push_back(store.Begin({}));
    TrajectoryBuilder builder({{.name = "x", .column = 0}});
    for (int row = 0; row < 100'000; ++row) {
      builder.Append(row + random.Uniform01(), std::vector{random.Uniform01()});
    }
    store.SaveTrajectory(ids.back(), 0, builder.Take());
    store.Finish(ids.back(), {});
  }
  return ids;
}

class FullDiskTest : public StoreFileTest {};

TEST_F(FullDiskTest, DeleteGivesBackRoomOnADiskThatIsNearlyFull) {
  for (const std::int64_t room : {4'000'000, 1'000'000, 600'000}) {
    const std::vector<ExperimentId> ids = MakeLargeStore(path_);
    const auto before =
        static_cast<std::int64_t>(std::filesystem::file_size(path_));
    {
      ExperimentStore store(path_);
      const SmallDisk disk(room);
      store.Delete(std::span(ids).first(3));
      const auto after =
          static_cast<std::int64_t>(std::filesystem::file_size(path_));
      EXPECT_LT(after, before - 3'000'000) << room;
      EXPECT_GT(RoomLeft(), room + 2'000'000);
      EXPECT_THAT(store.FindDamage(), IsEmpty());
      EXPECT_EQ(store.ReadTrajectory(ids[3], 0).rows(), 100'000U);
    }
    std::filesystem::remove(path_);
  }
}

TEST_F(FullDiskTest, DeleteThatFindsNoRoomDeletesNothing) {
  const std::vector<ExperimentId> ids = MakeLargeStore(path_);
  ExperimentStore store(path_);
  {
    const SmallDisk disk(0);
    EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.Delete(ids.front()); }),
              "cannot write '$': the disk is full; free some space");
  }
  EXPECT_EQ(store.List().size(), 10U);
  EXPECT_THAT(store.FindDamage(), IsEmpty());
  store.Delete(ids.front());
  EXPECT_EQ(store.List().size(), 9U);
}

}  // namespace
}  // namespace orrery
