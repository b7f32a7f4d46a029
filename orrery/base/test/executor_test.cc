#include "orrery/base/system/executor.h"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// From the last to the first.
class Backwards : public Executor {
 public:
  [[nodiscard]] std::size_t concurrency() const noexcept override { return 1; }

 private:
  void Run(std::size_t count, Task task) override {
    for (std::size_t i = count; i-- > 0;) {
      task(i);
    }
  }
};

TEST(ExecutorTest, ThrowsTheErrorOfTheLeastIndexWhicheverWasFirst) {
  Backwards executor;
  try {
    executor.ForEachThatMayThrow(10, [](std::size_t i) {
      if (i % 4 == 3) {
        throw Error(ErrorCode::kInvalidModel, "of " + std::to_string(i));
      }
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "of 3");
  }
}

TEST(ExecutorTest, CallsTheOthersAllTheSameWhenOneThrows) {
  Backwards executor;
  std::set<std::size_t> done;
  EXPECT_THROW(executor.ForEachThatMayThrow(
                   4,
                   [&done](std::size_t i) {
                     if (i == 2) {
                       throw Error(ErrorCode::kInvalidModel, "of 2");
                     }
                     done.insert(i);
                   }),
               Error);
  EXPECT_THAT(done, testing::ElementsAre(0, 1, 3));
}

TEST(ExecutorTest, ThrowsNothingIfNoFunctionDid) {
  Backwards executor;
  std::size_t sum = 0;
  executor.ForEachThatMayThrow(5, [&sum](std::size_t i) { sum += i; });
  EXPECT_EQ(sum, 10U);
}

}  // namespace
}  // namespace orrery
