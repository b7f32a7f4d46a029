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

TEST(DiagnosticsTest, KeepsTheFirstErrorsAndCountsTheRest) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < 2 * Diagnostics::kMaxErrors; ++i) {
    diagnostics.Error({}, "error " + std::to_string(i));
  }
  EXPECT_EQ(diagnostics.list().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diagnostics.error_count(), 2 * Diagnostics::kMaxErrors);
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
