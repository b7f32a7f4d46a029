#include "orrery/base/containers/shared.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(SharedTest, OneThatWasNeverChangedIsTheDefault) {
  const Shared<std::vector<int>> numbers;
  EXPECT_TRUE(numbers.is_default());
  EXPECT_TRUE(numbers->empty());
}

TEST(SharedTest, CopiesAreOneUntilOneIsChanged) {
  Shared<std::string> text;
  text.Edit() = "one";
  Shared<std::string> copy = text;
  EXPECT_EQ(&*copy, &*text);
  copy.Edit() += " two";
  EXPECT_EQ(*text, "one");
  EXPECT_EQ(*copy, "one two");
}

TEST(SharedTest, WhatNobodySharesIsChangedInItsPlace) {
  Shared<std::string> text;
  text.Edit() = "one";
  const std::string* const place = &*text;
  text.Edit() += " two";
  EXPECT_EQ(&*text, place);
  EXPECT_EQ(*place, "one two");
}

}  // namespace
}  // namespace orrery
