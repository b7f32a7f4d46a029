// Arrays, ranges and extremes of Booleans and of literals of enumerations.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

constexpr const char* kLevel = "  type L = enumeration(low, mid, high);\n";

TEST(EnumerationTest, MatricesKeepTheirEnumeration) {
  EXPECT_EQ(AfterASecond("x", std::string(kLevel) + R"(
  constant L table[L, 2] = [L.low, L.mid; L.mid, L.high; L.high, L.low];
  L x = table[L.mid, if time > 0.5 then 2 else 1];
)"),
            3);
}

TEST(EnumerationTest, BracketsJoinArraysOfMoreDimensionsAlongTheFirstTwo) {
  const std::string body = R"(
  constant Integer a[2, 3, 2] = [{{{1, 2}, {3, 4}}}, {{{5, 6}}};
                                 {{{7, 8}}}, {{{9, 10}, {11, 12}}}];
  constant Integer b[1, 2, 2] = [{{{1, 2}, {3, 4}}}];
  Integer x = a[1, 3, 2], y = a[2, 2, 1], z = b[1, 2, 1];
)";
  EXPECT_EQ(AfterASecond("x", body), 6);
  EXPECT_EQ(AfterASecond("y", body), 9);
  EXPECT_EQ(AfterASecond("z", body), 3);
}

TEST(EnumerationTest, ARangeOfLiteralsIsAnArrayOfThem) {
  EXPECT_EQ(AfterASecond("x", std::string(kLevel) + R"(
  constant L all_of_them[:] = L.low:L.high;
  L x = all_of_them[integer(2.5*time) + 1];
)"),
            3);
}

// Specification 3.6, section 6.7.
TEST(EnumerationTest, OnesWithTheSameLiteralsGoTogether) {
  const std::string body = std::string(kLevel) + R"(
  type Grade = enumeration(low, mid, high);
  L chosen = if time > 0.5 then Grade.high else L.low;
  L two[2] = {L.low, Grade.mid}, more[2] = cat(1, {L.low}, {Grade.high});
  L listed = two[if time > 0.5 then 2 else 1];
  L joined = more[if time > 0.5 then 2 else 1];
  L greatest = max(L.low, Grade.mid);
  Integer n = size(L.low:Grade.high, 1);
)";
  EXPECT_EQ(AfterASecond("chosen", body), 3);
  EXPECT_EQ(AfterASecond("listed", body), 2);
  EXPECT_EQ(AfterASecond("joined", body), 3);
  EXPECT_EQ(AfterASecond("greatest", body), 2);
  EXPECT_EQ(AfterASecond("n", body), 3);
}

TEST(EnumerationTest, LoopsGoOverRangesOfLiterals) {
  EXPECT_EQ(AfterASecond("x[2]", std::string(kLevel) + R"(
  Real x[L];
equation
  for e in L.low:L.high loop
    x[e] = if e == L.mid then 10*time else Integer(e);
  end for;
)"),
            10);
}

TEST(EnumerationTest, LoopsOfFunctionsGoUpToALiteralOfTheRun) {
  EXPECT_EQ(AfterASecond("n", std::string(kLevel) + R"(
  function f
    input L last;
    output Integer n;
  algorithm
    n := 0;
    for e in L.low:last loop
      n := n + (if e == L.mid then 10 else Integer(e));
    end for;
  end f;
  L last = if time > 0.5 then L.high else L.low;
  Integer n = f(last);
)"),
            14);
}

TEST(EnumerationTest, LoopsGoOverRangesOfBooleans) {
  EXPECT_EQ(AfterASecond("n", R"(
  Integer n = sum(if b then 3 else 4 for b in false:true);
)"),
            7);
}

TEST(EnumerationTest, ARangeOfBooleansFromTrueToFalseIsEmpty) {
  EXPECT_EQ(AfterASecond("n", "Integer n = size(true:false, 1);"), 0);
}

TEST(EnumerationTest, LiteralsHaveALeastAndAGreatest) {
  const std::string body = std::string(kLevel) + R"(
  L now = if time > 0.5 then L.high else L.low;
  L x = max(now, L.mid), y = min({L.mid, now, L.high});
  L z = max(e for e in L.low:L.mid);
)";
  EXPECT_EQ(AfterASecond("x", body), 3);
  EXPECT_EQ(AfterASecond("y", body), 2);
  EXPECT_EQ(AfterASecond("z", body), 2);
}

TEST(EnumerationTest, TheGreatestOfBooleansIsTrueIfOneIs) {
  const std::string body = R"(
  Boolean b[3] = {time > 2, time > 0.5, time > 3};
  Boolean x = max(b), y = max(b[1], b[2]), z = max(v for v in b);
)";
  EXPECT_EQ(AfterASecond("x", body), 1);
  EXPECT_EQ(AfterASecond("y", body), 1);
  EXPECT_EQ(AfterASecond("z", body), 1);
}

TEST(EnumerationTest, TheLeastOfBooleansIsFalseIfOneIs) {
  const std::string body = R"(
  Boolean b[2] = {time < 2, time > 0.5};
  Boolean x = min(b), y = min(b[1], time > 3), z = min(v for v in b);
)";
  EXPECT_EQ(AfterASecond("x", body), 1);
  EXPECT_EQ(AfterASecond("y", body), 0);
  EXPECT_EQ(AfterASecond("z", body), 1);
}

TEST(EnumerationTest, TheGreatestOfNoBooleansIsFalseAndTheLeastTrue) {
  EXPECT_EQ(AfterASecond("n", R"(
  parameter Integer size = 0;
  Boolean b[size];
  Integer n = (if max(b) then 10 else 0) + (if min(b) then 1 else 0);
)"),
            1);
}

TEST(EnumerationTest, TheGreatestOfBooleansChangesAtEvents) {
  EXPECT_EQ(AfterASecond("n", R"(
  Boolean b[2] = {time > 0.25 and time < 0.5, time > 0.75};
  Integer n(start = 0, fixed = true);
equation
  when max(b) then
    n = pre(n) + 1;
  end when;
)"),
            2);
}

TEST(EnumerationTest, CatJoinsBooleans) {
  EXPECT_EQ(
      AfterASecond("b[2]", "Boolean b[2] = cat(1, {false}, {time > 0.5});"), 1);
}

}  // namespace
}  // namespace orrery
