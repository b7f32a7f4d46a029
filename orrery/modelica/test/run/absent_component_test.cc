// Connections to conditional components.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// A sum of one signal, or of two if there is a second source.
std::string Sum(const std::string& has_second) {
  return R"(
  connector In = input Real;
  connector Out = output Real;
  block Source
    parameter Real k = 3;
    Out y = k*time;
  end Source;
  block Sum
    parameter Integer n = 1;
    In u[n];
    Out y = sum(u);
  end Sum;
  parameter Boolean has = )" +
         has_second + R"(;
  Source a;
  Source b(k = 5) if has;
  Sum s(n = if has then 2 else 1);
)";
}

TEST(AbsentComponentTest, WithItGoesTheElementThatItIsConnectedWith) {
  const std::string connections =
      "equation\n"
      "  connect(a.y, s.u[1]);\n"
      "  connect(b.y, s.u[2]);\n";
  EXPECT_EQ(AfterASecond("s.y", Sum("false") + connections), 3);
  EXPECT_EQ(AfterASecond("s.y", Sum("true") + connections), 8);
}

TEST(AbsentComponentTest, TheOtherEndOfAConnectionMayComeFirst) {
  EXPECT_EQ(AfterASecond("s.y",
                         Sum("false") + "equation\n"
                                        "  connect(s.u[2], b.y);\n"
                                        "  connect(s.u[1], a.y);\n"),
            3);
}

TEST(AbsentComponentTest, WithoutItElementsThatAreNotThereAreRefused) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(Sum("false") +
                                   "equation\n"
                                   "  connect(a.y, s.u[2]);\n");
              }),
              HasSubstr("subscript 2 is out of bounds"));
}

TEST(AbsentComponentTest, UnknownNamesBesideItAreRefused) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(Sum("false") +
                                   "equation\n"
                                   "  connect(a.y, s.u[1]);\n"
                                   "  connect(b.y, other.u[2]);\n");
              }),
              HasSubstr("'other'"));
}

}  // namespace
}  // namespace orrery
