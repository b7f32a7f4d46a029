#include "orrery/server/page/page.h"

#include <string>

#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"

namespace orrery::server {
namespace {

std::string HeaderOf(const Response& response, const std::string& name) {
  for (const auto& header : response.headers) {
    if (header.first == name) {
      return header.second;
    }
  }
  return "";
}

TEST(PageTest, GivesEachVisitARandomWordOfItsOwn) {
  const TemporaryFolder build;
  build.Write("index.html", "<style nonce=\"__NONCE__\"></style>__NONCE__");
  const Page page(build.path());
  const Response one = page.Index({});
  const Response two = page.Index({});
  EXPECT_NE(one.body, two.body);
  EXPECT_EQ(one.body.find("__NONCE__"), std::string::npos);
  const std::string nonce = one.body.substr(14, 32);
  EXPECT_NE(HeaderOf(one, "Content-Security-Policy")
                .find("style-src 'self' 'nonce-" + nonce + "'"),
            std::string::npos);
}

TEST(PageTest, AllowsScriptsOfThisServerOnly) {
  EXPECT_EQ(PolicyWith("N"),
            "default-src 'none'; script-src 'self'; style-src 'self' "
            "'nonce-N'; img-src 'self' data: blob:; font-src 'self'; "
            "connect-src 'self'; worker-src 'self'; frame-src 'self'; "
            "frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
}

TEST(PageTest, ServesTheFilesOfABuildWithTheirTypes) {
  const TemporaryFolder build;
  build.Write("assets/a.js", "1");
  build.Write("assets/fonts/b.woff2", "2");
  const Page page(build.path());
  EXPECT_EQ(page.Asset({}, {"a.js"}).type, "text/javascript; charset=utf-8");
  EXPECT_EQ(page.Asset({}, {"fonts", "b.woff2"}).body, "2");
  EXPECT_THROW(static_cast<void>(page.Asset({}, {"c.js"})), HttpError);
}

TEST(PageTest, SaysHowToBuildAMissingPage) {
  const TemporaryFolder build;
  EXPECT_NE(Page(build.path()).Index({}).body.find("npx vite build"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::server
