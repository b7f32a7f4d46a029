#include "orrery/devs/internal/event_list.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::devs::internal {
namespace {

constexpr std::int64_t kNever = EventList::kNever;

// An event list beside a plain one that cannot be wrong.
class Checked {
 public:
  void Add(std::int64_t time, std::uint32_t model) {
    list_.Add(time, model);
    plain_.emplace(time, model);
  }

  [[nodiscard]] bool AgreesOnNext() {
    const std::int64_t next = plain_.empty() ? kNever : plain_.begin()->first;
    return list_.NextTime() == next && list_.size() == plain_.size();
  }

  // Whether both give the same models for the next time.
  [[nodiscard]] bool PopNext(std::vector<std::uint32_t>& models) {
    if (!AgreesOnNext()) {
      return false;
    }
    if (plain_.empty()) {
      return true;
    }
    now_ = plain_.begin()->first;
    models.clear();
    list_.Pop(now_, models);
    std::multiset<std::uint32_t> expected;
    for (auto at = plain_.begin(); at != plain_.end() && at->first == now_;) {
      expected.insert(at->second);
      at = plain_.erase(at);
    }
    return std::multiset<std::uint32_t>(models.begin(), models.end()) ==
               expected &&
           AgreesOnNext();
  }

  void SweepOdd() {
    list_.Sweep([](const EventList::Entry& e) { return e.model % 2 == 0; });
    std::erase_if(plain_, [](const auto& e) { return e.second % 2 != 0; });
  }

  void Clear() {
    list_.Clear();
    plain_.clear();
  }

  [[nodiscard]] std::int64_t now() const { return now_; }

  [[nodiscard]] std::size_t size() const { return plain_.size(); }

 private:
  EventList list_;
  std::multimap<std::int64_t, std::uint32_t> plain_;
  std::int64_t now_ = 0;
};

enum class Spread { kFew, kNear, kHuge, kDescending };

// A time after now, of a kind.
std::int64_t TimeAfter(std::int64_t now,
                       Spread spread,
                       std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) {
    return static_cast<std::int64_t>(random() % end);
  };
  const std::int64_t room = kNever - 1 - now;
  std::int64_t step = 0;
  switch (spread) {
    case Spread::kFew:
      step = below(4);
      break;
    case Spread::kNear:
      step = below(3000);
      break;
    case Spread::kHuge:
      step = static_cast<std::int64_t>(random() >> (1 + random() % 63));
      break;
    case Spread::kDescending:
      step = (std::int64_t{1} << 40) >> (random() % 40);
      break;
  }
  return now + std::min(step, room);
}

// Bursts of adding, popping and sweeping.
bool AgreesForLong(std::uint64_t seed, int num_bursts) {
  std::mt19937_64 random(seed);
  Checked list;
  std::vector<std::uint32_t> models;
  std::uint32_t next_model = 0;
  for (int burst = 0; burst < num_bursts; ++burst) {
    const auto spread = static_cast<Spread>(random() % 4);
    const auto count =
        static_cast<int>(random() % (random() % 8 == 0 ? 3000 : 60));
    const auto action = random() % 16;
    if (action == 0) {
      list.SweepOdd();
    }
    for (int i = 0; i < count; ++i) {
      if (action < 9) {
        list.Add(TimeAfter(list.now(), spread, random), next_model++);
      } else if (!list.PopNext(models)) {
        return false;
      } else if (action > 13 && !models.empty() && list.now() < kNever - 1) {
        list.Add(TimeAfter(list.now(), spread, random), next_model++);
      }
    }
    if (!list.AgreesOnNext()) {
      return false;
    }
  }
  while (list.size() > 0) {
    if (!list.PopNext(models)) {
      return false;
    }
  }
  return list.AgreesOnNext();
}

RC_GTEST_PROP(EventListTest, AgreesWithAMultimap, (std::uint64_t seed)) {
  RC_ASSERT(AgreesForLong(seed, 60));
}

TEST(EventListTest, OfNothingNeverComesNext) {
  EventList list;
  EXPECT_EQ(list.NextTime(), kNever);
  EXPECT_EQ(list.size(), 0U);
}

TEST(EventListTest, GivesAllModelsOfATimeAtOnce) {
  EventList list;
  for (std::uint32_t model = 0; model < 2000; ++model) {
    list.Add(model % 2 == 0 ? 7 : 5, model);
  }
  std::vector<std::uint32_t> models;
  ASSERT_EQ(list.NextTime(), 5);
  list.Pop(5, models);
  EXPECT_EQ(models.size(), 1000U);
  EXPECT_TRUE(
      std::ranges::all_of(models, [](auto model) { return model % 2 == 1; }));
  EXPECT_EQ(list.NextTime(), 7);
  EXPECT_EQ(list.size(), 1000U);
}

