#include "orrery/base/text/shared_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(SharedTextTest, ReadsAsTheStringThatItWasMadeOf) {
  const SharedText text("m/s");
  const std::string string = text;
  const std::string_view view = text;
  EXPECT_EQ(string, "m/s");
  EXPECT_EQ(view, "m/s");
  EXPECT_EQ(text, std::string("m/s"));
  EXPECT_FALSE(text.empty());
}

TEST(SharedTextTest, CopiesAreOneText) {
  const SharedText text(std::string("the angle of the first joint"));
  const SharedText copy = text;  // NOLINT(performance-unnecessary-copy-*)
  EXPECT_EQ(&copy.str(), &text.str());
  EXPECT_EQ(copy, text);
}

TEST(SharedTextTest, IsEmptyUnlessSomethingIsSaid) {
  EXPECT_TRUE(SharedText().empty());
  EXPECT_EQ(SharedText(""), SharedText());
  EXPECT_EQ(SharedText().str(), "");
  EXPECT_FALSE(SharedText("m") == SharedText());
}

}  // namespace
}  // namespace orrery
