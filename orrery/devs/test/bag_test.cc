#include "orrery/devs/modeling/bag.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/reference.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {
namespace {

using testing::ElementsAre;

template <typename T>
std::vector<T> ToVector(const Messages<T>& messages) {
  return {messages.begin(), messages.end()};
}

/// Counts the living objects.
class Counted {
 public:
  Counted(std::int64_t* living, int value) : living_(living), value_(value) {
    ++*living_;
  }

  ~Counted() { --*living_; }

  Counted(const Counted& other)
      : living_(other.living_), value_(other.value_), text_(other.text_) {
    ++*living_;
  }

  Counted(Counted&& other) noexcept
      : living_(other.living_),
        value_(std::exchange(other.value_, -1)),
        text_(std::move(other.text_)) {
    ++*living_;
  }

  Counted& operator=(const Counted&) = delete;

  [[nodiscard]] int value() const { return value_; }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::int64_t* living_;
  int value_;
  // Owns memory, so that a leak or a double free is seen by a sanitizer.
  std::string text_ = "a text that does not fit into a short string";
};

/// A model with ports only.
class Outputs : public Model {
 public:
  Out<int> first{this, "first"};
  Out<std::string> second{this, "second"};
  Out<Counted> counted{this, "counted"};

  [[nodiscard]] const internal::AtomicOps* ops() const noexcept override {
    return nullptr;
  }
};

class BagTest : public testing::Test {
 protected:
  Bag Open() { return {outputs_, &outbox_, segments_.data(), 0}; }

  void Forget() {
    outbox_.DestroyMessages();
    segments_.assign(3, {});
    outbox_.Clear();
  }

  Outputs outputs_;
  std::vector<internal::Segment> segments_ = std::vector<internal::Segment>(3);
  internal::Outbox outbox_;
};

TEST_F(BagTest, KeepsTheOrderOfSending) {
  Bag y = Open();
  std::vector<int> sent;
  for (int i = 0; i < 1000; ++i) {
    y.Send(outputs_.first, i);
    sent.push_back(i);
  }
  EXPECT_EQ(ToVector(y[outputs_.first]), sent);
  EXPECT_EQ(y[outputs_.first].size(), 1000U);
  EXPECT_TRUE(y[outputs_.second].empty());
}

TEST_F(BagTest, KeepsPortsApartThatAreUsedInTurn) {
  Bag y = Open();
  std::vector<int> numbers;
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) {
    y.Send(outputs_.first, i);
    y.Send(outputs_.second, "message number " + std::to_string(i));
    numbers.push_back(i);
    texts.push_back("message number " + std::to_string(i));
  }
  EXPECT_EQ(ToVector(y[outputs_.first]), numbers);
  EXPECT_EQ(ToVector(y[outputs_.second]), texts);
  EXPECT_THAT(outbox_.sent, ElementsAre(0, 1));
}

TEST_F(BagTest, NotesEachPortOnceInTheOrderOfFirstUse) {
  Bag y = Open();
  y.Send(outputs_.second, std::string("a"));
  y.Send(outputs_.first, 1);
  y.Send(outputs_.second, std::string("b"));
  EXPECT_THAT(outbox_.sent, ElementsAre(1, 0));
}

TEST_F(BagTest, MovesMessagesWhereMoreNeedRoom) {
  std::int64_t living = 0;
  Bag y = Open();
  for (int i = 0; i < 100; ++i) {
    y.Send(outputs_.counted, Counted(&living, i));
    y.Send(outputs_.first, i);  // Takes the place behind.
  }
  EXPECT_EQ(living, 100);
  int next = 0;
  for (const Counted& message : y[outputs_.counted]) {
    EXPECT_EQ(message.value(), next++);
    EXPECT_EQ(message.text(), "a text that does not fit into a short string");
  }
  EXPECT_EQ(next, 100);
  Forget();  // While the counter of the messages lives.
  EXPECT_EQ(living, 0);
}

TEST_F(BagTest, DestroysEachMessageOnce) {
  std::int64_t living = 0;
  for (int round = 1; round < 40; ++round) {
    Bag y = Open();
    for (int i = 0; i < round; ++i) {
      y.Send(outputs_.counted, Counted(&living, i));
    }
    EXPECT_EQ(living, round);
    Forget();
    EXPECT_EQ(living, 0);
  }
}

