#include "orrery/syntax/unparse.h"

#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/syntax/lexer.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

std::string PrintedWithoutErrors(std::shared_ptr<const SourceFile> file) {
  Diagnostics diagnostics;
  const auto tree = Parse(std::move(file), diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return Unparse(*tree);
}

std::string Printed(const std::string& text) {
  return PrintedWithoutErrors(std::make_shared<const SourceFile>("a.mo", text));
}

// The units of `text` that carry meaning: no parentheses, which the printer
// chooses itself, and numbers by their values.
std::vector<std::string> MeaningfulUnits(std::string_view text) {
  std::vector<std::string> units;
  for (const Token& token : Tokenize(text).tokens) {
    const std::string_view unit =
        text.substr(token.begin, token.end - token.begin);
    if (token.kind == TokenKind::kReal) {
      double value = 0;
      std::from_chars(unit.data(), unit.data() + unit.size(), value);
      units.push_back(std::to_string(value));
    } else if (token.kind != TokenKind::kLeftParen &&
               token.kind != TokenKind::kRightParen) {
      units.emplace_back(unit);
    }
  }
  return units;
}

TEST(UnparseTest, PrintsTheWholeGrammarSoThatItIsReadAgain) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           ORRERY_SOURCE_DIR "/orrery/syntax/fuzz/corpus")) {
    if (entry.path().stem() == "broken") {
      continue;
    }
    const auto file = SourceFile::Read(entry.path().string());
    const std::string printed = PrintedWithoutErrors(file);
    EXPECT_EQ(MeaningfulUnits(printed), MeaningfulUnits(file->text()))
        << entry.path();
    EXPECT_EQ(Printed(printed), printed);
    ++files;
  }
  EXPECT_GE(files, 5);
}

TEST(UnparseTest, IndentsByTwoSpaces) {
  EXPECT_EQ(Printed("model A Real x;protected Real y;equation if x>1 then "
                    "y=1;else y=2;end if;annotation(B=1);end A;"),
            "model A\n"
            "  Real x;\n"
            "protected\n"
            "  Real y;\n"
            "equation\n"
            "  if x > 1 then\n"
            "    y = 1;\n"
            "  else\n"
            "    y = 2;\n"
            "  end if;\n"
            "  annotation(B = 1);\n"
            "end A;\n");
}

TEST(UnparseTest, IndentsNestedClasses) {
  EXPECT_EQ(Printed("within P;package A model B end B;end A;"),
            "within P;\n"
            "package A\n"
            "  model B\n"
            "  end B;\n"
            "end A;\n");
}

TEST(UnparseTest, KeepsTheOrderOfSections) {
  const std::string text =
      "model A\n"
      "equation\n"
      "  x = 1;\n"
      "public\n"
      "  Real x;\n"
      "algorithm\n"
      "  y := 1;\n"
      "equation\n"
      "  z = 1;\n"
      "end A;\n";
  EXPECT_EQ(Printed(text), text);
}

}  // namespace
}  // namespace orrery::modelica
