#include "orrery/base/diagnostic.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

SourceSpan SpanOf(const std::string& text, const std::string& part) {
  auto file = std::make_shared<const SourceFile>("pump.mo", text);
  const auto begin = static_cast<std::uint32_t>(text.find(part));
  return {file, begin, begin + static_cast<std::uint32_t>(part.size())};
}

TEST(DiagnosticTest, ShowsTheLineWithACaretAndTheHint) {
  const auto span =
      SpanOf("model Pump\n  flow = presure / r;\nend Pump;\n", "presure");
  EXPECT_EQ(Render(MakeDiagnostic(Severity::kError,
                                  span,
                                  "no variable 'presure' in model Pump",
                                  "did you mean 'pressure'?")),
            "pump.mo:2:10: error: no variable 'presure' in model Pump\n"
            "    2 |   flow = presure / r;\n"
            "      |          ^~~~~~~ did you mean 'pressure'?\n");
}

TEST(DiagnosticTest, NamesTheComponentWhereThereIsNoText) {
  Diagnostic diagnostic{.message = "not connected",
                        .hint = "connect it or give it a default",
                        .path = "Controlled.gain.u"};
  EXPECT_EQ(Render(diagnostic),
            "error: Controlled.gain.u: not connected; connect it or give it a "
            "default\n");
}

TEST(DiagnosticTest, UnderlinesOnlyTheFirstLineOfALongSpan) {
  const auto span = SpanOf("a = b +\n  c;\n", "b +\n  c");
  EXPECT_EQ(Render(MakeDiagnostic(Severity::kWarning, span, "odd")),
            "pump.mo:1:5: warning: odd\n"
            "    1 | a = b +\n"
            "      |     ^~~\n");
}

TEST(DiagnosticTest, MakesBinaryNoiseFitForATerminal) {
  const auto span = SpanOf("a\x1b[31m\xff\xc3\xa9 = x", "x");
  EXPECT_EQ(Render(MakeDiagnostic(Severity::kError, span, "noise")),
            "pump.mo:1:13: error: noise\n"
            "    1 | a?[31m?\xc3\xa9 = x\n"
            "      |            ^\n");
}

TEST(DiagnosticTest, CutsAVeryLongLineAroundTheCaret) {
  const std::string text =
      std::string(100000, '(') + "?" + std::string(100000, ')');
  const std::string shown =
      Render(MakeDiagnostic(Severity::kError, SpanOf(text, "?"), "deep"));
  EXPECT_LT(shown.size(), 500U);
  EXPECT_THAT(shown, testing::HasSubstr("((((?))))"));
}

TEST(DiagnosticTest, NamesCharactersThatAreHiddenOrTurnTheText) {
  // U+202E (right to left), U+0085 (a C1 control), U+200B (no width).
  const auto span = SpanOf("a\xe2\x80\xae = \xc2\x85x\xe2\x80\x8b", "x");
  EXPECT_EQ(Render(MakeDiagnostic(Severity::kError, span, "odd")),
            "pump.mo:1:10: error: odd\n"
            "    1 | a<U+202E> = <U+0085>x<U+200B>\n"
            "      |                     ^\n");
}

TEST(DiagnosticTest, MessagesAreMadeFitForATerminalToo) {
  EXPECT_EQ(Render(Diagnostic{.message = "no 'a\x1b[2J\xe2\x80\xae'"}),
            "error: no 'a?[2J<U+202E>'\n");
}

TEST(DiagnosticTest, KeepsOfALongLineOnlyWhatIsShown) {
  const std::string text =
      std::string(500000, 'a') + "?" + std::string(500000, 'b');
  const Diagnostic diagnostic =
      MakeDiagnostic(Severity::kError, SpanOf(text, "?"), "deep");
  EXPECT_EQ(diagnostic.column, 500001);
  EXPECT_EQ(diagnostic.excerpt.size(), 400U);
  EXPECT_EQ(diagnostic.excerpt_begin, 500000 - 200);
  EXPECT_EQ(diagnostic.excerpt[200], '?');
  const std::string line =
      "..." + std::string(80, 'a') + "?" + std::string(79, 'b') + "...";
  EXPECT_EQ(Render(diagnostic),
            "pump.mo:1:500001: error: deep\n    1 | " + line + "\n      | " +
                std::string(83, ' ') + "^\n");
}

TEST(DiagnosticTest, CutsALongLineBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "\xe2\x82\xac";
  }
  const std::string shown = Render(
      MakeDiagnostic(Severity::kError, SpanOf(text + "x" + text, "x"), "odd"));
  EXPECT_EQ(shown.find('?'), std::string::npos);
}

TEST(DiagnosticsTest, KeepsTheFirstErrorsAndCountsTheRest) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < 2 * Diagnostics::kMaxErrors; ++i) {
    diagnostics.Error({}, "error " + std::to_string(i));
  }
  EXPECT_EQ(diagnostics.list().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diagnostics.error_count(), 2 * Diagnostics::kMaxErrors);
}

TEST(DiagnosticsTest, TellsHowManyErrorsItDidNotKeep) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < Diagnostics::kMaxErrors + 3; ++i) {
    diagnostics.Error({}, "error " + std::to_string(i));
  }
  try {
    diagnostics.ThrowIfErrors();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(
        error.what(),
        testing::EndsWith("error: error 19\nnote: and 3 more errors\n"));
  }
}

TEST(DiagnosticsTest, ThrowsAllOfThemAtOnce) {
  Diagnostics diagnostics;
  diagnostics.Warning({}, "first");
  EXPECT_NO_THROW(diagnostics.ThrowIfErrors());
  diagnostics.Error({}, "second");
  try {
    diagnostics.ThrowIfErrors();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidModel);
    EXPECT_STREQ(error.what(), "warning: first\nerror: second\n");
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

}  // namespace
}  // namespace orrery
