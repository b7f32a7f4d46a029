#include "orrery/modelica/text_edits/library_use.h"

#include <string>

#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {
namespace {

// A library in a folder, and a package beside it that uses it.
class LibraryUseTest : public testing::Test {
 protected:
  LibraryUseTest() {
    folder_.Write("Parts/package.mo",
                  "package Parts\n  model Gear\n  end Gear;\n"
                  "  annotation(version=\"2.1\");\nend Parts;\n");
    folder_.Write("Plain.mo",
                  "package Plain\n  model A\n  end A;\nend Plain;\n");
  }

  std::optional<LibraryUse> UseIn(const std::string& text,
                                  const std::string& class_name,
                                  const std::string& type) {
    const std::string path = folder_ / "text.mo";
    workspace_.Open(path, text);
    return UseOf(workspace_, *workspace_.Read(path), class_name, type);
  }

  TemporaryFolder folder_;
  Workspace workspace_{{}};
};

TEST_F(LibraryUseTest, NamesTheLibraryAndItsVersion) {
  const auto use = UseIn(
      "package P\n  package Q\n    model M\n    end M;\n"
      "  end Q;\nend P;\n",
      "P.Q.M",
      "Parts.Gear");
  ASSERT_TRUE(use);
  EXPECT_EQ(use->package, "P");
  EXPECT_EQ(use->path, folder_ / "text.mo");
  EXPECT_EQ(use->library, "Parts");
  EXPECT_EQ(use->version, "2.1");
}

TEST_F(LibraryUseTest, FindsTheLibraryOfAnImportedName) {
  const auto use = UseIn(
      "package P\n  import G = Parts.Gear;\n  model M\n  end M;\nend P;\n",
      "P.M",
      "G");
  ASSERT_TRUE(use);
  EXPECT_EQ(use->library, "Parts");
}

TEST_F(LibraryUseTest, IsNothingWhereNothingIsToBeSaid) {
  const std::string package = "package P\n  model M\n  end M;\n";
  // It is said already, of any version.
  EXPECT_FALSE(
      UseIn(package + "  annotation(uses(Parts(version=\"1.0\")));\nend P;\n",
            "P.M",
            "Parts.Gear"));
  // A class of the package itself, and one that is not known.
  EXPECT_FALSE(UseIn(package + "end P;\n", "P.M", "M"));
  EXPECT_FALSE(UseIn(package + "end P;\n", "P.M", "Nowhere.Part"));
  // A library without a version, and a class that is in no package.
  EXPECT_FALSE(UseIn(package + "end P;\n", "P.M", "Plain.A"));
  EXPECT_FALSE(UseIn("model M\nend M;\n", "M", "Parts.Gear"));
}

}  // namespace
}  // namespace orrery::modelica
