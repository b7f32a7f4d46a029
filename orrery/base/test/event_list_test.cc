#include "orrery/base/containers/event_list.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

constexpr std::int64_t kNever = EventList::kNever;

// A stamp that belongs to an id.
std::uint32_t StampOf(std::uint32_t id) {
  return ~id * 3;
}

// An event list together with a plain one that is certainly right.
class Checked {
 public:
  void Add(std::int64_t time, std::uint32_t id) {
    list_.Add(time, id, StampOf(id));
    plain_.emplace(time, id);
  }

  [[nodiscard]] bool AgreesOnNext() {
    const std::int64_t next = plain_.empty() ? kNever : plain_.begin()->first;
    return list_.NextTime() == next && list_.size() == plain_.size();
  }

  // True if both give the same entries for the next time.
  [[nodiscard]] bool PopNext(std::vector<std::uint32_t>& ids) {
    if (!AgreesOnNext()) {
      return false;
    }
    if (plain_.empty()) {
      return true;
    }
    now_ = plain_.begin()->first;
    ids.clear();
    if (!PopInto(ids)) {
      return false;
    }
    std::multiset<std::uint32_t> expected;
    for (auto at = plain_.begin(); at != plain_.end() && at->first == now_;) {
      expected.insert(at->second);
      at = plain_.erase(at);
    }
    return std::multiset<std::uint32_t>(ids.begin(), ids.end()) == expected &&
           AgreesOnNext();
  }

  void SweepOdd() {
    list_.Sweep([](const EventList::Entry& e) { return e.id % 2 == 0; });
    std::erase_if(plain_, [](const auto& e) { return e.second % 2 != 0; });
  }

  void Clear() {
    list_.Clear();
    plain_.clear();
  }

  [[nodiscard]] std::int64_t now() const { return now_; }

  [[nodiscard]] std::size_t size() const { return plain_.size(); }

 private:
  // Pops entries and ids in turn. Returns false if the entries differ from
  // those added.
  bool PopInto(std::vector<std::uint32_t>& ids) {
    takes_entries_ = !takes_entries_;
    if (!takes_entries_) {
      list_.Pop(now_, ids);
      return true;
    }
    const std::span<EventList::Entry> entries = list_.Pop(now_);
    for (const EventList::Entry& entry : entries) {
      ids.push_back(entry.id);
    }
    return std::ranges::all_of(entries, [&](const EventList::Entry& entry) {
      return entry.time == now_ && entry.stamp == StampOf(entry.id);
    });
  }

