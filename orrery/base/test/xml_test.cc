#include "orrery/base/text/xml.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(XmlTest, TextHasNoTagsOrEntitiesOfItsOwn) {
  EXPECT_EQ(EscapeXml("a < b && c > d", XmlPlace::kText),
            "a &lt; b &amp;&amp; c &gt; d");
  EXPECT_EQ(EscapeXml("&lt;", XmlPlace::kText), "&amp;lt;");
}

TEST(XmlTest, QuotesAreEscapedInAttributesOnly) {
  EXPECT_EQ(EscapeXml("say \"x\"", XmlPlace::kText), "say \"x\"");
  EXPECT_EQ(EscapeXml("say \"x\"", XmlPlace::kAttribute), "say &quot;x&quot;");
}

TEST(XmlTest, OtherCharactersStay) {
  EXPECT_EQ(EscapeXml("", XmlPlace::kText), "");
  EXPECT_EQ(EscapeXml("Größe 'm²'", XmlPlace::kAttribute), "Größe 'm²'");
}

}  // namespace
}  // namespace orrery
