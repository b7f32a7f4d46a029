// The cell types of other values: registers, logs, queues, sets, maps.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/deep.h"
#include "orrery/process/cells/least_interleaving.h"
#include "orrery/process/cells/log.h"
#include "orrery/process/cells/map.h"
#include "orrery/process/cells/queue.h"
#include "orrery/process/cells/register.h"
#include "orrery/process/cells/set.h"

namespace orrery::process {

namespace {

using internal::LeastInterleaving;
using ::testing::ElementsAre;
using ::testing::Pair;

template <typename C, typename... Effects>
C AfterAll(C state, const Effects&... effects) {
  (state.Apply(effects), ...);
  return state;
}

template <typename C, typename... Effects>
typename C::Effect InTurn(const Effects&... effects) {
  auto all = C::Empty();
  ((all = C::Sequentially(all, effects)), ...);
  return all;
}

template <typename C, typename... Effects>
typename C::Effect AtOnce(const Effects&... effects) {
  auto all = C::Empty();
  ((all = C::Concurrently(all, effects)), ...);
  return all;
}

struct Words {
  std::string operator()(std::monostate /*none*/) const { return "none"; }

  std::string operator()(bool value) const { return value ? "true" : "false"; }

  std::string operator()(std::int64_t value) const {
    return std::to_string(value);
  }

  std::string operator()(double value) const { return std::to_string(value); }

  std::string operator()(Duration value) const {
    return std::to_string(value.count());
  }

  std::string operator()(const std::string& value) const { return value; }
};

// "push.1: 3, pop: 2".
std::string Described(const auto& effect) {
  Record record;
  effect.Describe(record);
  std::string text;
  for (const Record::Field& field : record.fields()) {
    text += (text.empty() ? "" : ", ") + field.name + ": " +
            std::visit(Words(), field.value);
  }
  return text;
}

// The register.

using Reg = Register<int>;

const Reg::Effect kConflict = AtOnce<Reg>(Reg::Setting(8), Reg::Setting(9));

TEST(RegisterTest, HoldsWhatWasSetLast) {
  const Reg state = AfterAll(Reg(0), Reg::Setting(5), Reg::Setting(6));  // A8
  EXPECT_EQ(state.Value(), 6);
  EXPECT_FALSE(state.HasConflict());
}

TEST(RegisterTest, ObeysSetsThatAgree) {  // C1, C2
  const Reg state =
      AfterAll(Reg(0), AtOnce<Reg>(Reg::Setting(1), Reg::Setting(1)));
  EXPECT_EQ(state.Value(), 1);
  EXPECT_FALSE(state.HasConflict());
}

TEST(RegisterTest, ObeysNoneOfSetsThatDiffer) {  // B4
  const Reg state =
      AfterAll(Reg(1), AtOnce<Reg>(Reg::Setting(2), Reg::Setting(3)));
  EXPECT_EQ(state.Value(), 1);
  EXPECT_TRUE(state.HasConflict());
  EXPECT_EQ(AfterAll(state, Reg::Setting(7)).Value(), 7);
  EXPECT_FALSE(AfterAll(state, Reg::Setting(7)).HasConflict());
}

TEST(RegisterTest, CombinesEffectsAsInTheTable) {  // C3
  const auto none = Reg::Empty();
  const auto set = Reg::Setting(5);
  const auto set_conflict = InTurn<Reg>(set, kConflict);
  for (const auto& effect : {none, set, kConflict, set_conflict}) {
    EXPECT_EQ(AtOnce<Reg>(none, effect), effect);
    EXPECT_EQ(InTurn<Reg>(effect, set), set);
  }
  EXPECT_EQ(AtOnce<Reg>(set, kConflict), kConflict);
  EXPECT_EQ(AtOnce<Reg>(set, set_conflict), kConflict);
  EXPECT_EQ(AtOnce<Reg>(kConflict, set_conflict), kConflict);
  const Reg state = AfterAll(Reg(0), set_conflict);
  EXPECT_EQ(state.Value(), 5);
  EXPECT_TRUE(state.HasConflict());
}

TEST(RegisterTest, DescribesEffects) {
  EXPECT_EQ(Described(Reg::Setting(3)), "set: 3");
  EXPECT_EQ(Described(InTurn<Reg>(Reg::Setting(3), kConflict)),
            "set: 3, conflict: true");
}

TEST(RegisterTest, DescribesThatItCannotTellAValue) {
  EXPECT_EQ(Described(Register<std::vector<int>>::Setting({1})), "set: ...");
}

// LeastInterleaving.

std::vector<int> LeastOf(const std::vector<int>& a, const std::vector<int>& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;
  }
  std::vector<int> with_a = LeastOf({a.begin() + 1, a.end()}, b);
  with_a.insert(with_a.begin(), a.front());
  std::vector<int> with_b = LeastOf(a, {b.begin() + 1, b.end()});
  with_b.insert(with_b.begin(), b.front());
  return std::min(with_a, with_b);
}

LeastInterleaving<int> StrandOf(const std::vector<int>& entries) {
  LeastInterleaving<int> strand;
  for (const int entry : entries) {
    strand.Follow(LeastInterleaving<int>(entry));
  }
  return strand;
}

RC_GTEST_PROP(LeastInterleavingTest, StandsForTheLeastOfAllInterleavings, ()) {
  LeastInterleaving<int> strands;
  std::vector<int> expected;
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    std::vector<int> strand(*rc::gen::inRange<std::size_t>(0, 5));
    for (int& entry : strand) {
      entry = *rc::gen::inRange(0, 3);
    }
    strands.Join(StrandOf(strand));
    expected = LeastOf(expected, strand);
  }
  RC_ASSERT(strands.Sequence() == expected);
}

