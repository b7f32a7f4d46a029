#include "orrery/fmi/fmu.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/fmi/test/zip_writer.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSmall = R"(<fmiModelDescription fmiVersion="2.0"
    modelName="Small" guid="{1}">
  <ModelExchange modelIdentifier="Small"/>
  <ModelVariables/>
  <ModelStructure/>
</fmiModelDescription>)";

Fmu Read(const std::vector<ZipEntry>& entries) {
  Diagnostics diagnostics;
  return ReadFmu(std::make_shared<const SourceFile>("S.fmu", MakeZip(entries)),
                 diagnostics);
}

TEST(FmuTest, HasTheDescriptionInTheArchive) {
  const Fmu fmu = Read({{.name = "modelDescription.xml", .content = kSmall}});

  EXPECT_EQ(fmu.description->model_name, "Small");
  EXPECT_EQ(fmu.description->version, FmiVersion::k2);
}

TEST(FmuTest, KnowsThePlatformsThatItHasCodeFor) {
  const Fmu fmu = Read({{.name = "modelDescription.xml", .content = kSmall},
                        {.name = "binaries/win64/Small.dll", .content = "w"},
                        {.name = "binaries/linux64/Small.so", .content = "l"},
                        {.name = "binaries/linux64/other.so", .content = "o"}});

  EXPECT_THAT(fmu.platforms, ElementsAre("linux64", "win64"));
  EXPECT_FALSE(fmu.has_sources);
}

TEST(FmuTest, KnowsWhetherItHasSources) {
  EXPECT_TRUE(Read({{.name = "modelDescription.xml", .content = kSmall},
                    {.name = "sources/all.c", .content = "int x;"}})
                  .has_sources);
}

TEST(FmuTest, ListsWhatIsThereIfItHasNoDescription) {
  EXPECT_EQ(
      MessageOf([] {
        (void)Read({{.name = "Small/modelDescription.xml", .content = kSmall},
                    {.name = "readme.txt", .content = ""}});
      }),
      "cannot read S.fmu: it has no modelDescription.xml, which an FMU has at "
      "the top; it has Small/modelDescription.xml, readme.txt");
}

TEST(FmuTest, CountsFilesIfThereAreManyWithoutADescription) {
  std::vector<ZipEntry> entries;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    entries.push_back({.name = name, .content = ""});
  }

  EXPECT_THAT(MessageOf([&] { (void)Read(entries); }),
              HasSubstr("it has a, b, c, d, e and 2 other files"));
}

TEST(FmuTest, NamesTheArchiveInErrorsOfTheDescription) {
  EXPECT_THAT(MessageOf([] {
                (void)Read({{.name = "modelDescription.xml",
                             .content = "<fmiModelDescription>"}});
              }),
              HasSubstr("S.fmu/modelDescription.xml:1:22: error: this is not "
                        "well-formed XML"));
}

}  // namespace
}  // namespace orrery::fmi
