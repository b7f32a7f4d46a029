// Connectors that are protected in the connecting class: equations of the class
// may give them their values.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

constexpr const char* kBlocks = R"(
  connector In = input Real;
  connector Out = output Real;
  connector Pair
    In a;
    Out b;
  end Pair;
  block Source
    Out y;
  equation
    y = 3*time;
  end Source;
  block Sum "Of an input and a value of its own, either of which may be absent"
    parameter Boolean hasInput = true;
    In u if hasInput;
    Out y;
  protected
    In own if not hasInput;
    In ownInside;
    In uInside;
  initial equation
    if not hasInput then
      ownInside = 10;
    end if;
  equation
    connect(u, uInside);
    connect(own, ownInside);
    if hasInput then
      ownInside = 2;
    else
      uInside = 4;
      der(ownInside) = 1;
    end if;
    y = uInside + ownInside;
  end Sum;
  block Twice
    In x;
    Out y;
  protected
    Pair pair;
    In inside;
  equation
    connect(pair.a, inside);
    connect(inside, x);
    pair.b = 2*pair.a;
    y = pair.b;
  end Twice;
)";

TEST(ProtectedPortsTest, AnEquationMayGiveAProtectedInputItsValue) {
  const std::string body = std::string(kBlocks) +
                           "  Source source;\n"
                           "  Sum a, b(hasInput = false);\n"
                           "equation\n"
                           "  connect(source.y, a.u);\n";
  EXPECT_NEAR(AfterASecond("a.y", body), 5, 1e-12);
  EXPECT_NEAR(AfterASecond("b.y", body), 15, 1e-9);
}

TEST(ProtectedPortsTest, AnInputOfAProtectedConnectorDrivesNothing) {
  const std::string body = std::string(kBlocks) +
                           "  Source source;\n"
                           "  Twice twice;\n"
                           "equation\n"
                           "  connect(source.y, twice.x);\n";
  EXPECT_NEAR(AfterASecond("twice.y", body), 6, 1e-12);
}

TEST(ProtectedPortsTest, AnInputOfAPublicConnectorDrivesTheInside) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(std::string(kBlocks) + R"(
  block Wrong
    In x, z;
    Out y;
  protected
    In inside;
  equation
    connect(x, inside);
    connect(z, inside);
    y = inside;
  end Wrong;
  Source source;
  Wrong wrong;
equation
  connect(source.y, wrong.x);
  connect(source.y, wrong.z);
)");
              }),
              testing::HasSubstr("would both give them a value"));
}

}  // namespace
}  // namespace orrery
