#include "orrery/fmi/archive.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/fmi/test/zip_writer.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Archive Open(const std::string& bytes) {
  return Archive(std::make_shared<const SourceFile>("a.fmu", bytes));
}

std::string RefusalOfBytes(const std::string& bytes) {
  return MessageOf([&] { (void)Open(bytes); });
}

std::string RefusalOf(const ZipEntry& entry) {
  return RefusalOfBytes(
      MakeZip({{.name = "first.txt", .content = "1"}, entry}));
}

std::vector<std::string> NamesOf(const Archive& archive) {
  std::vector<std::string> names;
  for (const Archive::Entry& entry : archive.files()) {
    names.push_back(entry.name);
  }
  return names;
}

TEST(ArchiveTest, HasFilesInTheOrderOfTheArchive) {
  const Archive archive = Open(MakeZip({{.name = "z.txt", .content = "1"},
                                        {.name = "b/", .content = ""},
                                        {.name = "a/c.txt", .content = "3"}}));

  EXPECT_THAT(NamesOf(archive), ElementsAre("z.txt", "a/c.txt"));
}

TEST(ArchiveTest, HasFoldersThatAreEmptyOrOnlyInNames) {
  const Archive archive =
      Open(MakeZip({{.name = "resources/", .content = ""},
                    {.name = "binaries/linux64/m.so", .content = "x"}}));

  EXPECT_THAT(archive.folders(),
              ElementsAre("binaries", "binaries/linux64", "resources"));
}

TEST(ArchiveTest, ReadsStoredAndDeflatedEntries) {
  const std::string text(100'000, 'x');
  const Archive archive =
      Open(MakeZip({{.name = "stored", .content = "as it is"},
                    {.name = "packed", .content = text, .is_deflated = true},
                    {.name = "empty", .content = ""}}));

  EXPECT_EQ(archive.Read(*archive.Find("stored")), "as it is");
  EXPECT_EQ(archive.Read(*archive.Find("packed")), text);
  EXPECT_EQ(archive.Read(*archive.Find("empty")), "");
}

TEST(ArchiveTest, FindsNothingForANameThatItDoesNotHave) {
  EXPECT_EQ(Open(MakeZip({{.name = "a", .content = ""}})).Find("A"), nullptr);
}

TEST(ArchiveTest, WritesAllFilesAndFolders) {
  const TemporaryFolder folder;

  Open(MakeZip({{.name = "top.txt", .content = "top"},
                {.name = "resources/", .content = ""},
                {.name = "a/b/c.txt", .content = "deep", .is_deflated = true}}))
      .ExtractTo(folder.path());

  EXPECT_EQ(folder.Read("top.txt"), "top");
  EXPECT_EQ(folder.Read("a/b/c.txt"), "deep");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "resources"));
}

TEST(ArchiveTest, IsNoneWithoutEntries) {
  EXPECT_EQ(RefusalOfBytes("model M end M;"),
            "cannot read a.fmu: it is no ZIP archive, as an FMU is");
  EXPECT_EQ(RefusalOfBytes(""),
            "cannot read a.fmu: it is no ZIP archive, as an FMU is");
}