  EventList list_;
  std::multimap<std::int64_t, std::uint32_t> plain_;
  std::int64_t now_ = 0;
  bool takes_entries_ = false;
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
  std::vector<std::uint32_t> ids;
  std::uint32_t next_id = 0;
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
        list.Add(TimeAfter(list.now(), spread, random), next_id++);
      } else if (!list.PopNext(ids)) {
        return false;
      } else if (action > 13 && !ids.empty() && list.now() < kNever - 1) {
        list.Add(TimeAfter(list.now(), spread, random), next_id++);
      }
    }
    if (!list.AgreesOnNext()) {
      return false;
    }
  }
  while (list.size() > 0) {
    if (!list.PopNext(ids)) {
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

TEST(EventListTest, GivesAllOfATimeAtOnce) {
  EventList list;
  for (std::uint32_t id = 0; id < 2000; ++id) {
    list.Add(id % 2 == 0 ? 7 : 5, id);
  }
  std::vector<std::uint32_t> ids;
  ASSERT_EQ(list.NextTime(), 5);
  list.Pop(5, ids);
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_TRUE(std::ranges::all_of(ids, [](auto id) { return id % 2 == 1; }));
  EXPECT_EQ(list.NextTime(), 7);
  EXPECT_EQ(list.size(), 1000U);
}

TEST(EventListTest, PopsBehindWhatIsInTheVector) {
  EventList list;
  list.Add(3, 8);
  std::vector<std::uint32_t> ids = {1};
  list.Pop(list.NextTime(), ids);
  EXPECT_THAT(ids, testing::ElementsAre(1, 8));
}

// The entries of the least time come after those of `entries`.
void TakeNext(EventList& list, std::vector<EventList::Entry>& entries) {
  const auto next = list.Pop(list.NextTime());
  entries.insert(entries.end(), next.begin(), next.end());
}

TEST(EventListTest, GivesEachEntryAsItWasAdded) {
  EventList list;
  list.Add(3, 8, 20);
  list.Add(3, 8, 10);
  list.Add(4, 8);
  std::vector<EventList::Entry> entries = {{.time = 1, .id = 2, .stamp = 3}};
  TakeNext(list, entries);
  TakeNext(list, entries);
  EXPECT_THAT(entries,
              testing::UnorderedElementsAre(
                  EventList::Entry{.time = 1, .id = 2, .stamp = 3},
                  EventList::Entry{.time = 3, .id = 8, .stamp = 20},
                  EventList::Entry{.time = 3, .id = 8, .stamp = 10},
                  EventList::Entry{.time = 4, .id = 8, .stamp = 0}));
}

TEST(EventListTest, HoldsTheFirstAndTheLastTimeThereIs) {
  EventList list;
  std::vector<std::uint32_t> ids;
  list.Add(kNever - 1, 2);
  list.Add(0, 1);
  ASSERT_EQ(list.NextTime(), 0);
  list.Pop(0, ids);
  ASSERT_EQ(list.NextTime(), kNever - 1);
  list.Pop(kNever - 1, ids);
  EXPECT_THAT(ids, testing::ElementsAre(1, 2));
  EXPECT_EQ(list.NextTime(), kNever);
}

// Each is before all others: the near entries give away their later half again
// and again.
TEST(EventListTest, TakesTimesThatComeEverNearer) {
  Checked list;
  for (std::uint32_t id = 0; id < 20'000; ++id) {
    list.Add((20'000 - std::int64_t{id}) * 1'000'003, id);
    if (id % 1000 == 0) {
      ASSERT_TRUE(list.AgreesOnNext());
    }
  }
  std::vector<std::uint32_t> ids;
  while (list.size() > 0) {
    ASSERT_TRUE(list.PopNext(ids));
    ASSERT_EQ(ids.size(), 1U);
  }
}

// A run puts popped entries back when an input from outside comes earlier.
TEST(EventListTest, TakesBackWhatWasPoppedAndWhatComesBefore) {
  EventList list;
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < 1000; ++id) {
    list.Add(1000 + 10 * std::int64_t{id}, id);
  }
  ASSERT_EQ(list.NextTime(), 1000);
  list.Pop(1000, ids);
  list.Add(1000, 0);
  for (std::uint32_t id = 1000; id < 2000; ++id) {
    list.Add(2000 - std::int64_t{id}, id);
  }
  std::int64_t last = -1;
  while (list.size() > 0) {
    const std::int64_t next = list.NextTime();
    ASSERT_GT(next, last);
    last = next;
    ids.clear();
    list.Pop(next, ids);
    // 2000 - 1000 and the first.
    ASSERT_EQ(ids.size(), next == 1000 ? 2U : 1U);
  }
  EXPECT_EQ(last, 1000 + 10 * 999);
}

// All near entries are given away while a batch waits, because many entries of
// one earlier time arrive.
TEST(EventListTest, KeepsABatchBehindWhatComesBefore) {
  EventList list;
  for (std::uint32_t id = 0; id < 600; ++id) {
    list.Add(1000, id);
  }
  ASSERT_EQ(list.NextTime(), 1000);
  for (std::uint32_t id = 0; id < 600; ++id) {
    list.Add(500, id);
  }
  std::vector<std::uint32_t> ids;
  ASSERT_EQ(list.NextTime(), 500);
  list.Pop(500, ids);
  EXPECT_EQ(ids.size(), 600U);
  EXPECT_EQ(list.NextTime(), 1000);
  EXPECT_EQ(list.size(), 600U);
}

TEST(EventListTest, SweepsOutOfNearOnesBatchAndBuckets) {
  Checked list;
  std::uint32_t id = 0;
  for (int i = 0; i < 300; ++i) {
    list.Add(5, id++);
    list.Add(40 + i, id++);
    list.Add((std::int64_t{1} << 40) + i, id++);
  }
  ASSERT_TRUE(list.AgreesOnNext());  // The batch is taken.
  list.SweepOdd();
  EXPECT_EQ(list.size(), 450U);
  std::vector<std::uint32_t> ids;
  while (list.size() > 0) {
    ASSERT_TRUE(list.PopNext(ids));
  }
}

// Rungs within rungs: each cluster is a bucket of the one before it.
TEST(EventListTest, DropsWhatComesFirstUpToWhatHolds) {
  EventList list;
  for (std::uint32_t i = 0; i < 300; ++i) {
    list.Add(5, i);
    list.Add(40 + i, 300 + i);
  }
  list.Add(4, 600);
  const auto from = [](std::uint32_t id) {
    return [id](const EventList::Entry& entry) {
      return entry.id >= id;
    };
  };
  EXPECT_EQ(list.DropFirst(from(0)), 0U);
  EXPECT_EQ(list.NextTime(), 4);
  std::vector<std::uint32_t> ids;
  list.Pop(4, ids);
  EXPECT_EQ(list.DropFirst(from(310)), 310U);
  EXPECT_EQ(list.NextTime(), 50);
  EXPECT_EQ(list.size(), 290U);
  EXPECT_EQ(list.DropFirst(from(1000)), 290U);
  EXPECT_EQ(list.NextTime(), kNever);
  list.Add(3, 7);
  EXPECT_EQ(list.NextTime(), 3);
}

TEST(EventListTest, TakesClustersWithinClusters) {
  Checked list;
  std::uint32_t id = 0;
  for (std::int64_t width = std::int64_t{1} << 60; width > 0; width /= 64) {
    for (std::int64_t i = 0; i < 200; ++i) {
      list.Add(width + width / 200 * i, id++);
    }
  }
  std::vector<std::uint32_t> ids;
  while (list.size() > 0) {
    ASSERT_TRUE(list.PopNext(ids));
  }
}

// A snapshot.
TEST(EventListTest, GoesOnInACopyAsInItself) {
  EventList list;
  for (std::uint32_t id = 0; id < 5000; ++id) {
    list.Add((id * 2654435761U) % 1'000'003, id);
  }
  std::vector<EventList::Entry> popped;
  for (int i = 0; i < 1000; ++i) {
    TakeNext(list, popped);
  }
  EventList copy = list;
  std::vector<EventList::Entry> ours;
  std::vector<EventList::Entry> copied;
  while (list.size() > 0) {
    TakeNext(list, ours);
    TakeNext(copy, copied);
  }
  EXPECT_EQ(copy.size(), 0U);
  EXPECT_EQ(ours, copied);
  EXPECT_EQ(popped.size() + ours.size(), 5000U);
}

TEST(EventListTest, BeginsAnewAfterClear) {
  Checked list;
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < 2000; ++id) {
    list.Add(1'000'000 + 77 * std::int64_t{id}, id);
  }
  ASSERT_TRUE(list.PopNext(ids));
  list.Clear();
  EXPECT_TRUE(list.AgreesOnNext());
  list.Add(3, 1);
  EXPECT_TRUE(list.PopNext(ids));
  EXPECT_THAT(ids, testing::ElementsAre(1));
}

}  // namespace
}  // namespace orrery
