#include "orrery/compile/dependencies.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/compile/test/sketch.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Dependencies Found(Sketch& s) {
  s.flat.name = "Sketch";
  Diagnostics diagnostics;
  Dependencies result = FindDependencies(s.flat, diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return result;
}

std::uint32_t PlaceOf(const Dependencies& dependencies,
                      const std::string& name) {
  for (std::uint32_t i = 0; i < dependencies.unknowns.size(); ++i) {
    if (dependencies.unknowns[i].names.front() == name) {
      return i;
    }
  }
  ADD_FAILURE() << name;
  return 0;
}

// Requirement 3 (docs/reference/requirements.md):
// x = y + 16, y = -x - z, z = 5.
TEST(DependenciesTest, ALoopThatIsSolvedByFormulasIsTold) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  const Expr z = s.Variable("z");
  s.Equal(x, y + 16);
  s.Equal(y, -x - z);
  s.Equal(z, s.Number(5));
  const Dependencies found = Found(s);
  ASSERT_EQ(found.unknowns.size(), 3);
  EXPECT_EQ(found.unknowns[0].equation, "z = 5");
  EXPECT_THAT(found.unknowns[0].needs, IsEmpty());
  EXPECT_THAT(found.loops, ElementsAre(ElementsAre(1, 2)));
  EXPECT_THAT(found.unknowns[PlaceOf(found, "x")].needs,
              ElementsAre(PlaceOf(found, "y")));
  EXPECT_THAT(found.unknowns[PlaceOf(found, "y")].needs,
              ElementsAre(0, PlaceOf(found, "x")));
  EXPECT_THAT(
      ClosureOf(found),
      ElementsAre(IsEmpty(), ElementsAre(0, 1, 2), ElementsAre(0, 1, 2)));
}

// Requirement 3: a = b^2 + 3, b = sin(c*e), c = sqrt(d - 4.5), d = pi/2,
// e = u(): no loop, and the order d, e, c, b, a or e, d, c, b, a.
TEST(DependenciesTest, EquationsWithoutALoopAreSorted) {
  Sketch s;
  const Expr a = s.Variable("a");
  const Expr b = s.Variable("b");
  const Expr c = s.Variable("c");
  const Expr d = s.Variable("d");
  const Expr e = s.Variable("e");
  s.Equal(a, b * b + 3);
  s.Equal(b, sin(c * e));
  s.Equal(c, sqrt(d - 4.5));
  s.Equal(d, s.Number(6.28));
  s.Equal(e, s.flat.time);
  const Dependencies found = Found(s);
  EXPECT_THAT(found.loops, IsEmpty());
  EXPECT_EQ(PlaceOf(found, "a"), 4);
  EXPECT_EQ(PlaceOf(found, "b"), 3);
  EXPECT_LT(PlaceOf(found, "d"), PlaceOf(found, "c"));
  EXPECT_THAT(ClosureOf(found)[4], ElementsAre(0, 1, 2, 3));
}

TEST(DependenciesTest, AliasesAreNamesOfOneUnknown) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  const Expr z = s.Variable("z");
  s.Equal(x, s.flat.time * 2);
  s.Equal(y, x);
  s.Equal(z, -y);
  const Dependencies found = Found(s);
  ASSERT_EQ(found.unknowns.size(), 1);
  EXPECT_THAT(found.unknowns[0].names, UnorderedElementsAre("x", "y", "z"));
}

TEST(DependenciesTest, StatesAreKnown) {
  Sketch s;
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  s.Equal(s.Der(x), y * y);
  s.Equal(y, sin(x));
  const Dependencies found = Found(s);
  ASSERT_EQ(found.unknowns.size(), 2);
  EXPECT_THAT(found.loops, IsEmpty());
  EXPECT_THAT(found.unknowns[PlaceOf(found, "der(x)")].names,
              ElementsAre("der(x)"));
}

TEST(DependenciesTest, AnErrorOfTheModelIsTold) {
  Sketch s;
  const Expr x = s.Variable("x");
  static_cast<void>(s.Variable("y"));
  s.Equal(x, s.Number(1));
  Diagnostics diagnostics;
  EXPECT_THAT(FindDependencies(s.flat, diagnostics).unknowns, IsEmpty());
  EXPECT_TRUE(diagnostics.has_errors());
}

// Warshall's algorithm, as requirement 3 names it.
std::vector<std::vector<std::uint32_t>> ByWarshall(const Dependencies& d) {
  const std::size_t n = d.unknowns.size();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::uint32_t j : d.unknowns[i].needs) {
      reach[i][j] = true;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
      }
    }
  }
  std::vector<std::vector<std::uint32_t>> closure(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (reach[i][j]) {
        closure[i].push_back(j);
      }
    }
  }
  return closure;
}

RC_GTEST_PROP(DependenciesTest, TheClosureIsThatOfWarshall, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 12);
  Sketch s;
  std::vector<Expr> variables;
  for (std::size_t i = 0; i < n; ++i) {
    variables.push_back(s.Variable("x" + std::to_string(i)));
  }
  for (std::size_t i = 0; i < n; ++i) {
    Expr sum = s.Number(1) + s.flat.time;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i && *rc::gen::inRange(0, 5) == 0) {
        sum = sum + 0.01 * sin(variables[j]);
      }
    }
    s.Equal(variables[i], sum);
  }
  const Dependencies found = Found(s);
  RC_ASSERT(found.unknowns.size() == n);
  const auto closure = ClosureOf(found);
  RC_ASSERT(closure == ByWarshall(found));
  std::size_t in_loops = 0;
  for (const auto& loop : found.loops) {
    in_loops += loop.size();
  }
  std::size_t on_diagonal = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    on_diagonal += std::ranges::binary_search(closure[i], i) ? 1U : 0U;
  }
  RC_ASSERT(in_loops == on_diagonal);
}

}  // namespace
}  // namespace orrery