TEST(LeastInterleavingTest, TakesManyAtOnce) {
  constexpr int kMany = 100'000;
  LeastInterleaving<int> strands;
  for (int i = 0; i < kMany; ++i) {
    strands.Join(LeastInterleaving<int>((i * 7919) % kMany));  // A permutation.
  }
  const std::vector<int> sequence = std::move(strands).Sequence();
  ASSERT_EQ(sequence.size(), kMany);
  EXPECT_TRUE(std::ranges::is_sorted(sequence));
}

// Long strands of which each rest begins like the other to its very end.
TEST(LeastInterleavingTest, TakesLongOnesThatAreAlike) {
  LeastInterleaving<int> one;
  for (int i = 0; i < kDeep; ++i) {
    one.Follow(LeastInterleaving<int>(i % 2));
  }
  LeastInterleaving<int> strands = one;
  strands.Join(one);
  const std::vector<int> sequence = std::move(strands).Sequence();
  ASSERT_EQ(sequence.size(), 2 * kDeep);
  EXPECT_THAT(std::vector<int>(sequence.begin(), sequence.begin() + 8),
              ElementsAre(0, 0, 1, 0, 1, 0, 1, 0));
}

// The log.

using Text = Log<std::string>;

TEST(LogTest, KeepsTheOrderOfATask) {
  const auto effect =
      InTurn<Text>(Text::Appending("go"), Text::Appending("arrive"));
  EXPECT_THAT(AfterAll(Text({"start"}), effect).Value(),
              ElementsAre("start", "go", "arrive"));
}

TEST(LogTest, MergesWhatIsConcurrentByItsContent) {
  const auto one = InTurn<Text>(Text::Appending("b"), Text::Appending("d"));
  const auto two = InTurn<Text>(Text::Appending("a"), Text::Appending("z"));
  EXPECT_THAT(AfterAll(Text(), AtOnce<Text>(one, two)).Value(),
              ElementsAre("a", "b", "d", "z"));
  EXPECT_THAT(AfterAll(Text(), AtOnce<Text>(two, one)).Value(),
              ElementsAre("a", "b", "d", "z"));
}

TEST(LogTest, GoesOnAfterWhatWasConcurrent) {
  const auto effect =
      InTurn<Text>(AtOnce<Text>(Text::Appending("y"), Text::Appending("x")),
                   Text::Appending("a"));
  EXPECT_THAT(AfterAll(Text(), effect).Value(), ElementsAre("x", "y", "a"));
}

struct Entry {
  int machine = 0;
  std::string what;

  friend auto operator<=>(const Entry&, const Entry&) = default;
};

TEST(LogTest, TakesStructsWithAnOrder) {
  using C = Log<Entry>;
  const C log = AfterAll(
      C(), AtOnce<C>(C::Appending({2, "on"}), C::Appending({1, "off"})));
  EXPECT_EQ(log.Value().front().machine, 1);
}

