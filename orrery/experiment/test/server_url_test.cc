#include "orrery/experiment/cluster/server_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery::experiment::internal {
namespace {

TEST(ServerUrlTest, APasswordIsNotShown) {
  EXPECT_EQ(ReadServerUrls("nats://ann:s3cret@head:4222").shown,
            "nats://head:4222");
  EXPECT_EQ(ReadServerUrls("ann:s3cr@t@head").shown, "head");
  EXPECT_EQ(ReadServerUrls("nats://head").shown, "nats://head");
}

TEST(ServerUrlTest, ServersOfAClusterStandBehindCommas) {
  const ServerUrls urls = ReadServerUrls("nats://u:p@a:1,nats://b:2");
  EXPECT_THAT(urls.all, testing::ElementsAre("nats://u:p@a:1", "nats://b:2"));
  EXPECT_EQ(urls.shown, "nats://a:1,nats://b:2");
  EXPECT_EQ(urls.host, "");
}

TEST(ServerUrlTest, ASecureOneIsKnownWithItsHost) {
  EXPECT_FALSE(ReadServerUrls("nats://head").is_secure);
  const ServerUrls urls = ReadServerUrls("tls://ann:p@head.example.org:4222");
  EXPECT_TRUE(urls.is_secure);
  EXPECT_EQ(urls.host, "head.example.org");
  EXPECT_EQ(ReadServerUrls("tls://[::1]:4222").host, "::1");
}

TEST(ServerUrlTest, WhatIsNoAddressIsRefused) {
  for (const char* text : {"", "nats://", "http://x", "nats://a,,nats://b"}) {
    EXPECT_THROW(static_cast<void>(ReadServerUrls(text)), Error) << text;
  }
}

}  // namespace
}  // namespace orrery::experiment::internal
