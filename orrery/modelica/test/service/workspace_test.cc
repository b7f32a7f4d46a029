#include "orrery/modelica/workspace/workspace.h"

#include <string>

#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/modelica/assist/places.h"
#include "orrery/modelica/dialog/dialog.h"
#include "orrery/modelica/scene/scene.h"

namespace orrery::modelica {
namespace {

// A Modelica Standard Library with functions that a run replaces by built-in
// ones.
class WorkspaceTest : public testing::Test {
 protected:
  WorkspaceTest() {
    folder_.Write("Modelica/package.mo",
                  "package Modelica\n"
                  "  package Fluid\n    package Utilities\n"
                  "      function checkBoundary \"As the library has it\"\n"
                  "        input String name;\n      end checkBoundary;\n"
                  "    end Utilities;\n  end Fluid;\n"
                  "  package Blocks\n    package Types\n"
                  "      class ExternalCombiTable1D\n"
                  "        extends ExternalObject;\n"
                  "        function constructor\n"
                  "          output ExternalCombiTable1D table;\n"
                  "        end constructor;\n"
                  "      end ExternalCombiTable1D;\n"
                  "    end Types;\n  end Blocks;\n"
                  "  package Math\n  end Math;\n"
                  "end Modelica;\n");
  }

  std::string path() const { return folder_ / "Modelica/package.mo"; }

  std::shared_ptr<const Document> library() { return workspace_.Read(path()); }

  TemporaryFolder folder_;
  Workspace workspace_{{.libraries = {folder_.path()}}};
};

TEST_F(WorkspaceTest, ShowsClassesAsTheLibraryWritesThem) {
  const Description found = Describe(
      workspace_, *library(), "Modelica.Fluid.Utilities.checkBoundary");
  EXPECT_EQ(found.description, "As the library has it");
  ASSERT_NE(found.declared.file, nullptr);
  EXPECT_EQ(found.declared.file->name(), path());
}

TEST_F(WorkspaceTest, FindsNamesInClassesThatARunReplaces) {
  const std::string text(library()->text());
  const auto used =
      static_cast<std::uint32_t>(text.find("ExternalCombiTable1D table"));
  const auto found = DefinitionAt(workspace_, *library(), used);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, text.find("ExternalCombiTable1D\n"));
}

TEST_F(WorkspaceTest, DrawsFunctionsOfAnExternalObject) {
  EXPECT_NO_THROW(
      (void)MakeScene(workspace_,
                      *library(),
                      "Modelica.Blocks.Types.ExternalCombiTable1D.constructor",
                      Layer::kIcon));
}

TEST_F(WorkspaceTest, HasNoClassThatTheLibraryLacks) {
  EXPECT_ANY_THROW(
      (void)Describe(workspace_,
                     *library(),
                     "Modelica.Math.FastFourierTransform.Internal.rawRealFFT"));
}

}  // namespace
}  // namespace orrery::modelica