TEST(LogTest, DescribesEffects) {
  EXPECT_EQ(Described(Text::Appending("a")), "append: a");
  EXPECT_EQ(Described(InTurn<Text>(Text::Appending("b"), Text::Appending("a"))),
            "append.1: b, append.2: a");
}

// The queue.

using Line = Queue<std::string>;

TEST(QueueTest, GivesTheOldestFirst) {
  const Line line =
      AfterAll(Line(), Line::Pushing("a"), Line::Pushing("b"), Line::Popping());
  EXPECT_THAT(line.Value(), ElementsAre("b"));
  EXPECT_FALSE(line.HasConflict());
}

TEST(QueueTest, PopsWhatTheSameStepHasPushed) {
  const auto effect =
      InTurn<Line>(Line::Pushing("b"), Line::Pushing("c"), Line::Popping(2));
  const Line line = AfterAll(Line({"a"}), effect);
  EXPECT_THAT(line.Value(), ElementsAre("c"));
  EXPECT_FALSE(line.HasConflict());
}

TEST(QueueTest, LetsOneTaskPushWhileAnotherPops) {
  const Line line =
      AfterAll(Line({"a"}), AtOnce<Line>(Line::Pushing("b"), Line::Popping()));
  EXPECT_THAT(line.Value(), ElementsAre("b"));
  EXPECT_FALSE(line.HasConflict());
}

TEST(QueueTest, OwesPopsOfWhatIsNotThere) {
  const Line owing = AfterAll(Line({"a"}), Line::Popping(3));
  EXPECT_THAT(owing.Value(), ElementsAre());
  EXPECT_EQ(owing.owed(), 2);
  EXPECT_TRUE(owing.HasConflict());
  const Line paid = AfterAll(
      owing, Line::Pushing("b"), Line::Pushing("c"), Line::Pushing("d"));
  EXPECT_THAT(paid.Value(), ElementsAre("d"));
  EXPECT_EQ(paid.owed(), 0);
  EXPECT_TRUE(paid.HasConflict());
}

TEST(QueueTest, OwesAPopBeforeAPushToo) {
  const auto pop_first = InTurn<Line>(Line::Popping(), Line::Pushing("b"));
  const auto push_first = InTurn<Line>(Line::Pushing("b"), Line::Popping());
  EXPECT_TRUE(AfterAll(Line(), pop_first).HasConflict());
  EXPECT_FALSE(AfterAll(Line(), push_first).HasConflict());
  EXPECT_EQ(AfterAll(Line(), pop_first).Value(),
            AfterAll(Line(), push_first).Value());
  EXPECT_FALSE(AfterAll(Line({"a"}), pop_first).HasConflict());
}

TEST(QueueTest, PopsOnceWhatTwoTasksTook) {
  const Line line = AfterAll(Line({"a", "b", "c"}),
                             AtOnce<Line>(Line::Popping(1), Line::Popping(2)));
  EXPECT_THAT(line.Value(), ElementsAre("c"));
  EXPECT_TRUE(line.HasConflict());
}

TEST(QueueTest, MergesConcurrentPushesByTheirContent) {
  const auto one = InTurn<Line>(Line::Pushing("b"), Line::Pushing("c"));
  EXPECT_THAT(AfterAll(Line(), AtOnce<Line>(one, Line::Pushing("a"))).Value(),
              ElementsAre("a", "b", "c"));
}

TEST(QueueTest, RefusesNumbersOfItemsThatAreNone) {
  try {
    Line::Popping(-2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot pop -2 items of a queue: it is not a number of items "
                 "from 0 to 2^31; pop as many as there are");
  }
}

TEST(QueueTest, DescribesEffects) {
  EXPECT_EQ(Described(InTurn<Line>(Line::Pushing("a"), Line::Popping(2))),
            "push: a, pop: 2");
  EXPECT_EQ(Described(AtOnce<Line>(Line::Popping(), Line::Popping())),
            "pop: 1, conflict: true");
}

