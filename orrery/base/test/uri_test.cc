#include "orrery/base/text/uri.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(UriTest, OfAPlainPathIsThePath) {
  EXPECT_EQ(FileUri("/home/me/a-b_c.1~"), "file:///home/me/a-b_c.1~");
}

TEST(UriTest, EscapesOtherBytes) {
  EXPECT_EQ(FileUri("/a b/100%+/\xC3\xA4"), "file:///a%20b/100%25%2B/%C3%A4");
}

TEST(UriTest, KeepsWhatIsSaidToBePlain) {
  EXPECT_EQ(FileUri("/a+b c", "/+"), "file:///a+b%20c");
}

}  // namespace
}  // namespace orrery
