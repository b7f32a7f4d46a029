#include "orrery/fmi/files/xml_document.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<const XmlDocument> Parse(const std::string& text,
                                         Diagnostics& diagnostics) {
  return XmlDocument::Parse(std::make_shared<const SourceFile>("d.xml", text),
                            diagnostics);
}

std::unique_ptr<const XmlDocument> ParseSound(const std::string& text) {
  Diagnostics diagnostics;
  auto document = Parse(text, diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return document;
}

std::string ErrorsOf(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_EQ(Parse(text, diagnostics), nullptr);
  return Render(diagnostics.list());
}

TEST(XmlDocumentTest, HasElementsWithTheirAttributes) {
  const auto document = ParseSound("<a x='1'><b y=\"2 &amp; 3\"/><c/><b/></a>");

  EXPECT_EQ(document->root().Find("x"), "1");
  EXPECT_EQ(document->root().children.size(), 3U);
  EXPECT_EQ(document->root().Child("b")->Find("y"), "2 & 3");
}

TEST(XmlDocumentTest, HasNothingForNamesThatAreNotThere) {
  const auto document = ParseSound("<a x='1'/>");

  EXPECT_EQ(document->root().Find("y"), std::nullopt);
  EXPECT_EQ(document->root().Child("b"), nullptr);
}

TEST(XmlDocumentTest, KeepsManySiblingsInOrder) {
  std::string text = "<a>";
  for (int i = 0; i < 1'000; ++i) {
    text += "<b n='" + std::to_string(i) + "'><c/></b>";
  }
  const auto document = ParseSound(text + "</a>");

  EXPECT_EQ(document->root().children.at(999).Find("n"), "999");
  EXPECT_EQ(document->root().children.at(500).children.size(), 1U);
}

TEST(XmlDocumentTest, KnowsThePlaceOfAnAttribute) {
  const auto document =
      ParseSound("<a>\n  <b other='name=2'\n     name='x'/>\n</a>");

  const SourceSpan span =
      document->PlaceOf(*document->root().Child("b"), "name");

  EXPECT_EQ(span.file->PositionOf(span.begin).line, 3);
  EXPECT_EQ(span.file->PositionOf(span.begin).column, 6);
  EXPECT_EQ(span.end - span.begin, 8U);
}

TEST(XmlDocumentTest, TellsATagThatDoesNotMatch) {
  EXPECT_EQ(ErrorsOf("<a>\n  <b>\n</a>"),
            "d.xml:3:3: error: this is not well-formed XML: mismatched tag; "
            "<b> of line 2 is open\n"
            "    3 | </a>\n"
            "      |   ^\n");
}

TEST(XmlDocumentTest, TellsATextThatEndsTooEarly) {
  EXPECT_THAT(ErrorsOf("<a>\n<b x='1'"),
              HasSubstr("this is not well-formed XML: unclosed token; <a> of "
                        "line 1 is open"));
  EXPECT_THAT(ErrorsOf(""), HasSubstr("no element found"));
}

TEST(XmlDocumentTest, TellsAnAttributeThatIsThereTwice) {
  EXPECT_THAT(ErrorsOf("<a x='1' x='2'/>"), HasSubstr("duplicate attribute"));
}

TEST(XmlDocumentTest, RefusesDeclarationsOfTypes) {
  EXPECT_THAT(
      ErrorsOf("<!DOCTYPE a [<!ENTITY e 'eeeeeeeeee'>]><a x='&e;&e;'/>"),
      HasSubstr("error: a DOCTYPE is not allowed"));
}

TEST(XmlDocumentTest, RefusesElementsThatAreTooDeep) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "<a>";
  }

  EXPECT_THAT(ErrorsOf(text), HasSubstr("more than 256 levels deep"));
}

}  // namespace
}  // namespace orrery::fmi