// Compares with a queue to which a task does one thing after the other.
RC_GTEST_PROP(QueueTest, DoesAllInOneAsOneByOne, ()) {
  using C = Queue<int>;
  std::deque<int> expected;
  auto effect = C::Empty();
  bool missed = false;
  for (int n = *rc::gen::inRange(0, 20); n > 0; --n) {
    if (*rc::gen::inRange(0, 3) > 0) {
      expected.push_back(n);
      effect = C::Sequentially(effect, C::Pushing(n));
    } else {
      missed = missed || expected.empty();
      if (!expected.empty()) {
        expected.pop_front();
      }
      effect = C::Sequentially(effect, C::Popping());
    }
  }
  const C line = AfterAll(C(), effect);
  RC_ASSERT(line.HasConflict() == missed);
  if (!missed) {
    RC_ASSERT(line.Value() == expected);
  }
}

// Sets and maps.

using Numbers = Set<int>;

TEST(SetTest, LetsTheLastCountInATask) {
  const auto effect = InTurn<Numbers>(Numbers::Inserting(1),
                                      Numbers::Erasing(1),
                                      Numbers::Erasing(2),
                                      Numbers::Inserting(2));
  EXPECT_THAT(AfterAll(Numbers({1, 3}), effect).Value(), ElementsAre(2, 3));
}

TEST(SetTest, LetsInsertionsWinOverConcurrentErasures) {
  const auto effect =
      AtOnce<Numbers>(Numbers::Erasing(1), Numbers::Inserting(1));
  EXPECT_THAT(AfterAll(Numbers(std::set{1}), effect).Value(), ElementsAre(1));
  EXPECT_THAT(AfterAll(Numbers(), effect).Value(), ElementsAre(1));
}

TEST(SetTest, DescribesEffects) {
  EXPECT_EQ(Described(Numbers::Inserting(3)), "insert: 3");
  EXPECT_EQ(
      Described(AtOnce<Numbers>(Numbers::Inserting(3), Numbers::Erasing(5))),
      "insert.1: 3, erase.2: 5");
}

using Table = Map<std::string, int>;

TEST(MapTest, LetsTheLastCountInATask) {
  const auto effect = InTurn<Table>(Table::Putting("a", 1),
                                    Table::Putting("b", 2),
                                    Table::Erasing("a"),
                                    Table::Putting("b", 3));
  EXPECT_THAT(
      AfterAll(Table(std::map<std::string, int>{{"a", 7}}), effect).Value(),
      ElementsAre(Pair("b", 3)));
}

TEST(MapTest, KeepsKeysApart) {
  const auto effect =
      AtOnce<Table>(Table::Putting("b", 2), Table::Putting("a", 1));
  EXPECT_THAT(AfterAll(Table(), effect).Value(),
              ElementsAre(Pair("a", 1), Pair("b", 2)));
  EXPECT_FALSE(AfterAll(Table(), effect).HasConflict());
}

TEST(MapTest, LetsPuttingWinOverConcurrentErasing) {
  const auto effect =
      AtOnce<Table>(Table::Erasing("a"), Table::Putting("a", 1));
  const Table table =
      AfterAll(Table(std::map<std::string, int>{{"a", 7}}), effect);
  EXPECT_THAT(table.Value(), ElementsAre(Pair("a", 1)));
  EXPECT_FALSE(table.HasConflict());
}

TEST(MapTest, KeepsTheValueOfAKeyWherePutsDiffer) {
  const auto effect = AtOnce<Table>(
      Table::Putting("a", 1), Table::Putting("a", 2), Table::Putting("b", 3));
  const Table table =
      AfterAll(Table(std::map<std::string, int>{{"a", 7}}), effect);
  EXPECT_THAT(table.Value(), ElementsAre(Pair("a", 7), Pair("b", 3)));
  EXPECT_THAT(table.conflicts(), ElementsAre("a"));
  EXPECT_TRUE(AfterAll(table, Table::Putting("b", 4)).HasConflict());
  EXPECT_FALSE(AfterAll(table, Table::Erasing("a")).HasConflict());
}

TEST(MapTest, DescribesEffects) {
  EXPECT_EQ(Described(Table::Putting("a", 5)), "put.key: a, put.value: 5");
  EXPECT_EQ(Described(InTurn<Table>(Table::Erasing("a"), Table::Erasing("b"))),
            "erase.1: a, erase.2: b");
  EXPECT_EQ(
      Described(AtOnce<Table>(Table::Putting("a", 1), Table::Putting("a", 2))),
      "conflict: a");
}

}  // namespace

}  // namespace orrery::process
