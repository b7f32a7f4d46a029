#include "orrery/model/flat_model.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(FlatModelTest, AScalarKeepsItsName) {
  EXPECT_EQ(ElementName("motor.current", {}), "motor.current");
}

TEST(FlatModelTest, AnElementIsNamedByItsSubscripts) {
  EXPECT_EQ(ElementName("a.u", {2, 3}), "a.u[2,3]");
  EXPECT_EQ(ElementName("x", {10}), "x[10]");
}

}  // namespace
}  // namespace orrery
