#include "orrery/program/slot_dependencies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The names of what a quantity depends on, in the order of states and inputs.
std::vector<std::string> NamesOf(const Program& program,
                                 const std::string& quantity) {
  const auto dependencies = SlotDependencies::Of(program);
  EXPECT_TRUE(dependencies.has_value());
  std::vector<std::string> known = StateNames(program);
  known.insert(
      known.end(), program.input_names.begin(), program.input_names.end());
  std::vector<std::string> names;
  for (const std::uint32_t number : dependencies->At(
           ReferenceOf(program, NameTable(program).Get(quantity)))) {
    names.push_back(known.at(number));
  }
  return names;
}

TEST(SlotDependenciesTest, FollowsFormulas) {
  const auto program = CompileBody(R"(
  input Real u;
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
  Real sum = 2*x + sin(time);
equation
  der(x) = -x + u;
  der(y) = 3;
)");
  EXPECT_THAT(NamesOf(*program, "der(x)"), ElementsAre("x", "u"));
  EXPECT_THAT(NamesOf(*program, "der(y)"), IsEmpty());
  EXPECT_THAT(NamesOf(*program, "sum"), ElementsAre("x"));
  EXPECT_THAT(NamesOf(*program, "y"), ElementsAre("y"));
}

TEST(SlotDependenciesTest, FollowsLoops) {
  const auto program = CompileBody(R"(
  input Real u;
  Real x(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
  Real a(start = 1);
  Real b(start = 1);
equation
  a^3 + b = x;
  a - b^3 = u;
  der(x) = a;
  der(z) = -z;
)");
  EXPECT_THAT(NamesOf(*program, "a"), ElementsAre("x", "u"));
  EXPECT_THAT(NamesOf(*program, "der(x)"), ElementsAre("x", "u"));
  EXPECT_THAT(NamesOf(*program, "der(z)"), ElementsAre("z"));
}

TEST(SlotDependenciesTest, FollowsRelationsAndEvents) {
  const auto program = CompileBody(R"(
  input Real u;
  Real x(start = 1, fixed = true);
  Real w(start = 1, fixed = true);
  Real limited = if u > 0 then x else 0;
  discrete Real held(start = 0, fixed = true);
  Real sampled = 2*held;
equation
  der(x) = -x;
  der(w) = -w;
  when sample(0, 0.1) then
    held = w;
  end when;
)");
  EXPECT_THAT(NamesOf(*program, "limited"), ElementsAre("x", "u"));
  EXPECT_THAT(NamesOf(*program, "sampled"), ElementsAre("w"));
}

TEST(SlotDependenciesTest, FollowsTheStartFromWhatIsGivenThere) {
  const auto program = CompileBody(R"(
  parameter Real p = 2;
  parameter Real q = 3*p;
  input Real u;
  Real x(start = p, fixed = true);
  Real v(start = 1, fixed = true);
  Real y;
  Real z;
initial equation
  z = q + u;
equation
  der(x) = -x;
  der(v) = -v;
  der(z) = -z;
  y = x + v;
)");
  const auto slot_of = [&](const char* name) {
    return ReferenceOf(*program, NameTable(*program).Get(name)).slot;
  };
  const std::vector<std::uint32_t> given = {
      slot_of("p"),
      slot_of("q"),
      slot_of("u"),
      FindStart(*program, slot_of("v"))->slot};
  const auto dependencies = SlotDependencies::AtStart(*program, given);
  ASSERT_TRUE(dependencies.has_value());
  const auto of = [&](const char* name) {
    return dependencies->At(
        ReferenceOf(*program, NameTable(*program).Get(name)));
  };
  EXPECT_THAT(of("x"), ElementsAre(0));
  EXPECT_THAT(of("y"), ElementsAre(0, 3));
  EXPECT_THAT(of("z"), ElementsAre(0, 1, 2));
  EXPECT_THAT(of("der(v)"), ElementsAre(3));
}

TEST(SlotDependenciesTest, IsUnknownWithDelays) {
  EXPECT_FALSE(SlotDependencies::Of(*CompileBody(R"(
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
)")));
}

class DependenciesExampleTest : public testing::TestWithParam<const char*> {};

TEST_P(DependenciesExampleTest, MissNoDerivativeThatIsNotZero) {
  const auto file = SourceFile::Read(std::string(ORRERY_SOURCE_DIR) +
                                     "/examples/" + GetParam() + ".mo");
  const std::shared_ptr<const Program> program =
      CompileText(std::string(file->text()));
  const auto dependencies = SlotDependencies::Of(*program);
  ASSERT_TRUE(dependencies.has_value());
  OperatingPoint point(program, 0, {});
  ASSERT_TRUE(point.Evaluate());
  int found = 0;
  for (std::size_t i = 0; i < program->state_slots.size(); ++i) {
    ASSERT_TRUE(point.Differentiate(program->state_slots[i]));
    for (const Reference derivative : program->derivatives_at) {
      const bool is_listed = std::ranges::binary_search(
          dependencies->At(derivative), static_cast<std::uint32_t>(i));
      found += is_listed ? 1 : 0;
      EXPECT_TRUE(is_listed || point.Tangent(derivative) == 0)
          << StateName(*program, i);
    }
  }
  EXPECT_GT(found, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Examples,
    DependenciesExampleTest,
    testing::Values("bouncing_ball/bouncing_ball",
                    "double_pendulum/double_pendulum",
                    "lorenz/lorenz",
                    "planet_orbit/planet_orbit",
                    "transistor_amplifier/transistor_amplifier",
                    "water_tank/water_tank"));

}  // namespace
}  // namespace orrery