TEST(EventListTest, PopsBehindWhatIsInTheVector) {
  EventList list;
  list.Add(3, 8);
  std::vector<std::uint32_t> models = {1};
  list.Pop(list.NextTime(), models);
  EXPECT_THAT(models, testing::ElementsAre(1, 8));
}

TEST(EventListTest, HoldsTheFirstAndTheLastTimeThereIs) {
  EventList list;
  std::vector<std::uint32_t> models;
  list.Add(kNever - 1, 2);
  list.Add(0, 1);
  ASSERT_EQ(list.NextTime(), 0);
  list.Pop(0, models);
  ASSERT_EQ(list.NextTime(), kNever - 1);
  list.Pop(kNever - 1, models);
  EXPECT_THAT(models, testing::ElementsAre(1, 2));
  EXPECT_EQ(list.NextTime(), kNever);
}

// Each is before all there are: the heap gives its later half away again and
// again.
TEST(EventListTest, TakesTimesThatComeEverNearer) {
  Checked list;
  for (std::uint32_t model = 0; model < 20'000; ++model) {
    list.Add((20'000 - std::int64_t{model}) * 1'000'003, model);
    if (model % 1000 == 0) {
      ASSERT_TRUE(list.AgreesOnNext());
    }
  }
  std::vector<std::uint32_t> models;
  while (list.size() > 0) {
    ASSERT_TRUE(list.PopNext(models));
    ASSERT_EQ(models.size(), 1U);
  }
}

// A run puts back what it has popped when an input from outside comes before.
TEST(EventListTest, TakesBackWhatWasPoppedAndWhatComesBefore) {
  EventList list;
  std::vector<std::uint32_t> models;
  for (std::uint32_t model = 0; model < 1000; ++model) {
    list.Add(1000 + 10 * std::int64_t{model}, model);
  }
  ASSERT_EQ(list.NextTime(), 1000);
  list.Pop(1000, models);
  list.Add(1000, 0);
  for (std::uint32_t model = 1000; model < 2000; ++model) {
    list.Add(2000 - std::int64_t{model}, model);
  }
  std::int64_t last = -1;
  while (list.size() > 0) {
    const std::int64_t next = list.NextTime();
    ASSERT_GT(next, last);
    last = next;
    models.clear();
    list.Pop(next, models);
    // 2000 - 1000 and the first.
    ASSERT_EQ(models.size(), next == 1000 ? 2U : 1U);
  }
  EXPECT_EQ(last, 1000 + 10 * 999);
}

// So many of one earlier time come that the heap gives all of them away while
// a batch waits.
TEST(EventListTest, KeepsABatchBehindWhatComesBefore) {
  EventList list;
  for (std::uint32_t model = 0; model < 600; ++model) {
    list.Add(1000, model);
  }
  ASSERT_EQ(list.NextTime(), 1000);
  for (std::uint32_t model = 0; model < 600; ++model) {
    list.Add(500, model);
  }
  std::vector<std::uint32_t> models;
  ASSERT_EQ(list.NextTime(), 500);
  list.Pop(500, models);
  EXPECT_EQ(models.size(), 600U);
  EXPECT_EQ(list.NextTime(), 1000);
  EXPECT_EQ(list.size(), 600U);
}

TEST(EventListTest, SweepsOutOfHeapBatchAndBuckets) {
  Checked list;
  std::uint32_t model = 0;
  for (int i = 0; i < 300; ++i) {
    list.Add(5, model++);
    list.Add(40 + i, model++);
    list.Add((std::int64_t{1} << 40) + i, model++);
  }
  ASSERT_TRUE(list.AgreesOnNext());  // The batch is taken.
  list.SweepOdd();
  EXPECT_EQ(list.size(), 450U);
  std::vector<std::uint32_t> models;
  while (list.size() > 0) {
    ASSERT_TRUE(list.PopNext(models));
  }
}

TEST(EventListTest, BeginsAnewAfterClear) {
  Checked list;
  std::vector<std::uint32_t> models;
  for (std::uint32_t model = 0; model < 2000; ++model) {
    list.Add(1'000'000 + 77 * std::int64_t{model}, model);
  }
  ASSERT_TRUE(list.PopNext(models));
  list.Clear();
  EXPECT_TRUE(list.AgreesOnNext());
  list.Add(3, 1);
  EXPECT_TRUE(list.PopNext(models));
  EXPECT_THAT(models, testing::ElementsAre(1));
}

}  // namespace
}  // namespace orrery::devs::internal
