// Models that count the connections to them.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

constexpr const char* kParts = R"(
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Signal = input Real;
  model Source
    Pin p;
  equation
    p.v = 1;
  end Source;
  model Part
    Pin p;
    Pin q[2];
    Signal u;
    Integer n = cardinality(p);
    Integer m[2] = {cardinality(q[k]) for k in 1:2};
    Integer s = cardinality(u);
    Source inside;
  equation
    connect(p, inside.p);
    for k in 1:2 loop
      if cardinality(q[k]) == 0 then
        q[k].v = 0;
      else
        q[k].i = 1;
      end if;
    end for;
  end Part;
)";

TEST(ConnectionCountTest, ConnectionsInsideAndOutsideAreCounted) {
  const std::string body = std::string(kParts) + R"(
  Part a, b;
equation
  connect(a.p, b.q[1]);
  connect(a.p, b.q[2]);
  a.u = 1;
  b.u = 1;
)";
  EXPECT_EQ(AfterASecond("a.n", body), 3);
  EXPECT_EQ(AfterASecond("b.n", body), 1);
  EXPECT_EQ(AfterASecond("b.m[2]", body), 1);
  EXPECT_EQ(AfterASecond("a.m[1]", body), 0);
}

TEST(ConnectionCountTest, AProtectedOutputMayHaveAnEquationOfItsOwn) {
  EXPECT_EQ(AfterASecond("a.b.y", R"(
  connector In = input Real;
  connector Out = output Real;
  block B
    In u;
    Out y = 2*u;
  end B;
  block C
    B b;
  protected
    Out own;
  equation
    own = 3*time;
    connect(own, b.u);
  end C;
  C a;
)"),
            6);
}

TEST(ConnectionCountTest, AModelKnowsItsNameAndThatOfItsInstances) {
  EXPECT_EQ(AfterASecond("a[2].b.n", R"(
  model B
    parameter String name = getInstanceName();
    Integer n = if name == "A.a[2].b" then 7 else 0;
  end B;
  model C
    B b;
  end C;
  C a[2];
)"),
            7);
}

}  // namespace
}  // namespace orrery
