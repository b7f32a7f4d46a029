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

TEST(EditedTextTest, GivesANumberOfADrawingItsFirstBytesBack) {
  for (const std::string number : {"5.55112e-16", "-3.55271e-15", "7.0"}) {
    const std::string first = "{" + number + ",-49}";
    EditedText text(first);
    const ast::Span span = {
        .begin = 1, .end = static_cast<std::uint32_t>(1 + number.size())};
    text.Apply({{.span = span, .text = "12"}}, EditKind::kDrawing);
    EXPECT_EQ(text.text(), "{12,-49}");
    text.Apply(
        {{.span = {.begin = 1, .end = 3}, .text = number == "7.0" ? "7" : "0"}},
        EditKind::kDrawing);
    EXPECT_EQ(text.text(), first);
    EXPECT_TRUE(text.Edits().empty());
  }
}

TEST(EditedTextTest, KeepsASmallChangeOfAValue) {
  EditedText text("k=1e-9;");
  text.Apply({{.span = {.begin = 2, .end = 6}, .text = "2e-9"}});
  EXPECT_EQ(text.text(), "k=2e-9;");
  EXPECT_EQ(text.Edits().size(), 1U);
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
