#include "orrery/devs/engine/network.h"

#include <cstdint>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Node : public Atomic<Node> {
 public:
  struct State {};

  In<int> in{this, "in"};
  In<int> other{this, "other"};
  Out<int> out{this, "out"};

  void External(State&, Duration, const Bag&) const {}
};

class NestedBox : public Coupled {
 public:
  using Coupled::Coupled;

  In<int> in{this, "in"};
  Out<int> out{this, "out"};
};

constexpr std::uint32_t kNothing = Network::kNothing;

// The source of input `in` of an atomic model, or of its other one.
std::uint32_t SourceOf(const Network& network,
                       const Model& model,
                       std::uint32_t input = 0) {
  return network
      .source_of_inputs()[network.first_input(network.NumberOf(model)) + input];
}

std::uint32_t OutputOf(const Network& network, const Model& model) {
  return network.first_output(network.NumberOf(model));
}

// The sources in a list, by their place.
std::vector<std::uint32_t> ItemsOf(const Network& network,
                                   std::uint32_t source) {
  const std::uint32_t list = source - network.num_outputs();
  std::map<std::uint32_t, std::uint32_t> items;
  for (std::uint32_t s = 0; s < network.num_outputs() + network.num_lists();
       ++s) {
    for (const Network::Place place : network.places(s)) {
      if (place.list == list) {
        items.emplace(place.position, s);
      }
    }
  }
  std::vector<std::uint32_t> result;
  for (const auto& [position, item] : items) {
    EXPECT_EQ(position, result.size());
    result.push_back(item);
  }
  return result;
}

TEST(NetworkTest, ReadsASingleOutputWhereItIs) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  box.Couple(a.out, b.other);
  const Network network(box);
  EXPECT_EQ(SourceOf(network, b, 1), OutputOf(network, a));
  EXPECT_EQ(SourceOf(network, b, 0), kNothing);
  EXPECT_EQ(network.num_lists(), 0U);
  EXPECT_THAT(network.receivers(OutputOf(network, a)),
              ElementsAre(network.NumberOf(b)));
}

TEST(NetworkTest, NumbersAtomicModelsDepthFirst) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& inner = box.Add<NestedBox>("inner");
  auto& b = inner.Add<Node>("b");
  auto& c = box.Add<Node>("c");
  const Network network(box);
  EXPECT_THAT(network.atomics(), ElementsAre(&a, &b, &c));
  EXPECT_EQ(network.NumberOf(c), 2U);
}

TEST(NetworkTest, FollowsAChainOfBoxesDownAndUp) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& outer = box.Add<NestedBox>("outer");
  auto& inner = outer.Add<NestedBox>("inner");
  auto& b = inner.Add<Node>("b");
  auto& c = box.Add<Node>("c");
  box.Couple(a.out, outer.in);
  outer.Couple(outer.in, inner.in);
  inner.Couple(inner.in, b.in);
  inner.Couple(b.out, inner.out);
  outer.Couple(inner.out, outer.out);
  box.Couple(outer.out, c.in);
  box.Couple(outer.out, box.out);
  const Network network(box);
  EXPECT_EQ(SourceOf(network, b), OutputOf(network, a));
  EXPECT_EQ(SourceOf(network, c), OutputOf(network, b));
  EXPECT_THAT(network.source_of_exits(), ElementsAre(OutputOf(network, b)));
  EXPECT_EQ(network.num_lists(), 0U);
}

TEST(NetworkTest, DropsWhatLeadsNowhere) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& empty = box.Add<NestedBox>("empty");
  auto& b = box.Add<Node>("b");
  box.Couple(a.out, empty.in);  // Nothing takes it inside.
  box.Couple(empty.out, b.in);  // Nothing sends inside.
  box.Couple(box.in, empty.in);
  const Network network(box);
  EXPECT_EQ(SourceOf(network, b), kNothing);
  EXPECT_THAT(network.receivers(OutputOf(network, a)), IsEmpty());
  EXPECT_THAT(network.receivers(network.EntryOf(box.in)), IsEmpty());
  EXPECT_THAT(network.source_of_exits(), ElementsAre(kNothing));
  EXPECT_EQ(network.num_lists(), 0U);
}

TEST(NetworkTest, KeepsOneSourceWhereAnotherLeadsNowhere) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& empty = box.Add<NestedBox>("empty");
  auto& b = box.Add<Node>("b");
  box.Couple(empty.out, b.in);
  box.Couple(a.out, b.in);
  const Network network(box);
  EXPECT_EQ(SourceOf(network, b), OutputOf(network, a));
}

TEST(NetworkTest, ListsSourcesInTheOrderOfTheCouplings) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  auto& c = box.Add<Node>("c");
  box.Couple(b.out, c.in);
  box.Couple(box.in, c.in);
  box.Couple(a.out, c.in);
  const Network network(box);
  EXPECT_EQ(network.num_lists(), 1U);
  EXPECT_THAT(
      ItemsOf(network, SourceOf(network, c)),
      ElementsAre(
          OutputOf(network, b), network.EntryOf(box.in), OutputOf(network, a)));
}

