#include "orrery/base/system/stop_scope.h"

#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery {
namespace {

class Fixed : public Attendant {
 public:
  explicit Fixed(bool goes_on) : goes_on_(goes_on) {}

  [[nodiscard]] bool goes_on() const noexcept override { return goes_on_; }

  void Post(std::function<void()> task) override { task(); }

  [[nodiscard]] bool Await() override { return goes_on_; }

 private:
  bool goes_on_;
};

TEST(StopScopeTest, WithoutAScopeNothingIsStopped) {
  EXPECT_FALSE(IsToStop());
  EXPECT_NO_THROW(ThrowIfStopped());
}

TEST(StopScopeTest, TheAttendantDecides) {
  const Fixed goes_on(true);
  const Fixed ends(false);
  {
    const StopScope scope(goes_on);
    EXPECT_NO_THROW(ThrowIfStopped());
  }
  const StopScope scope(ends);
  EXPECT_TRUE(IsToStop());
  EXPECT_THROW(ThrowIfStopped(), Stopped);
}

TEST(StopScopeTest, TheInnermostCountsAndGivesBackToTheOuter) {
  const Fixed ends(false);
  const StopScope outer(ends);
  {
    const Fixed goes_on(true);
    const StopScope inner(goes_on);
    EXPECT_FALSE(IsToStop());
  }
  EXPECT_TRUE(IsToStop());
}

TEST(StopScopeTest, OtherThreadsGoOn) {
  const Fixed ends(false);
  const StopScope scope(ends);
  bool is_to_stop = true;
  std::thread([&] { is_to_stop = IsToStop(); }).join();
  EXPECT_FALSE(is_to_stop);
}

}  // namespace
}  // namespace orrery
