#include "orrery/modelica/assist/class_move.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/modelica/text_edits/edited_text.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

class ClassMoveTest : public testing::Test {
 protected:
  ClassMove Move(const std::string& file,
                 const std::string& name,
                 const std::string& package) {
    workspace_ = std::make_unique<Workspace>(WorkspaceOptions{});
    return MoveClass(
        *workspace_, *workspace_->Read(folder_ / file), name, package);
  }

  // The texts that a move changes, by the names of their files.
  std::map<std::string, std::string> TextsAfter(const ClassMove& move) {
    std::map<std::string, std::vector<TextEdit>> edits;
    for (const ReplacedSpan& edit : move.edits) {
      const std::string& path = edit.span.file->name();
      edits[path.substr(folder_.path().size() + 1)].push_back(
          {.span = {.begin = edit.span.begin, .end = edit.span.end},
           .text = edit.text});
    }
    std::map<std::string, std::string> texts;
    for (const auto& [file, list] : edits) {
      texts[file] = Edited(folder_.Read(file), list);
    }
    return texts;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Workspace> workspace_;
};

constexpr const char* kOneFile =
    "package P\n"
    "  constant Real g = 9.81;\n"
    "  package Q \"Here\"\n"
    "    model Old\n    end Old;\n"
    "  end Q;\n"
    "  package R\n"
    "    constant Real k = 2;\n"
    "    model B\n    end B;\n"
    "    // Stays.\n"
    "    model A\n"
    "      B b;\n"
    "      P.Q.Old old;\n"
    "      Real x = k*g;\n"
    "    end A;\n"
    "  end R;\n"
    "  model User\n"
    "    R.A one;\n"
    "    .P.R.A two(x = 3);\n"
    "  end User;\n"
    "end P;\n";

TEST_F(ClassMoveTest, MovesTheTextOfAClassWithinItsFile) {
  folder_.Write("P.mo", kOneFile);
  const auto texts = TextsAfter(Move("P.mo", "P.R.A", "P.Q"));
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts.at("P.mo"),
            "package P\n"
            "  constant Real g = 9.81;\n"
            "  package Q \"Here\"\n"
            "    model Old\n    end Old;\n"
            "    model A\n"
            "      P.R.B b;\n"
            "      P.Q.Old old;\n"
            "      Real x = P.R.k*g;\n"
            "    end A;\n"
            "  end Q;\n"
            "  package R\n"
            "    constant Real k = 2;\n"
            "    model B\n    end B;\n"
            "    // Stays.\n"
            "  end R;\n"
            "  model User\n"
            "    P.Q.A one;\n"
            "    P.Q.A two(x = 3);\n"
            "  end User;\n"
            "end P;\n");
}

TEST_F(ClassMoveTest, MovesAFileIntoAnotherPackage) {
  folder_.Write("P/package.mo", "package P\nend P;\n");
  folder_.Write("P/package.order", "A\nB\nQ\n");
  folder_.Write("P/A.mo", "within P;\nmodel A\n  B b;\n  B c;\nend A;\n");
  folder_.Write("P/B.mo", "within P;\nmodel B\nend B;\n");
  folder_.Write("P/Q/package.mo", "within P;\npackage Q\nend Q;\n");
  folder_.Write("P/Q/package.order", "U\n");
  folder_.Write("P/Q/U.mo", "within P.Q;\nmodel U\n  extends A;\nend U;\n");
  const ClassMove move = Move("P/A.mo", "P.A", "P.Q");
  const auto texts = TextsAfter(move);
  // B is seen from there, too.
  EXPECT_EQ(texts.at("P/A.mo"),
            "within P.Q;\nmodel A\n  B b;\n  B c;\nend A;\n");
  EXPECT_EQ(texts.at("P/Q/U.mo"),
            "within P.Q;\nmodel U\n  extends P.Q.A;\nend U;\n");
  EXPECT_EQ(texts.at("P/package.order"), "B\nQ\n");
  EXPECT_EQ(texts.at("P/Q/package.order"), "U\nA\n");
  ASSERT_EQ(move.files.size(), 1U);
  EXPECT_EQ(move.files[0].to, folder_ / "P/Q/A.mo");
  EXPECT_EQ(move.removed, "");
  EXPECT_FALSE(move.made);
}