TEST_F(BagTest, DestroysWhatIsLeftAtTheEnd) {
  std::int64_t living = 0;
  {
    std::vector<internal::Segment> segments(3);
    internal::Outbox outbox;
    Bag y(outputs_, &outbox, segments.data(), 0);
    y.Send(outputs_.counted, Counted(&living, 1));
    EXPECT_EQ(living, 1);
  }
  EXPECT_EQ(living, 0);
}

TEST_F(BagTest, UsesTheSameMemoryAgain) {
  const auto fill = [&] {
    Bag y = Open();
    for (int i = 0; i < 5000; ++i) {
      y.Send(outputs_.first, i);
      y.Send(outputs_.second, std::string("x"));
    }
    const void* const at = segments_[0].data;
    Forget();
    return at;
  };
  fill();  // Finds out the size needed.
  const void* const second = fill();
  EXPECT_EQ(fill(), second);
}

/// Sends the given messages at 1 ns and again at 2 ns, ...
template <typename T>
class BagSource : public Atomic<BagSource<T>> {
 public:
  struct State {
    int events = 0;
  };

  Out<T> out{this, "out"};
  Out<T> more{this, "more"};

  explicit BagSource(std::vector<T> values) : values_(std::move(values)) {}

  Duration TimeAdvance(const State&) const { return Duration(1); }

  void Output(const State&, Bag& y) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      y.Send(i % 3 == 2 ? more : out, values_[i]);
    }
  }

  void Internal(State& s) const { ++s.events; }

 private:
  std::vector<T> values_;
};

template <typename T>
class BagSink : public Atomic<BagSink<T>> {
 public:
  struct State {
    std::vector<T> received;
    std::size_t size = 0;
  };

  In<T> in{this, "in"};

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    s.received = {x[in].begin(), x[in].end()};
    s.size = x[in].size();
  }
};

class BagBox : public Coupled {
 public:
  In<std::string> in{this, "in"};
  Out<std::string> out{this, "out"};
};

using Text = std::string;

// The sources are declared, and move, in another order than their couplings.
TEST(MessagesTest, ComeInTheOrderOfCouplingsThenOfSending) {
  Coupled box("box");
  auto& sink = box.Add<BagSink<Text>>("sink");
  auto& a = box.Add<BagSource<Text>>("a", std::vector<Text>{"a1", "a2", "a3"});
  auto& b = box.Add<BagSource<Text>>("b", std::vector<Text>{"b1", "b2", "b3"});
  box.Couple(b.more, sink.in);
  box.Couple(a.out, sink.in);
  box.Couple(b.out, sink.in);
  box.Couple(a.more, sink.in);
  Simulator run(box);
  run.RunUntil(Duration(1));
  EXPECT_THAT(run.state(sink).received,
              ElementsAre("b3", "a1", "a2", "b1", "b2", "a3"));
  EXPECT_EQ(run.state(sink).size, 6U);
}

TEST(MessagesTest, ComeInTheOrderOfCouplingsAtEachLevel) {
  Coupled box("box");
  auto& a = box.Add<BagSource<Text>>("a", std::vector<Text>{"a1", "a2"});
  auto& up = box.Add<BagBox>("up");
  auto& b = up.Add<BagSource<Text>>("b", std::vector<Text>{"b1"});
  auto& c = up.Add<BagSource<Text>>("c", std::vector<Text>{"c1"});
  auto& down = box.Add<BagBox>("down");
  auto& d = down.Add<BagSource<Text>>("d", std::vector<Text>{"d1"});
  auto& sink = down.Add<BagSink<Text>>("sink");
  auto& other = down.Add<BagSink<Text>>("other");
  up.Couple(c.out, up.out);
  up.Couple(b.out, up.out);
  box.Couple(up.out, down.in);
  box.Couple(a.out, down.in);
  down.Couple(d.out, sink.in);
  down.Couple(down.in, sink.in);
  down.Couple(down.in, other.in);
  Simulator run(box);
  ReferenceSimulator reference(box);
  run.RunUntil(Duration(3));
  reference.RunUntil(Duration(3));
  EXPECT_THAT(run.state(sink).received,
              ElementsAre("d1", "c1", "b1", "a1", "a2"));
  EXPECT_THAT(run.state(other).received, ElementsAre("c1", "b1", "a1", "a2"));
  EXPECT_EQ(reference.state(sink).received, run.state(sink).received);
  EXPECT_EQ(reference.state(other).received, run.state(other).received);
}

