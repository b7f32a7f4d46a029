#include "orrery/server/files/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/server/files/drafts.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

// The status of the error that a call throws; 0 for none.
int StatusOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const HttpError& error) {
    return error.status;
  }
  return 0;
}

class FolderTest : public testing::Test {
 protected:
  FolderTest() : folder_(place_.path()) {}

  int StatusOfReading(const std::string& path) {
    return StatusOf([&] { static_cast<void>(folder_.Read(path)); });
  }

  TemporaryFolder outside_;
  TemporaryFolder place_;
  Folder folder_;
};

TEST_F(FolderTest, ReadsATextToItsLastByte) {
  const std::string text = "\xEF\xBB\xBFmodel \xC3\x96\r\nend;";
  place_.Write("a/b.mo", text);
  EXPECT_EQ(folder_.Read("a/b.mo").text, text);
  EXPECT_EQ(folder_.Read("a/b.mo").etag, EtagOf(text));
}

TEST_F(FolderTest, RefusesEveryWayOutOfTheFolder) {
  outside_.Write("secret", "x");
  fs::create_symlink(outside_.path() + "/secret", place_.path() + "/link");
  fs::create_directory_symlink(outside_.path(), place_.path() + "/door");
  fs::create_symlink(
      "../" + fs::path(outside_.path()).filename().string() + "/secret",
      place_.path() + "/relative");
  fs::create_symlink("/proc/self/cwd", place_.path() + "/magic");
  for (const std::string path : {"../x",
                                 "a/../../x",
                                 "/etc/passwd",
                                 "//etc/passwd",
                                 "a//b",
                                 "a/",
                                 ".",
                                 "..",
                                 "",
                                 ".git/config",
                                 "a/.hidden",
                                 "link",
                                 "door/secret",
                                 "relative",
                                 "magic"}) {
    EXPECT_EQ(StatusOfReading(path), 400) << path;
    EXPECT_EQ(StatusOf([&] {
                static_cast<void>(folder_.Write(path, "y", std::nullopt));
              }),
              400)
        << path;
  }
  EXPECT_EQ(outside_.Read("secret"), "x");
}

TEST_F(FolderTest, FollowsALinkWithinTheFolderAndKeepsIt) {
  place_.Write("real.mo", "1");
  fs::create_symlink("real.mo", place_.path() + "/link.mo");
  const auto etag = folder_.Write("link.mo", "2", EtagOf("1"));
  EXPECT_EQ(etag, EtagOf("2"));
  EXPECT_EQ(place_.Read("real.mo"), "2");
  EXPECT_TRUE(fs::is_symlink(place_.path() + "/link.mo"));
}

TEST_F(FolderTest, WritesOverATextThatIsKnownOnly) {
  place_.Write("a.mo", "old");
  EXPECT_EQ(folder_.Write("a.mo", "mine", EtagOf("older")), std::nullopt);
  EXPECT_EQ(place_.Read("a.mo"), "old");
  EXPECT_EQ(folder_.Write("a.mo", "mine", EtagOf("old")), EtagOf("mine"));
  EXPECT_EQ(place_.Read("a.mo"), "mine");
}

TEST_F(FolderTest, MakesANewFileWhereNoneIs) {
  EXPECT_EQ(folder_.Write("p/q/a.mo", "x", std::nullopt), EtagOf("x"));
  EXPECT_EQ(place_.Read("p/q/a.mo"), "x");
  EXPECT_EQ(folder_.Write("p/q/a.mo", "y", std::nullopt), std::nullopt);
  EXPECT_EQ(place_.Read("p/q/a.mo"), "x");
}

TEST_F(FolderTest, DoesNotMakeAFileThatSomebodyHasRemoved) {
  EXPECT_EQ(folder_.Write("a.mo", "x", EtagOf("old")), std::nullopt);
  EXPECT_FALSE(folder_.Contains("a.mo"));
}

TEST_F(FolderTest, KeepsTheModeOfAFile) {
  place_.Write("run.sh", "1");
  chmod((place_.path() + "/run.sh").c_str(), 0750);
  ASSERT_TRUE(folder_.Write("run.sh", "2", EtagOf("1")));

  struct stat status {};

  stat((place_.path() + "/run.sh").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777U, 0750U);
}

