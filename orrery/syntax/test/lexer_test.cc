#include "orrery/syntax/lexer.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = TokenKind;

std::vector<Kind> KindsOf(std::string_view text) {
  std::vector<Kind> kinds;
  for (const Token& token : Tokenize(text).tokens) {
    kinds.push_back(token.kind);
  }
  return kinds;
}

std::vector<std::string> TextsOf(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Tokenize(text).tokens) {
    texts.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  texts.pop_back();
  return texts;
}

std::vector<LexicalProblem> ProblemsOf(std::string_view text) {
  std::vector<LexicalProblem> problems;
  for (const LexicalError& error : Tokenize(text).errors) {
    problems.push_back(error.problem);
  }
  return problems;
}

TEST(LexerTest, KnowsEveryKeywordByItsSpelling) {
  for (auto kind = Kind::kAlgorithm; kind != Kind::kLeftParen;
       kind = static_cast<Kind>(static_cast<int>(kind) + 1)) {
    EXPECT_THAT(KindsOf(Spelling(kind)), ElementsAre(kind, Kind::kEndOfFile))
        << Spelling(kind);
    const std::string longer = std::string(Spelling(kind)) + "_";
    EXPECT_EQ(KeywordOrIdentifier(longer), Kind::kIdentifier);
  }
}

TEST(LexerTest, KnowsEveryOperatorByItsSpelling) {
  for (auto kind = Kind::kLeftParen; kind != Kind::kIdentifier;
       kind = static_cast<Kind>(static_cast<int>(kind) + 1)) {
    EXPECT_THAT(KindsOf(Spelling(kind)), ElementsAre(kind, Kind::kEndOfFile))
        << Spelling(kind);
  }
}

TEST(LexerTest, TakesTheLongestOperator) {
  EXPECT_THAT(
      TextsOf("a<=b<>c:=d==e.*f"),
      ElementsAre("a", "<=", "b", "<>", "c", ":=", "d", "==", "e", ".*", "f"));
}

TEST(LexerTest, TellsIntegersFromReals) {
  EXPECT_THAT(KindsOf("1 1. .5 1.5 1e3 1E+3 1.e-3 .5e3"),
              ElementsAre(Kind::kInteger,
                          Kind::kReal,
                          Kind::kReal,
                          Kind::kReal,
                          Kind::kReal,
                          Kind::kReal,
                          Kind::kReal,
                          Kind::kReal,
                          Kind::kEndOfFile));
}

TEST(LexerTest, GivesADotToTheNumberBeforeIt) {
  EXPECT_THAT(TextsOf("1.*x"), ElementsAre("1.", "*", "x"));
  EXPECT_THAT(TextsOf("1 .*x"), ElementsAre("1", ".*", "x"));
}

TEST(LexerTest, TakesAnExponentWithoutDigitsForABadNumber) {
  EXPECT_THAT(TextsOf("1e 2e+ 3ex"), ElementsAre("1e", "2e+", "3", "ex"));
  EXPECT_EQ(ProblemsOf("1e 2e+ 3ex").size(), 2U);
}

TEST(LexerTest, SkipsCommentsThatDoNotNest) {
  EXPECT_THAT(TextsOf("a // b\nc /* d /* e */ f"), ElementsAre("a", "c", "f"));
}

TEST(LexerTest, AllowsUnicodeInCommentsAndStrings) {
  EXPECT_THAT(
      ProblemsOf("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\" // \xc3\xa9"),
      IsEmpty());
}

TEST(LexerTest, SkipsAByteOrderMarkAtTheBeginningOnly) {
  EXPECT_THAT(TextsOf("\xEF\xBB\xBF"
                      "model"),
              ElementsAre("model"));
  EXPECT_THAT(ProblemsOf("model \xEF\xBB\xBF"),
              ElementsAre(LexicalProblem::kBadCharacters));
}

TEST(LexerTest, KeepsQuotedNamesWhole) {
  EXPECT_THAT(TextsOf("'a b'.'it\\'s' \"s\\\"t\""),
              ElementsAre("'a b'", ".", "'it\\'s'", "\"s\\\"t\""));
}

TEST(LexerTest, LetsAStringSpanLines) {
  EXPECT_THAT(TextsOf("\"a\nb\" c"), ElementsAre("\"a\nb\"", "c"));
}

TEST(LexerTest, RefusesStringsThatAreNotUtf8) {
  for (const std::string bytes : {"\xff",
                                  "\xc0\x80",
                                  "\xe0\x80\x80",
                                  "\xed\xa0\x80",
                                  "\xf5\x80\x80\x80",
                                  "\xc3",
                                  "\x80"}) {
    EXPECT_THAT(ProblemsOf("\"" + bytes + "\""),
                ElementsAre(LexicalProblem::kNotUtf8));
  }
}

TEST(LexerTest, ReportsARunOfBadCharactersOnce) {
  EXPECT_THAT(ProblemsOf("a $$\x01\xff b"),
              ElementsAre(LexicalProblem::kBadCharacters));
}

TEST(LexerTest, ReportsWhatIsNotClosed) {
  EXPECT_THAT(ProblemsOf("a /* b"),
              ElementsAre(LexicalProblem::kUnterminatedComment));
  EXPECT_THAT(ProblemsOf("'a\nb"),
              ElementsAre(LexicalProblem::kUnterminatedName));
  EXPECT_THAT(ProblemsOf("\"a\nb"),
              ElementsAre(LexicalProblem::kUnterminatedString));
}

TEST(LexerTest, GoesOnAfterTheLineOfAnUnclosedString) {
  EXPECT_THAT(TextsOf("x \"a b\ny z"), ElementsAre("x", "\"a b", "y", "z"));
}

TEST(LexerTest, TakesOperatorsOfCForTheirCounterparts) {
  EXPECT_THAT(KindsOf("!= ! && ||"),
              ElementsAre(Kind::kNotEqual,
                          Kind::kNot,
                          Kind::kAnd,
                          Kind::kOr,
                          Kind::kEndOfFile));
  EXPECT_EQ(ProblemsOf("!= ! && ||").size(), 4U);
}

TEST(LexerTest, StaysLinearWhenNoStringIsClosed) {
  // Every quote but the first is escaped, seen from the one before it.
  std::string text = "\"\n";
  for (int i = 0; i < 200'000; ++i) {
    text += "\\\"\n";
  }
  EXPECT_EQ(Tokenize(text).tokens.size(), 400'002U);
}

}  // namespace
}  // namespace orrery::modelica
