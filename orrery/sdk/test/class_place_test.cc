#include "orrery/sdk/model/class_place.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(LibraryOfTest, IsTheFirstPartOfADottedName) {
  EXPECT_EQ(LibraryOf("Modelica.Blocks.Examples.PID_Controller"), "Modelica");
  EXPECT_EQ(LibraryOf("My_Lib2.A"), "My_Lib2");
  EXPECT_EQ(LibraryOf("'a.b \\' c'.M"), "'a.b \\' c'");
}

TEST(LibraryOfTest, IsEmptyForNamesOfFiles) {
  for (const char* name : {"",
                           "Pendulum",
                           "models/a.mo",
                           "../a.b",
                           ".a.b",
                           "a..b",
                           "a.",
                           "2.a",
                           "a.2",
                           "a b.c",
                           "'a.b"}) {
    EXPECT_EQ(LibraryOf(name), "") << name;
  }
}

}  // namespace
}  // namespace orrery
