// Packages that are folders of files.

#include "orrery/modelica/library_texts/package_folder.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;

// Files that are nowhere on a disk.
FileSet Folder(
    const std::vector<std::pair<std::string, std::string>>& names_and_texts) {
  FileSet files(FileSet::Others::kNowhere);
  for (const auto& [name, text] : names_and_texts) {
    files.Add(std::make_shared<const SourceFile>(name, text));
  }
  return files;
}

// A package with a package and a model in it, and files that do not belong to
// it.
FileSet Plant() {
  return Folder(
      {{"m/Plant/package.mo",
        "within;\npackage Plant\n  constant Real g = 9.81;\nend Plant;\n"},
       {"m/Plant/Tank.mo",
        "within Plant;\nmodel Tank\n  parameter Real area = 2;\n"
        "  Real rate = area*g;\nend Tank;\n"},
       {"m/Plant/Parts/package.mo",
        "within Plant;\npackage Parts\nend Parts;\n"},
       {"m/Plant/Parts/Pair.mo",
        "within Plant.Parts;\nmodel Pair\n  Tank a;\n  Tank b(area = 3);\n"
        "  annotation(experiment(StopTime = 4));\nend Pair;\n"},
       {"m/Plant/package.order", "Tank\nParts\n"},
       {"m/Plant/notes/Draft.mo", "model Draft\nend Draft;\n"},
       {"m/Other.mo", "model Other\n  Real x = 1;\nend Other;\n"}});
}

std::vector<std::string> NamesOf(const std::string& path,
                                 const FileSet& files) {
  std::vector<std::string> names;
  for (const auto& text : ReadTexts(path, files)) {
    names.push_back(text->name());
  }
  return names;
}

std::string DumpOfFile(const std::string& path,
                       const std::string& class_name,
                       const FileSet& files) {
  Diagnostics diagnostics;
  const auto flat =
      Flatten(ReadTexts(path, files), class_name, diagnostics, {}, files);
  return flat ? flat->name + "\n" + Dump(*flat) : Render(diagnostics.list());
}

TEST(PackageFolderTest, APackageComesWithTheFilesOfItsFolder) {
  EXPECT_THAT(NamesOf("m/Plant/package.mo", Plant()),
              ElementsAre("m/Plant/package.mo",
                          "m/Plant/Parts/package.mo",
                          "m/Plant/Parts/Pair.mo",
                          "m/Plant/Tank.mo"));
}

TEST(PackageFolderTest, AFileWithinComesWithAllOfThePackageBehindIt) {
  EXPECT_THAT(NamesOf("m/Plant/Parts/Pair.mo", Plant()),
              ElementsAre("m/Plant/Parts/Pair.mo",
                          "m/Plant/package.mo",
                          "m/Plant/Parts/package.mo",
                          "m/Plant/Tank.mo"));
}

TEST(PackageFolderTest, AFileBesideAPackageStandsAlone) {
  EXPECT_THAT(NamesOf("m/Other.mo", Plant()), ElementsAre("m/Other.mo"));
  const FileSet files =
      Folder({{"A.mo", "within P;\nmodel A\n  Real x = 1;\nend A;\n"}});
  EXPECT_THAT(NamesOf("A.mo", files), ElementsAre("A.mo"));
}

TEST(PackageFolderTest, TheFolderMayBeTheCurrentOne) {
  const FileSet files =
      Folder({{"package.mo", "package P\nend P;\n"},
              {"A.mo", "within P;\nmodel A\n  Real x = 1;\nend A;\n"}});
  EXPECT_THAT(NamesOf("A.mo", files), ElementsAre("A.mo", "package.mo"));
}

// From there, ../Parts is the current folder.
TEST(PackageFolderTest, TheCurrentFolderMayBeInThatOfThePackage) {
  const std::string pair = "within Plant.Parts;\nmodel Pair\nend Pair;\n";
  const std::string parts = "within Plant;\npackage Parts\nend Parts;\n";
  const std::string plant = "package Plant\nend Plant;\n";
  const std::vector<std::string> names = {
      "Pair.mo", "../package.mo", "package.mo"};
  EXPECT_EQ(NamesOf("Pair.mo",
                    Folder({{"Pair.mo", pair},
                            {"package.mo", parts},
                            {"../package.mo", plant}})),
            names);

  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  const fs::path folder = fs::path(testing::TempDir()) / "orrery_inner";
  fs::remove_all(folder);
  fs::create_directories(folder / "Parts");
  fs::current_path(folder / "Parts");
  std::ofstream("Pair.mo") << pair;
  std::ofstream("package.mo") << parts;
  std::ofstream("../package.mo") << plant;
  EXPECT_EQ(NamesOf("Pair.mo", {}), names);
  EXPECT_EQ(NamesOf("../Parts/Pair.mo", {}).size(), 3U);
  fs::current_path(before);
  fs::remove_all(folder);
}

TEST(PackageFolderTest, FilesAreFoundOnTheDisk) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "orrery_package";
  fs::remove_all(folder);
  fs::create_directories(folder / "Parts");
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  write("package.mo", "package P\nend P;\n");
  write("A.mo", "within P;\nmodel A\n  extends Parts.B;\nend A;\n");
  write("Parts/package.mo", "within P;\npackage Parts\nend Parts;\n");
  write("Parts/B.mo", "within P.Parts;\nmodel B\n  Real x = 7;\nend B;\n");
  EXPECT_EQ(DumpOfFile((folder / "A.mo").string(), "", {}),
            "P.A\nReal x\nx = 7\n");
  fs::remove_all(folder);
}

TEST(PackageFolderTest, ClassesOfAllFilesSeeEachOther) {
  EXPECT_EQ(DumpOfFile("m/Plant/package.mo", "Plant.Parts.Pair", Plant()),
            "Plant.Parts.Pair\n"
            "parameter Real a.area = 2\n"
            "Real a.rate\n"
            "parameter Real b.area = 3\n"
            "Real b.rate\n"
            "a.rate = a.area*9.81\n"
            "b.rate = b.area*9.81\n");
}

TEST(PackageFolderTest, AModelThatIsNotNamedIsThatOfTheFile) {
  EXPECT_EQ(DumpOfFile("m/Plant/Tank.mo", "", Plant()),
            "Plant.Tank\n"
            "parameter Real area = 2\n"
            "Real rate\n"
            "rate = area*9.81\n");
}

TEST(PackageFolderTest, AModelThatIsNotNamedMayBeTheOnlyExperiment) {
  EXPECT_EQ(DumpOfFile("m/Plant/package.mo", "", Plant()),
            DumpOfFile("m/Plant/package.mo", "Plant.Parts.Pair", Plant()));
}

}  // namespace
}  // namespace orrery::modelica
