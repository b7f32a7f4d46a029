#include "orrery/base/text/uri.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

// RFC 3986, sections 2.1 and 2.3.
TEST(FileUriTest, OnlyUnreservedSignsStay) {
  EXPECT_EQ(FileUri("/home/a-b_c.d~1/M.mo"), "file:///home/a-b_c.d~1/M.mo");
  EXPECT_EQ(FileUri("/my models/100%#1?.mo"),
            "file:///my%20models/100%25%231%3F.mo");
  EXPECT_EQ(FileUri("/größe.mo"), "file:///gr%C3%B6%C3%9Fe.mo");
}

TEST(FileUriTest, SignsThatAreNamedStay) {
  EXPECT_EQ(FileUri("/a+b (1)", "/+()"), "file:///a+b%20(1)");
  EXPECT_EQ(FileUri("/a.b", "/"), "file:///a%2Eb");
}

}  // namespace
}  // namespace orrery
