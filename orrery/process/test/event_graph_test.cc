#include "orrery/process/record/event_graph.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/deep.h"

namespace orrery::process {

namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;
using enum EventJoin;
using Graph = EventGraph<std::string>;
using Row = EventRow<std::string>;

Graph operator""_e(const char* text, std::size_t size) {
  return Graph::Atom(std::string(text, size));
}

Graph Seq(Graph a, Graph b) {
  return Graph::Sequentially(std::move(a), std::move(b));
}

Graph Par(Graph a, Graph b) {
  return Graph::Concurrently(std::move(a), std::move(b));
}

std::string GraphText(const Graph& graph) {
  return graph.ToText([](const std::string& atom) { return atom; });
}

// A tree of compositions, with its own text, graph and value.
struct Tree {
  EventJoin join = kFirst;  // kFirst: an atom, or nothing if it is empty.
  std::string atom;
  std::vector<Tree> sides;

  template <typename Algebra>
  [[nodiscard]] auto Value(Algebra& algebra) const
      -> decltype(algebra.Empty()) {
    if (join == kFirst) {
      return atom.empty() ? algebra.Empty() : algebra.Atom(atom);
    }
    auto left = sides[0].Value(algebra);
    auto right = sides[1].Value(algebra);
    return join == kSequentially
               ? algebra.Sequentially(std::move(left), std::move(right))
               : algebra.Concurrently(std::move(left), std::move(right));
  }

  [[nodiscard]] Graph ToGraph() const {
    Graph algebra;
    return Value(algebra);
  }

  // The same graph, grouped anew and with its sides swapped at random.
  [[nodiscard]] Tree Rewritten() const {
    if (join == kFirst) {
      return *this;
    }
    Tree a = sides[0].Rewritten();
    Tree b = sides[1].Rewritten();
    if (join == kConcurrently && *rc::gen::arbitrary<bool>()) {
      std::swap(a, b);
    }
    if (a.join == join && *rc::gen::arbitrary<bool>()) {
      return {join, "", {a.sides[0], {join, "", {a.sides[1], b}}}};
    }
    return {join, "", {a, b}};
  }
};

Tree AnyTree(int atoms) {
  if (atoms <= 1) {
    return {kFirst, *rc::gen::element<std::string>("", "a", "b", "c"), {}};
  }
  const int left = *rc::gen::inRange(1, atoms);
  return {*rc::gen::element(kSequentially, kConcurrently),
          "",
          {AnyTree(left), AnyTree(atoms - left)}};
}

Tree AnyTree() {
  return AnyTree(*rc::gen::inRange(0, 20));
}

// Breaks the first law: the grouping of events in a row matters.
struct Skewed {
  static long Empty() { return 0; }

  static long Atom(const std::string& atom) { return atom.front(); }

  static long Sequentially(long a, long b) { return (3 * a + b) % 1'000'003; }

  static long Concurrently(long a, long b) { return (a + b) % 1'000'003; }
};

// The longest chain of causes.
struct Depth {
  static int Empty() { return 0; }

  template <typename T>
  static int Atom(const T& /*atom*/) {
    return 1;
  }

  static int Sequentially(int a, int b) { return a + b; }

  static int Concurrently(int a, int b) { return std::max(a, b); }
};

}  // namespace

TEST(EventGraphTest, HasNoEventsByDefault) {
  EXPECT_TRUE(Graph().empty());
  EXPECT_EQ(Graph().num_atoms(), 0U);
  EXPECT_EQ(GraphText(Graph()), "");
  EXPECT_EQ(Graph(), Graph::Empty());
}

TEST(EventGraphTest, DropsWhatIsEmpty) {
  EXPECT_EQ(GraphText(Seq({}, "a"_e)), "a");
  EXPECT_EQ(GraphText(Seq("a"_e, {})), "a");
  EXPECT_EQ(GraphText(Par({}, "a"_e)), "a");
  EXPECT_EQ(GraphText(Par("a"_e, {})), "a");
  EXPECT_TRUE(Par({}, Seq({}, {})).empty());
}

