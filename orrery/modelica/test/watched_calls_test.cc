#include "orrery/modelica/flattening/watched_calls.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFunctions = R"(
model M
  function above
    input Real u;
    output Boolean b;
  algorithm
    b := u > 0.5;
  end above;
  function whole
    input Real u;
    output Integer n;
  algorithm
    n := integer(u);
  end whole;
)";

std::string DumpWith(const std::string& body) {
  return DumpOf(kFunctions + body + "end M;\n");
}

TEST(WatchedCallsTest, ABooleanOfWhatMovesIsComparedAsANumber) {
  EXPECT_THAT(DumpWith("  Boolean b = above(1 - time);\n"),
              HasSubstr("b = (if M.above(1 - time) then 1 else 0) > 0.5\n"));
}

TEST(WatchedCallsTest, AnIntegerOfWhatMovesIsRounded) {
  EXPECT_THAT(DumpWith("  Integer n = whole(3*time);\n"),
              HasSubstr("n = integer(floor(M.whole(3*time) + 0.5))\n"));
}

TEST(WatchedCallsTest, WhatChangesAtEventsOnlyIsLeftAlone) {
  EXPECT_THAT(DumpWith("  Integer n = whole(floor(3*time));\n"),
              HasSubstr("n = M.whole(floor(3*time))\n"));
}

TEST(WatchedCallsTest, WhatWhenClausesAssignIsLeftAlone) {
  EXPECT_THAT(DumpWith("  Integer n;\n"
                       "equation\n"
                       "  when sample(0, 1) then\n"
                       "    n = whole(3*time);\n"
                       "  end when;\n"),
              Not(HasSubstr("0.5)")));
}

}  // namespace
}  // namespace orrery::modelica