TEST(ArchiveTest, IsCutOffWithinTheEntryThatIsNamed) {
  const std::string whole = MakeZip(
      {{.name = "modelDescription.xml", .content = "<a/>"},
       {.name = "binaries/linux64/m.so", .content = std::string(5'000, 'b')}});

  EXPECT_THAT(RefusalOfBytes(whole.substr(0, 3'000)),
              HasSubstr("it ends within entry 'binaries/linux64/m.so'"));
  EXPECT_THAT(RefusalOfBytes(whole.substr(0, 53)),
              HasSubstr("it ends within entry 'modelDescription.xml'"));
}

TEST(ArchiveTest, RefusesNamesThatLeadOutOfTheFolder) {
  EXPECT_EQ(RefusalOf({.name = "../x", .content = "evil"}),
            "cannot read a.fmu: entry '../x' is refused: its name leads "
            "through '..'; nothing has been unpacked");
  EXPECT_THAT(RefusalOf({.name = "a/../../x", .content = ""}),
              HasSubstr("its name leads through '..'"));
  EXPECT_THAT(RefusalOf({.name = "/etc/x", .content = ""}),
              HasSubstr("entry '/etc/x' is refused: its name is absolute"));
  EXPECT_THAT(RefusalOf({.name = "C:x", .content = ""}),
              HasSubstr("its name is absolute"));
  EXPECT_THAT(RefusalOf({.name = "..\\x", .content = ""}),
              HasSubstr("its name has a '\\'"));
  EXPECT_THAT(RefusalOf({.name = "a//b", .content = ""}),
              HasSubstr("its name leads through ''"));
}

TEST(ArchiveTest, RefusesLinks) {
  EXPECT_EQ(
      RefusalOf({.name = "resources/l", .content = "/etc", .mode = 0120777}),
      "cannot read a.fmu: entry 'resources/l' is refused: it is a link; "
      "nothing has been unpacked");
}

TEST(ArchiveTest, RefusesDevices) {
  EXPECT_THAT(RefusalOf({.name = "tty", .content = "", .mode = 0020644}),
              HasSubstr("it is no file and no folder"));
}

TEST(ArchiveTest, RefusesEncryptedEntries) {
  EXPECT_THAT(RefusalOf({.name = "secret", .content = "x", .flags = 1}),
              HasSubstr("it is encrypted"));
}

TEST(ArchiveTest, RefusesOtherCompressions) {
  EXPECT_THAT(RefusalOf({.name = "lzma", .content = "x", .claimed_method = 14}),
              HasSubstr("it is compressed by method 14; an FMU's are stored or "
                        "deflated"));
}

TEST(ArchiveTest, RefusesEntriesThatAreThereTwice) {
  EXPECT_THAT(RefusalOf({.name = "first.txt", .content = "2"}),
              HasSubstr("entry 'first.txt' is there twice"));
  EXPECT_THAT(RefusalOf({.name = "first.txt/x", .content = "2"}),
              HasSubstr("entry 'first.txt' is there twice"));
}

TEST(ArchiveTest, RefusesContentsThatAreFarLargerThanTheArchive) {
  EXPECT_THAT(RefusalOf({.name = "bomb",
                         .content = std::string(1'000, '0'),
                         .is_deflated = true,
                         .claimed_size = 2'000'000'000}),
              HasSubstr("entry 'bomb' is refused: with it, 2000000000 bytes "
                        "or more would be unpacked"));
}

TEST(ArchiveTest, RefusesEntriesThatAreTooLargeTogether) {
  std::vector<ZipEntry> entries;
  for (int i = 0; i < 3; ++i) {
    entries.push_back({.name = "part" + std::to_string(i),
                       .content = "0",
                       .claimed_size = 30'000'000});
  }

  EXPECT_THAT(RefusalOfBytes(MakeZip(entries)), HasSubstr("entry 'part2'"));
}

TEST(ArchiveTest, TellsDamagedBytes) {
  std::string bytes = MakeZip({{.name = "data", .content = "0123456789"}});
  bytes[bytes.find("345")] = '9';
  const Archive archive = Open(bytes);

  EXPECT_EQ(MessageOf([&] { (void)archive.Read(*archive.Find("data")); }),
            "cannot read a.fmu: the bytes of entry 'data' are damaged; get the "
            "file once more");
}

TEST(ArchiveTest, WritesNothingIfAnEntryIsRefused) {
  const TemporaryFolder folder;

  EXPECT_THROW(Open(MakeZip({{.name = "good", .content = "1"},
                             {.name = "../bad", .content = "2"}}))
                   .ExtractTo(folder.path()),
               Error);

  EXPECT_THAT(folder.Files(), IsEmpty());
}

RC_GTEST_PROP(ArchiveTest, ReadsBackAnyBytes, (const std::string& content)) {
  const Archive archive =
      Open(MakeZip({{.name = "a", .content = content, .is_deflated = true}}));

  RC_ASSERT(archive.Read(*archive.Find("a")) == content);
}

RC_GTEST_PROP(ArchiveTest, OpensOrRefusesAnyChangeOfAByte, ()) {
  std::string bytes =
      MakeZip({{.name = "a", .content = "abcabcabc", .is_deflated = true},
               {.name = "b/c", .content = "stored"}});
  bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] =
      *rc::gen::arbitrary<char>();
  try {
    const Archive archive = Open(bytes);
    for (const Archive::Entry& entry : archive.files()) {
      RC_ASSERT(archive.Read(entry).size() == entry.size);
    }
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kInvalidModel);
  }
}

}  // namespace
}  // namespace orrery::fmi