TEST(EventGraphTest, ShowsWhatWasSpawnedBetweenEvents) {  // A3
  const Graph graph = Seq("a"_e, Par(Seq("b"_e, Par("d"_e, "c2"_e)), "c1"_e));
  EXPECT_EQ(GraphText(graph), "a; ((b; (d | c2)) | c1)");
  EXPECT_EQ(graph.num_atoms(), 5U);
}

TEST(EventGraphTest, ShowsNoParenthesesWithinOneJoin) {  // A4
  EXPECT_EQ(GraphText(Seq("a"_e, Par("x"_e, Par("y"_e, "z"_e)))),
            "a; (x | y | z)");
  EXPECT_EQ(GraphText(Par(Seq("1"_e, Par(Par("3"_e, "4"_e), "2"_e)), "0"_e)),
            "(1; (3 | 4 | 2)) | 0");
}

TEST(EventGraphTest, IsEqualHoweverItIsGrouped) {
  EXPECT_EQ(Seq("a"_e, Seq("b"_e, "c"_e)), Seq(Seq("a"_e, "b"_e), "c"_e));
  EXPECT_EQ(Par("a"_e, Par("b"_e, "c"_e)), Par(Par("a"_e, "b"_e), "c"_e));
}

TEST(EventGraphTest, IsEqualWithItsSidesSwapped) {
  EXPECT_EQ(Par("a"_e, Seq("b"_e, "c"_e)), Par(Seq("b"_e, "c"_e), "a"_e));
  EXPECT_NE(Seq("a"_e, "b"_e), Seq("b"_e, "a"_e));
}

TEST(EventGraphTest, DiffersByItsCauses) {
  EXPECT_NE(Seq("a"_e, "b"_e), Par("a"_e, "b"_e));
  EXPECT_NE(Par(Seq("a"_e, "b"_e), "c"_e), Seq("a"_e, Par("b"_e, "c"_e)));
  EXPECT_NE(Par("a"_e, "a"_e), "a"_e);
  EXPECT_NE(Par("a"_e, Par("a"_e, "b"_e)), Par("a"_e, Par("b"_e, "b"_e)));
}

TEST(EventGraphTest, ComparesAtomsWithoutAHash) {
  using Pairs = EventGraph<std::pair<int, int>>;
  const auto atom = [](int a, int b) {
    return Pairs::Atom({a, b});
  };
  EXPECT_EQ(Pairs::Concurrently(atom(1, 2), atom(3, 4)),
            Pairs::Concurrently(atom(3, 4), atom(1, 2)));
  EXPECT_NE(Pairs::Concurrently(atom(1, 2), atom(3, 4)),
            Pairs::Concurrently(atom(1, 2), atom(3, 5)));
}

TEST(EventGraphTest, IsFoldedByAnAlgebra) {
  const Graph graph = Seq("a"_e, Par(Seq("b"_e, Par("d"_e, "c2"_e)), "c1"_e));
  EXPECT_EQ(graph.Evaluate(Depth()), 3);
  EXPECT_EQ(Graph().Evaluate(Depth()), 0);
}

TEST(EventGraphTest, FoldsFromTheFirstMemberOn) {
  struct Grouping {
    static std::string Empty() { return ""; }

    static std::string Atom(const std::string& atom) { return atom; }

    static std::string Sequentially(const std::string& a,
                                    const std::string& b) {
      return "(" + a + b + ")";
    }

    static std::string Concurrently(const std::string& a,
                                    const std::string& b) {
      return "[" + a + b + "]";
    }
  };

  EXPECT_EQ(Seq("a"_e, Seq("b"_e, Par("c"_e, Par("d"_e, "e"_e))))
                .Evaluate(Grouping()),
            "((ab)[[cd]e])");
}

