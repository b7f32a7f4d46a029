#include "orrery/modelica/text_edits/edited_text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::modelica::internal {
namespace {

TEST(EditedTextTest, TellsStepsAsEditsOfTheFirstText) {
  EditedText text("abcdef");
  text.Apply({{.span = {.begin = 1, .end = 2}, .text = "XY"}});  // aXYcdef
  text.Apply({{.span = {.begin = 2, .end = 4}, .text = ""}});    // aXdef
  EXPECT_EQ(text.text(), "aXdef");
  EXPECT_EQ(
      text.Edits(),
      (std::vector<TextEdit>{{.span = {.begin = 1, .end = 3}, .text = "X"}}));
}

TEST(EditedTextTest, ForgetsWhatIsAddedAndTakenAwayAgain) {
  EditedText text("abc");
  text.Apply({{.span = {.begin = 1, .end = 1}, .text = "new"}});
  text.Apply({{.span = {.begin = 1, .end = 4}, .text = ""}});
  EXPECT_TRUE(text.Edits().empty());
}

RC_GTEST_PROP(EditedTextTest, GivesTheSameTextByItsEdits, ()) {
  const std::string first = *rc::gen::string<std::string>();
  EditedText text(first);
  std::string plain = first;
  const int steps = *rc::gen::inRange(0, 6);
  for (int i = 0; i < steps; ++i) {
    const auto begin = *rc::gen::inRange<std::uint32_t>(
        0, static_cast<std::uint32_t>(plain.size()) + 1);
    const auto end = *rc::gen::inRange<std::uint32_t>(
        begin, static_cast<std::uint32_t>(plain.size()) + 1);
    const std::string added = *rc::gen::string<std::string>();
    text.Apply({{.span = {.begin = begin, .end = end}, .text = added}});
    plain.replace(begin, end - begin, added);
  }
  RC_ASSERT(text.text() == plain);
  RC_ASSERT(Edited(first, text.Edits()) == plain);
}

}  // namespace
}  // namespace orrery::modelica::internal