TEST(NetworkTest, SharesAListAmongInputsThatTheSameReaches) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  auto& c = box.Add<Node>("c");
  auto& d = box.Add<Node>("d");
  for (Node* to : {&c, &d}) {
    box.Couple(a.out, to->in);
    box.Couple(b.out, to->in);
  }
  box.Couple(b.out, c.other);
  box.Couple(a.out, c.other);  // The other order is another list.
  const Network network(box);
  EXPECT_EQ(network.num_lists(), 2U);
  EXPECT_EQ(SourceOf(network, c), SourceOf(network, d));
  EXPECT_NE(SourceOf(network, c), SourceOf(network, c, 1));
  EXPECT_THAT(network.receivers(SourceOf(network, c)),
              ElementsAre(network.NumberOf(c), network.NumberOf(d)));
}

TEST(NetworkTest, NestsAListThatOthersReadToo) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  auto& inner = box.Add<NestedBox>("inner");
  auto& c = inner.Add<Node>("c");
  auto& d = inner.Add<Node>("d");
  box.Couple(a.out, inner.in);
  box.Couple(b.out, inner.in);
  inner.Couple(inner.in, c.in);
  inner.Couple(c.out, d.in);
  inner.Couple(inner.in, d.in);
  const Network network(box);
  ASSERT_EQ(network.num_lists(), 2U);
  const std::uint32_t outer_list = SourceOf(network, c);
  const std::uint32_t inner_list = SourceOf(network, d);
  EXPECT_THAT(ItemsOf(network, outer_list),
              ElementsAre(OutputOf(network, a), OutputOf(network, b)));
  EXPECT_THAT(ItemsOf(network, inner_list),
              ElementsAre(OutputOf(network, c), outer_list));
  EXPECT_EQ(network.level_of_list(outer_list - network.num_outputs()), 1U);
  // It ends at d alone.
  EXPECT_EQ(network.level_of_list(inner_list - network.num_outputs()), 0U);
}

TEST(NetworkTest, PutsAListThatOneOtherReadsInItsPlace) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  auto& inner = box.Add<NestedBox>("inner");
  auto& c = inner.Add<Node>("c");
  auto& d = inner.Add<Node>("d");
  box.Couple(a.out, inner.in);
  box.Couple(b.out, inner.in);
  inner.Couple(c.out, d.in);
  inner.Couple(inner.in, d.in);
  const Network network(box);
  EXPECT_EQ(network.num_lists(), 1U);
  EXPECT_THAT(
      ItemsOf(network, SourceOf(network, d)),
      ElementsAre(
          OutputOf(network, c), OutputOf(network, a), OutputOf(network, b)));
}

TEST(NetworkTest, KeepsAListThatTwoOthersReadOnce) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  auto& inner = box.Add<NestedBox>("inner");
  auto& c = inner.Add<Node>("c");
  auto& d = inner.Add<Node>("d");
  box.Couple(a.out, inner.in);
  box.Couple(b.out, inner.in);
  inner.Couple(inner.in, c.in);
  inner.Couple(d.out, c.in);
  inner.Couple(inner.in, d.in);
  inner.Couple(c.out, d.in);
  const Network network(box);
  EXPECT_EQ(network.num_lists(), 3U);
  const auto of_c = ItemsOf(network, SourceOf(network, c));
  const auto of_d = ItemsOf(network, SourceOf(network, d));
  ASSERT_EQ(of_c.size(), 2U);
  ASSERT_EQ(of_d.size(), 2U);
  EXPECT_EQ(of_c[0], of_d[0]);
  EXPECT_THAT(ItemsOf(network, of_c[0]),
              ElementsAre(OutputOf(network, a), OutputOf(network, b)));
  EXPECT_THAT(network.receivers(of_c[0]), IsEmpty());
}

TEST(NetworkTest, KeepsASourceTwiceThatComesByTwoWays) {
  class TwoInputs : public Coupled {
   public:
    In<int> first{this, "first"};
    In<int> second{this, "second"};
  };

  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& inner = box.Add<TwoInputs>("inner");
  auto& b = inner.Add<Node>("b");
  box.Couple(a.out, inner.first);
  box.Couple(a.out, inner.second);
  inner.Couple(inner.first, b.in);
  inner.Couple(inner.second, b.in);
  const Network network(box);
  EXPECT_THAT(ItemsOf(network, SourceOf(network, b)),
              ElementsAre(OutputOf(network, a), OutputOf(network, a)));
}

TEST(CoupledTest, PriorityStaysWithThePartsThatStay) {
  NestedBox box("box");
  auto& a = box.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  auto& c = box.Add<Node>("c");
  const std::vector<const Model*> order = {&b, &c};
  box.SetPriority(order);
  box.Remove(a);
  const std::vector<const Model*> imminent = {&c, &b};
  EXPECT_EQ(&box.select()(imminent), &b);
}

TEST(NetworkTest, NamesAModelThatIsNotInIt) {
  NestedBox box("box");
  auto& inner = box.Add<NestedBox>("inner");
  const Network network(box);
  EXPECT_THROW(static_cast<void>(network.NumberOf(inner)), Error);
}

TEST(NetworkTest, TakesAPartForTheOutermostModel) {
  NestedBox box("box");
  auto& inner = box.Add<NestedBox>("inner");
  auto& a = inner.Add<Node>("a");
  auto& b = box.Add<Node>("b");
  box.Couple(b.out, inner.in);
  inner.Couple(inner.in, a.in);
  const Network network(inner);
  EXPECT_THAT(network.atomics(), ElementsAre(&a));
  EXPECT_EQ(SourceOf(network, a), network.EntryOf(inner.in));
}

}  // namespace
}  // namespace orrery::devs::internal
