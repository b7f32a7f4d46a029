#include "orrery/server/http/gate.h"

#include <string>

#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery::server {
namespace {

class GateTest : public testing::Test {
 protected:
  GateTest() {
    rules_.port = 4711;
    rules_.session = "s3cret";
  }

  // A request of our page.
  static Request Ours(const std::string& method) {
    Request request{.method = method,
                    .target = "/api/file",
                    .headers = {{"host", "127.0.0.1:4711"},
                                {"origin", "http://127.0.0.1:4711"},
                                {"sec-fetch-site", "same-origin"},
                                {"cookie", "a=b; orrery_4711=s3cret"},
                                {"x-orrery", "1"}},
                    .path = {"api", "file"},
                    .query = {},
                    .body = ""};
    if (method != "GET") {
      request.headers["content-length"] = "2";
    }
    return request;
  }

  // The status of the refusal; 0 if there is none.
  [[nodiscard]] int StatusOf(const Request& request) const {
    const auto refusal = Refusal(request, rules_);
    return refusal ? refusal->status : 0;
  }

  // The same with one header changed.
  [[nodiscard]] int StatusWith(const std::string& method,
                               const std::string& name,
                               const std::string& value) const {
    Request request = Ours(method);
    request.headers[name] = value;
    return StatusOf(request);
  }

  GateRules rules_;
};

TEST_F(GateTest, LetsOurPagePass) {
  for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
    EXPECT_EQ(StatusOf(Ours(method)), 0) << method;
  }
}

TEST_F(GateTest, RefusesEveryHostButOurAddress) {
  for (const char* host : {"evil.example",
                           "evil.example:4711",
                           "localhost:4711",
                           "127.0.0.1",
                           "127.0.0.1:80",
                           "127.0.0.2:4711",
                           "127.0.0.1:4711, evil.example",
                           "127.0.0.1:4711.",
                           ""}) {
    EXPECT_EQ(StatusWith("GET", "host", host), 403) << host;
  }
  Request none = Ours("GET");
  none.headers.erase("host");
  EXPECT_EQ(StatusOf(none), 403);
}

TEST_F(GateTest, RefusesAnotherHostForThePageToo) {
  Request page = Ours("GET");
  page.path = {};
  page.target = "/";
  page.headers["host"] = "evil.example:4711";
  EXPECT_EQ(StatusOf(page), 403);
}

TEST_F(GateTest, LeadsLocalhostToOurAddress) {
  Request page = Ours("GET");
  page.path = {};
  page.target = "/?token=ab";
  page.headers["host"] = "localhost:4711";
  const auto answer = Refusal(page, rules_);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(answer->headers.front().second, "http://127.0.0.1:4711/?token=ab");
}

TEST_F(GateTest, TakesItsHostWithoutThePortThatBrowsersLeaveOut) {
  rules_.port = 80;
  EXPECT_EQ(rules_.origin(), "http://127.0.0.1");
  for (const char* host : {"127.0.0.1", "127.0.0.1:80"}) {
    Request request = Ours("PUT");
    request.headers["host"] = host;
    request.headers["origin"] = "http://127.0.0.1";
    request.headers["cookie"] = "orrery_80=s3cret";
    EXPECT_EQ(StatusOf(request), 0) << host;
  }
  for (const char* host :
       {"127.0.0.1:8080", "127.0.0.1:80:80", "evil.example", "localhost", ""}) {
    EXPECT_EQ(StatusWith("GET", "host", host), 403) << host;
  }
  Request page = Ours("GET");
  page.path = {};
  page.target = "/";
  page.headers["host"] = "localhost";
  EXPECT_EQ(StatusOf(page), 302);
}

TEST_F(GateTest, RefusesPagesOfOtherOrigins) {
  for (const char* origin : {"http://evil.example",
                             "null",
                             "https://127.0.0.1:4711",
                             "http://127.0.0.1:4712",
                             "http://localhost:4711"}) {
    EXPECT_EQ(StatusWith("POST", "origin", origin), 403) << origin;
    EXPECT_EQ(StatusWith("GET", "origin", origin), 403) << origin;
  }
  for (const char* site : {"cross-site", "same-site", "none"}) {
    EXPECT_EQ(StatusWith("GET", "sec-fetch-site", site), 403) << site;
  }
}

TEST_F(GateTest, RefusesChangesWithoutTheHeaderThatFormsCannotSet) {
  Request form = Ours("POST");
  form.headers.erase("x-orrery");
  EXPECT_EQ(StatusOf(form), 403);
  EXPECT_EQ(StatusWith("DELETE", "x-orrery", "0"), 403);
  Request read = Ours("GET");
  read.headers.erase("x-orrery");
  EXPECT_EQ(StatusOf(read), 0);
}

TEST_F(GateTest, RefusesWhoeverHasNoCookie) {
  for (const char* cookie : {"",
                             "orrery_4711=",
                             "orrery_4711=s3cre",
                             "orrery_4711=s3cret1",
                             "orrery_4712=s3cret",
                             "xorrery_4711=s3cret"}) {
    EXPECT_EQ(StatusWith("GET", "cookie", cookie), 401) << cookie;
  }
  Request none = Ours("PUT");
  none.headers.erase("cookie");
  EXPECT_EQ(StatusOf(none), 401);
}

TEST_F(GateTest, RefusesBodiesThatItCannotBound) {
  EXPECT_EQ(StatusWith("POST", "transfer-encoding", "chunked"), 411);
  EXPECT_EQ(StatusWith("POST", "content-length", "33554433"), 413);
  EXPECT_EQ(StatusWith("POST", "content-length", "33554432"), 0);
  EXPECT_EQ(StatusWith("POST", "content-length", "1, 2"), 400);
  EXPECT_EQ(StatusWith("POST", "content-length", "-1"), 400);
  EXPECT_EQ(StatusWith("GET", "content-length", "5"), 400);
  EXPECT_EQ(StatusWith("POST", "content-encoding", "gzip"), 415);
  EXPECT_EQ(StatusWith("POST", "content-type", "multipart/form-data"), 415);
  Request none = Ours("POST");
  none.headers.erase("content-length");
  EXPECT_EQ(StatusOf(none), 411);
}

TEST_F(GateTest, RefusesPartsOfFilesAndUnknownMethods) {
  EXPECT_EQ(StatusWith("GET", "range", "bytes=0-1"), 416);
  EXPECT_EQ(StatusOf(Ours("OPTIONS")), 405);
  EXPECT_EQ(StatusOf(Ours("TRACE")), 405);
}

TEST(AddressTest, IsOneThatBrowsersCanAskFor) {
  for (const char* address : {"127.0.0.1", "192.168.1.7", "10.0.0.255"}) {
    EXPECT_NO_THROW(CheckAddress(address)) << address;
  }
  for (const char* address : {"0.0.0.0",
                              "000.0.0.0",
                              "0",
                              "127.0.0.01",
                              "127.1",
                              "localhost",
                              "::1",
                              ""}) {
    EXPECT_THROW(CheckAddress(address), Error) << address;
  }
}

TEST(SecretTest, HasThirtyTwoBytesThatAreNeverTheSame) {
  EXPECT_EQ(NewSecret().size(), 64U);
  EXPECT_NE(NewSecret(), NewSecret());
}

}  // namespace
}  // namespace orrery::server
