#include "orrery/server/files/watch.h"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"

namespace orrery::server {
namespace {

class WatchTest : public testing::Test {
 protected:
  [[nodiscard]] int CountOf(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return told_[path];
  }

  // Waits until a file is told, at most 10 s.
  [[nodiscard]] bool IsTold(const std::string& path) {
    for (int i = 0; i < 1000 && CountOf(path) == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return CountOf(path) > 0;
  }

  TemporaryFolder folder_;
  std::mutex mutex_;
  std::map<std::string, int> told_;
  FolderWatch watch_{folder_.path(),
                     [this](const std::string& path, const std::string&) {
                       const std::lock_guard lock(mutex_);
                       ++told_[path];
                     }};
};

TEST_F(WatchTest, TellsWhileAnotherProgramGoesOnWriting) {
  folder_.Write("m.mo", "model M end M;");
  // Never a moment of 50 ms without an event, as a rule of any machine.
  for (int i = 0; i < 500 && CountOf("m.mo") == 0; ++i) {
    folder_.Write("log.txt", std::to_string(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GT(CountOf("m.mo"), 0);
}

TEST_F(WatchTest, TellsAgainAndAgainOfAFileThatIsWrittenAllTheTime) {
  for (int i = 0; i < 500 && CountOf("log.txt") < 3; ++i) {
    folder_.Write("log.txt", std::to_string(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GE(CountOf("log.txt"), 3);
}

TEST_F(WatchTest, TellsOnceOfWhatHappensWithinAMoment) {
  for (int i = 0; i < 5; ++i) {
    folder_.Write("m.mo", std::to_string(i));
  }
  ASSERT_TRUE(IsTold("m.mo"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LE(CountOf("m.mo"), 2);
}

TEST_F(WatchTest, TellsWhatHappensInAFolderThatIsMadeLater) {
  folder_.Write("parts/a.mo", "model A end A;");
  ASSERT_TRUE(IsTold("parts"));
  folder_.Write("parts/b.mo", "model B end B;");
  EXPECT_TRUE(IsTold("parts/b.mo"));
}

}  // namespace
}  // namespace orrery::server