TEST_F(ClassMoveTest, MovesAFolderWithTheFilesInIt) {
  folder_.Write("P/package.mo", "package P\nend P;\n");
  folder_.Write("P/S/package.mo", "within P;\npackage S\nend S;\n");
  folder_.Write("P/S/T.mo", "within P.S;\nmodel T\n  V v;\nend T;\n");
  folder_.Write("P/R/package.mo",
                "within P;\npackage R\n  model V\n  end V;\n"
                "end R;\n");
  folder_.Write("P/R/W/package.mo", "within P.R;\npackage W\nend W;\n");
  folder_.Write("P/R/W/X.mo",
                "within P.R.W;\nmodel X\n  V v;\n  X2 y;\nend X;\n");
  folder_.Write("P/R/W/X2.mo", "within P.R.W;\nmodel X2\nend X2;\n");
  const ClassMove move = Move("P/R/W/package.mo", "P.R.W", "P.S");
  const auto texts = TextsAfter(move);
  EXPECT_EQ(texts.at("P/R/W/package.mo"), "within P.S;\npackage W\nend W;\n");
  EXPECT_EQ(texts.at("P/R/W/X.mo"),
            "within P.S.W;\nmodel X\n  P.R.V v;\n  X2 y;\nend X;\n");
  EXPECT_EQ(texts.at("P/R/W/X2.mo"), "within P.S.W;\nmodel X2\nend X2;\n");
  ASSERT_EQ(move.files.size(), 1U);
  EXPECT_EQ(move.files[0].from, folder_ / "P/R/W");
  EXPECT_EQ(move.files[0].to, folder_ / "P/S/W");
}

TEST_F(ClassMoveTest, GivesAClassOfATextAFileOfItsOwn) {
  folder_.Write("P/package.mo",
                "package P\n  model A // first\n    Real x = 1;\n  end A;\n"
                "  model B\n    A a;\n  end B;\nend P;\n");
  folder_.Write("P/package.order", "A\nB\nQ\n");
  folder_.Write("P/Q/package.mo", "within P;\npackage Q\nend Q;\n");
  const ClassMove move = Move("P/package.mo", "P.A", "P.Q");
  const auto texts = TextsAfter(move);
  EXPECT_EQ(texts.at("P/package.mo"),
            "package P\n  model B\n    P.Q.A a;\n  end B;\nend P;\n");
  EXPECT_EQ(texts.at("P/package.order"), "B\nQ\n");
  ASSERT_TRUE(move.made);
  EXPECT_EQ(move.made->path, folder_ / "P/Q/A.mo");
  EXPECT_EQ(move.made->text,
            "within P.Q;\nmodel A // first\n    Real x = 1;\n  end A;\n");
}

TEST_F(ClassMoveTest, PutsAFileIntoAText) {
  folder_.Write("P/package.mo", "package P\nend P;\n");
  folder_.Write("P/A.mo", "within P;\nmodel A\n  A2 a;\nend A;\n");
  folder_.Write("P/A2.mo", "within P;\nmodel A2\nend A2;\n");
  folder_.Write("P/Q.mo", "within P;\npackage Q \"d\"\nend Q;\n");
  const ClassMove move = Move("P/A.mo", "P.A", "P.Q");
  const auto texts = TextsAfter(move);
  EXPECT_EQ(texts.at("P/Q.mo"),
            "within P;\npackage Q \"d\"\n  model A\n  A2 a;\nend A;\nend Q;\n");
  EXPECT_EQ(move.removed, folder_ / "P/A.mo");
  EXPECT_EQ(texts.count("P/A.mo"), 0U);
}

TEST_F(ClassMoveTest, KeepsNamesThatTheClassFindsInItself) {
  folder_.Write("P.mo",
                "package P\n  package Q\n  end Q;\n  package R\n"
                "    model B\n    end B;\n"
                "    package A\n      import C = P.R.B;\n"
                "      model B\n      end B;\n      model D\n"
                "        B b;\n        C c;\n        R.B d;\n      end D;\n"
                "    end A;\n  end R;\nend P;\n");
  EXPECT_THAT(TextsAfter(Move("P.mo", "P.R.A", "P.Q")).at("P.mo"),
              HasSubstr("        B b;\n        C c;\n        R.B d;\n"));
}

TEST_F(ClassMoveTest, RefusesWithAReason) {
  folder_.Write("P.mo",
                "package P\n  package Q\n    model A\n    end A;\n  end Q;\n"
                "  model A\n  end A;\n  model B\n  end B;\n"
                "  import P.{B, A};\nend P;\n");
  const auto refusal = [&](const std::string& name, const std::string& to) {
    try {
      (void)Move("P.mo", name, to);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("moved");
  };
  EXPECT_EQ(refusal("P.A", "P.Q"),
            "cannot move 'P.A' to 'P.Q': there is 'A' already");
  EXPECT_EQ(refusal("P.Q", "P.Q"),
            "cannot move 'P.Q' to 'P.Q': it is in the class itself");
  EXPECT_EQ(refusal("P.B", "P.X"),
            "cannot move 'P.B' to 'P.X': there is no such package");
  EXPECT_EQ(refusal("P", "P.Q"),
            "cannot move 'P' to 'P.Q': it is at the top, in no package");
  EXPECT_THAT(refusal("P.B", "P.Q"),
              HasSubstr("P.mo:10 names it as one of a list of imports"));
}

}  // namespace
}  // namespace orrery::modelica
