#include "orrery/server/children/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"

namespace orrery::server {
namespace {

class DetachedTest : public testing::Test {
 protected:
  // Starts a program of the shell that writes what it prints to a file.
  void Start(const std::string& script) {
    const std::string path = folder_.path() + "/told";
    ASSERT_TRUE(
        StartDetached({"/bin/sh",
                       "-c",
                       "{ " + script + "; } > '" + path + ".new'; mv '" + path +
                           ".new' '" + path + "'"}));
  }

  // Its message, once there is one.
  [[nodiscard]] std::string Told() const {
    for (int i = 0; i < 1000; ++i) {
      if (std::filesystem::exists(folder_.path() + "/told")) {
        return folder_.Read("told");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "nothing within 10 s";
  }

  TemporaryFolder folder_;
};

TEST_F(DetachedTest, ProgramIsOfAnotherSessionAndGroup) {
  Start("cut -d ' ' -f 5,6 /proc/$$/stat");
  std::istringstream told(Told());
  pid_t group = 0;
  pid_t session = 0;
  told >> group >> session;
  ASSERT_GT(session, 0);
  EXPECT_NE(session, getsid(0));
  EXPECT_NE(group, getpgrp());
}

TEST_F(DetachedTest, ProgramIsNoChildOfOurs) {
  Start("sleep 0.2; echo done");
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(Told(), "done\n");
}

TEST_F(DetachedTest, ProgramReadsAndWritesNothingOfOurs) {
  Start("readlink /proc/$$/fd/0; readlink /proc/$$/fd/2");
  EXPECT_EQ(Told(), "/dev/null\n/dev/null\n");
}

TEST_F(DetachedTest, ProgramOutlivesWhoStartedIt) {
  const pid_t starter = fork();
  if (starter == 0) {
    StartDetached({"/bin/sh",
                   "-c",
                   "sleep 0.3; echo alive > '" + folder_.path() +
                       "/new'; mv '" + folder_.path() + "/new' '" +
                       folder_.path() + "/told'"});
    raise(SIGKILL);
  }
  waitpid(starter, nullptr, 0);
  EXPECT_EQ(Told(), "alive\n");
}

}  // namespace
}  // namespace orrery::server