TEST(EventGraphTest, HasARowForEachAtom) {  // L16
  const Graph graph = Par("a"_e, Seq("x"_e, Seq(Par("y"_e, "z"_e), "w"_e)));
  EXPECT_EQ(GraphText(graph), "a | (x; (y | z); w)");
  EXPECT_THAT(graph.Flat(),
              ElementsAre(Row{0, kFirst, "a"},
                          Row{0, kConcurrently, "x"},
                          Row{1, kSequentially, "y"},
                          Row{2, kConcurrently, "z"},
                          Row{1, kSequentially, "w"}));
  EXPECT_EQ(Graph::FromFlat(graph.Flat()), graph);
}

TEST(EventGraphTest, ReadsRowsWhoseFirstGroupIsDeep) {
  const Graph graph = Seq(Par(Seq("a"_e, "b"_e), "c"_e), "d"_e);
  EXPECT_THAT(graph.Flat(),
              ElementsAre(Row{0, kFirst, "a"},
                          Row{2, kSequentially, "b"},
                          Row{1, kConcurrently, "c"},
                          Row{0, kSequentially, "d"}));
  EXPECT_EQ(GraphText(Graph::FromFlat(graph.Flat())), "((a; b) | c); d");
}

TEST(EventGraphTest, HasNoRowsWithoutEvents) {
  EXPECT_TRUE(Graph().Flat().empty());
  EXPECT_TRUE(Graph::FromFlat({}).empty());
}

TEST(EventGraphTest, NamesTheSymbolsOfJoins) {
  EXPECT_EQ(Symbol(kFirst), "");
  EXPECT_EQ(Symbol(kSequentially), ";");
  EXPECT_EQ(Symbol(kConcurrently), "|");
}