TEST_F(FolderTest, LeavesNothingBesideAFileThatItDidNotWrite) {
  place_.Write("a.mo", "old");
  static_cast<void>(folder_.Write("a.mo", "mine", EtagOf("older")));
  EXPECT_EQ(std::distance(fs::directory_iterator(place_.path()),
                          fs::directory_iterator()),
            1);
}

TEST_F(FolderTest, ShowsTextsOfAtMostFiveMegabytes) {
  place_.Write("picture.png", std::string("\x89PNG\0\xff", 6));
  place_.Write("large.mo", std::string(Folder::kMostBytes + 1, 'x'));
  place_.Write("fits.mo", std::string(Folder::kMostBytes, 'x'));
  EXPECT_EQ(StatusOfReading("picture.png"), 415);
  EXPECT_EQ(StatusOfReading("large.mo"), 413);
  EXPECT_EQ(StatusOfReading("fits.mo"), 0);
  EXPECT_EQ(StatusOfReading("none.mo"), 404);
}

TEST_F(FolderTest, DoesNotWaitForAPipe) {
  ASSERT_EQ(mkfifo((place_.path() + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(StatusOfReading("pipe"), 415);
}

TEST_F(FolderTest, ListsFoldersFirstWithoutHiddenNames) {
  place_.Write("b.mo", "12345");
  place_.Write("a.mo", "");
  place_.Write("z/c.mo", "");
  place_.Write(".git/config", "");
  EXPECT_EQ(
      folder_.List(""),
      (std::vector<FileInfo>{
          {.path = "z", .is_folder = true, .size = folder_.List("")[0].size},
          {.path = "a.mo"},
          {.path = "b.mo", .size = 5}}));
  EXPECT_EQ(folder_.List("z"), (std::vector<FileInfo>{{.path = "z/c.mo"}}));
}

TEST_F(FolderTest, MovesToAFreePlaceOnly) {
  place_.Write("a.mo", "a");
  place_.Write("b.mo", "b");
  EXPECT_EQ(StatusOf([&] { folder_.Move("a.mo", "b.mo"); }), 409);
  EXPECT_EQ(place_.Read("b.mo"), "b");
  folder_.Move("a.mo", "new/c.mo");
  EXPECT_EQ(place_.Read("new/c.mo"), "a");
  EXPECT_FALSE(folder_.Contains("a.mo"));
}

TEST_F(FolderTest, PutsWhatIsRemovedIntoTheTrash) {
  place_.Write("a.mo", "kept");
  const std::string trash = folder_.Remove("a.mo");
  EXPECT_FALSE(folder_.Contains("a.mo"));
  EXPECT_TRUE(trash.starts_with(".orrery/trash/"));
  EXPECT_EQ(place_.Read(trash), "kept");
}

TEST(NewFolderTest, RefusesAFolderThatIsNone) {
  EXPECT_THROW(Folder("/no/such/folder"), Error);
  EXPECT_THROW(Folder("/etc/passwd"), Error);
}

TEST(DraftsTest, OutliveTheirObject) {
  const TemporaryFolder state;
  Drafts(state.path(), "/models")
      .Keep({.path = "a.mo", .base = "\"1\"", .text = "model \xC3\x96"});
  Drafts(state.path(), "/models")
      .Keep({.path = "b/c.mo", .base = "", .text = "x"});
  const std::vector<Draft> drafts = Drafts(state.path(), "/models").All();
  ASSERT_EQ(drafts.size(), 2U);
  EXPECT_EQ(drafts[0].text, "model \xC3\x96");
  EXPECT_EQ(drafts[0].base, "\"1\"");
  EXPECT_EQ(drafts[1].path, "b/c.mo");
}

TEST(DraftsTest, BelongToOneFolder) {
  const TemporaryFolder state;
  Drafts(state.path(), "/models")
      .Keep({.path = "a.mo", .base = "", .text = ""});
  EXPECT_TRUE(Drafts(state.path(), "/others").All().empty());
}

TEST(DraftsTest, AreForgottenOneByOne) {
  const TemporaryFolder state;
  const Drafts drafts(state.path(), "/models");
  drafts.Keep({.path = "a.mo", .base = "", .text = ""});
  drafts.Keep({.path = "b.mo", .base = "", .text = ""});
  drafts.Drop("a.mo");
  drafts.Drop("none.mo");
  ASSERT_EQ(drafts.All().size(), 1U);
  EXPECT_EQ(drafts.All()[0].path, "b.mo");
}

}  // namespace
}  // namespace orrery::server