TEST(MessagesTest, ComeTwiceByTwoWays) {
  Coupled box("box");
  auto& a = box.Add<BagSource<Text>>("a", std::vector<Text>{"a1"});

  class TwoInputs : public Coupled {
   public:
    In<Text> first{this, "first"};
    In<Text> second{this, "second"};
  };

  auto& down = box.Add<TwoInputs>("down");
  auto& sink = down.Add<BagSink<Text>>("sink");
  box.Couple(a.out, down.first);
  box.Couple(a.out, down.second);
  down.Couple(down.first, sink.in);
  down.Couple(down.second, sink.in);
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    Simulator run(box, {.formalism = formalism});
    run.RunUntil(Duration(1));
    EXPECT_THAT(run.state(sink).received, ElementsAre("a1", "a1"));
    EXPECT_EQ(run.statistics().messages, 2);
  }
}

TEST(MessagesTest, AreInjectedInTheOrderOfTheCalls) {
  BagBox box;
  auto& sink = box.Add<BagSink<Text>>("sink");
  box.Couple(box.in, sink.in);
  Simulator run(box);
  run.Inject(box.in, Text("b"), Duration(2));
  run.Inject(box.in, Text("c"), Duration(2));
  run.Inject(box.in, Text("a"), Duration(1));
  run.Inject(box.in, Text("d"), Duration(2));
  run.RunUntil(Duration(2));
  EXPECT_THAT(run.state(sink).received, ElementsAre("b", "c", "d"));
}

// Through lists and single sources.
TEST(MessagesTest, OfARunAreDestroyedOnce) {
  std::int64_t living = 0;
  std::int64_t of_models = 0;
  {
    Coupled box("box");
    std::vector<Counted> values;
    values.reserve(7);
    for (int i = 0; i < 7; ++i) {
      values.emplace_back(&living, i);
    }
    auto& a = box.Add<BagSource<Counted>>("a", values);
    auto& b = box.Add<BagSource<Counted>>("b", values);

    class CountingSink : public Atomic<CountingSink> {
     public:
      struct State {
        std::size_t received = 0;
      };

      In<Counted> in{this, "in"};

      void External(State& s, Duration /*elapsed*/, const Bag& x) const {
        for (const Counted& message : x[in]) {
          s.received += message.value() >= 0 ? 1U : 0U;
        }
      }
    };

    auto& one = box.Add<CountingSink>("one");
    auto& both = box.Add<CountingSink>("both");
    box.Couple(a.out, one.in);
    box.Couple(a.out, both.in);
    box.Couple(b.more, both.in);
    of_models = living;
    for (const Formalism formalism :
         {Formalism::kParallel, Formalism::kClassic}) {
      Simulator run(box, {.formalism = formalism});
      ReferenceSimulator reference(box, {.formalism = formalism});
      run.RunUntil(Duration(50));
      reference.RunUntil(Duration(50));
      EXPECT_EQ(run.state(one).received, 50U * 5U);
      EXPECT_EQ(run.state(both).received, 50U * 7U);
      EXPECT_EQ(reference.state(both).received, 50U * 7U);
    }
    EXPECT_EQ(living, of_models);
  }
  EXPECT_EQ(living, 0);
}

TEST(MessagesTest, MayOwnMemory) {
  using Numbers = std::vector<int>;
  Coupled box("box");
  auto& a = box.Add<BagSource<Numbers>>(
      "a", std::vector<Numbers>{{1, 2, 3}, {}, {4}, {5, 6}});
  auto& sink = box.Add<BagSink<Numbers>>("sink");
  box.Couple(a.out, sink.in);
  Simulator run(box);
  run.RunUntil(Duration(3));
  EXPECT_THAT(run.state(sink).received,
              ElementsAre(Numbers{1, 2, 3}, Numbers{}, Numbers{5, 6}));
}

}  // namespace
}  // namespace orrery::devs