TEST(EventGraphTest, RefusesRowsThatAreNotOfAGraph) {
  const auto message = [](std::vector<Row> rows) -> std::string {
    try {
      Graph::FromFlat(std::move(rows));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(
      message({{0, kSequentially, "a"}}),
      StrEq("cannot make a graph of events of these rows: of row 1, it is "
            "joined, but none is above it; take the rows of EventGraph::Flat, "
            "all and in order"));
  EXPECT_THAT(
      message({{0, kFirst, "a"}, {0, kFirst, "b"}}),
      StrEq("cannot make a graph of events of these rows: of row 2, it is not "
            "joined to the one above it; take the rows of EventGraph::Flat, "
            "all and in order"));
  EXPECT_THAT(
      message({{0, kFirst, "a"},
               {1, kSequentially, "b"},
               {2, kConcurrently, "c"},
               {1, kConcurrently, "d"}}),
      StrEq("cannot make a graph of events of these rows: of row 4, both ; and "
            "| join at level 1; take the rows of EventGraph::Flat, all and in "
            "order"));
}

RC_GTEST_PROP(EventGraphTest, TheFreeAlgebraGivesTheGraphItself, ()) {  // L16
  const Graph graph = AnyTree().ToGraph();
  RC_ASSERT(graph.Evaluate(Graph()) == graph);
}

RC_GTEST_PROP(EventGraphTest, FoldsAsRecursionDoes, ()) {  // L16
  const Tree tree = AnyTree();
  Depth depth;
  RC_ASSERT(tree.ToGraph().Evaluate(depth) == tree.Value(depth));
}

RC_GTEST_PROP(EventGraphTest, FoldsAlikeHoweverItIsGrouped, ()) {
  const Tree tree = AnyTree();
  RC_ASSERT(tree.ToGraph().Evaluate(Skewed()) ==
            tree.ToGraph().Evaluate(Graph()).Evaluate(Skewed()));
  RC_ASSERT(tree.ToGraph().Evaluate(Skewed()) ==
            tree.Rewritten().ToGraph().Evaluate(Skewed()));
}

RC_GTEST_PROP(EventGraphTest, IsEqualRewritten, ()) {
  const Tree tree = AnyTree();
  RC_ASSERT(tree.Rewritten().ToGraph() == tree.ToGraph());
}

// Uses an algebra that has the laws of graphs and, with high probability, no
// others.
RC_GTEST_PROP(EventGraphTest, IsEqualIfItFoldsAlike, ()) {
  struct Matrices {
    using Matrix = std::array<std::uint64_t, 4>;

    static Matrix Empty() { return {1, 0, 0, 1}; }

    static Matrix Atom(const std::string& atom) {
      const auto a = static_cast<std::uint64_t>(atom.front());
      return {a * a, 2 * a + 1, a + 7, a * 11 + 3};
    }

    static Matrix Sequentially(const Matrix& a, const Matrix& b) {
      return {a[0] * b[0] + a[1] * b[2],
              a[0] * b[1] + a[1] * b[3],
              a[2] * b[0] + a[3] * b[2],
              a[2] * b[1] + a[3] * b[3]};
    }

    static Matrix Concurrently(const Matrix& a, const Matrix& b) {
      return {a[0] + b[0] + 5, a[1] + b[1] + 1, a[2] + b[2] + 3, a[3] + b[3]};
    }
  };

  const int size = *rc::gen::inRange(0, 6);
  const Graph a = AnyTree(size).ToGraph();
  const Graph b = AnyTree(size).ToGraph();
  RC_ASSERT((a == b) == (a.Evaluate(Matrices()) == b.Evaluate(Matrices())));
}

RC_GTEST_PROP(EventGraphTest, ItsRowsGiveItBack, ()) {  // L16
  const Graph graph = AnyTree().ToGraph();
  const auto rows = graph.Flat();
  RC_ASSERT(rows.size() == graph.num_atoms());
  const Graph again = Graph::FromFlat(rows);
  RC_ASSERT(again == graph);
  RC_ASSERT(GraphText(again) == GraphText(graph));
  RC_ASSERT(again.Flat() == rows);
}

// Tasks, each spawned within the last, which would overflow a recursion.
TEST(EventGraphTest, NestsDeeply) {
  using NumberGraph = EventGraph<int>;
  NumberGraph inwards;  // 0; (0 | (1; (1 | (2; ...))))
  for (int i = kDeep; i-- > 0;) {
    inwards = NumberGraph::Sequentially(
        NumberGraph::Atom(i),
        NumberGraph::Concurrently(NumberGraph::Atom(i), std::move(inwards)));
  }
  EXPECT_EQ(inwards.num_atoms(), 2U * kDeep);
  EXPECT_EQ(inwards.Evaluate(Depth()), kDeep + 1);
  // An atom has one letter, ; and | have 2 and 3, inner groups parentheses.
  EXPECT_EQ(inwards.ToText([](int) { return "e"; }).size(),
            2U * kDeep + 2U * kDeep + 3U * (kDeep - 1) + 4U * (kDeep - 1));
  const auto rows = inwards.Flat();
  EXPECT_EQ(rows.back(),
            (EventRow<int>{2 * kDeep - 2, kSequentially, kDeep - 1}));
  EXPECT_TRUE(NumberGraph::FromFlat(rows) == inwards);
  EXPECT_TRUE(inwards.Evaluate(NumberGraph()) == inwards);
}

TEST(EventGraphTest, GrowsAtBothEnds) {
  constexpr int kSize = 2 * kDeep;
  using NumberGraph = EventGraph<int>;
  NumberGraph forwards;
  NumberGraph backwards;
  for (int i = 0; i < kSize; ++i) {
    forwards =
        NumberGraph::Sequentially(std::move(forwards), NumberGraph::Atom(i));
    backwards = NumberGraph::Sequentially(NumberGraph::Atom(kSize - 1 - i),
                                          std::move(backwards));
  }
  EXPECT_EQ(forwards.Evaluate(Depth()), kSize);
  EXPECT_TRUE(forwards == backwards);
}

}  // namespace orrery::process
