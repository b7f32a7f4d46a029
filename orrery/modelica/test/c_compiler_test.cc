// C code of models, compiled once and kept.

#include "orrery/modelica/external/c_compiler.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery::modelica::internal {
namespace {

namespace fs = std::filesystem;

// A cache and headers of their own.
class CCompilerTest : public testing::Test {
 protected:
  CCompilerTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "headers");
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  }

  ~CCompilerTest() override {
    if (cache_before_ == nullptr) {
      unsetenv("XDG_CACHE_HOME");
    } else {
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    }
    fs::remove_all(folder_);
  }

  void Write(const char* name, const std::string& text) const {
    fs::create_directories((folder_ / "headers" / name).parent_path());
    std::ofstream(folder_ / "headers" / name) << text;
  }

  // What the function `answer` of a text gives.
  [[nodiscard]] double Answer(const std::string& text) const {
    void* const library =
        OpenCompiled({text, {(folder_ / "headers").string()}});
    return reinterpret_cast<double (*)()>(dlsym(library, "answer"))();
  }

  [[nodiscard]] std::ptrdiff_t Kept() const {
    return std::distance(fs::directory_iterator(KeptFolder()),
                         fs::directory_iterator());
  }

  [[nodiscard]] fs::path KeptFolder() const {
    return folder_ / "cache/orrery/external";
  }

 private:
  const char* cache_before_ = std::getenv("XDG_CACHE_HOME");
  std::string before_ = cache_before_ == nullptr ? "" : cache_before_;
  // Of this test alone: others may run at the same time.
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("c_compiler_") +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(CCompilerTest, CompilesATextOnce) {
  const std::string text = "double answer(void) { return 42.5; }";
  EXPECT_EQ(Answer(text), 42.5);
  ASSERT_EQ(Kept(), 1);
  const fs::path kept = fs::directory_iterator(KeptFolder())->path();
  // A compilation would need room for its files.
  const char* const before = std::getenv("TMPDIR");
  const std::string folder = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nowhere", 1);
  EXPECT_EQ(Answer(text), 42.5);
  EXPECT_THROW(std::ignore = Answer(text + "\n"), Error);
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", folder.c_str(), 1);
  EXPECT_EQ(Kept(), 1);
  EXPECT_EQ(fs::directory_iterator(KeptFolder())->path(), kept);
}

TEST_F(CCompilerTest, CompilesAnewWhereAFileThatIsIncludedHasChanged) {
  const std::string text = "#include \"answer.h\"\n";
  Write("answer.h", "#include \"factor.h\"\ndouble answer(void);\n");
  Write("answer.c",
        "#include \"answer.h\"\ndouble answer(void) { return 3*FACTOR; }\n");
  for (const char* const factor : {"0.5", "7"}) {
    Write("factor.h", std::string("#define FACTOR ") + factor + "\n");
    EXPECT_EQ(Answer(text), 3 * std::atof(factor));
  }
  EXPECT_EQ(Kept(), 2);
}

// The check value of CRC-32 is published in "A painless guide to CRC error
// detection algorithms", Williams 1993.
TEST_F(CCompilerTest, SourcesBesideTheHeadersOfZlibUseTheSystemsZlib) {
  Write("zlib/zlib.h",
        "unsigned long crc32(unsigned long, const char*, unsigned);\n");
  Write("packed.h", "double answer(void);\n");
  Write("packed.c",
        "#include \"packed.h\"\n"
        "#if HAVE_ZLIB\n"
        "#include <zlib.h>\n"
        "double answer(void) { return (double) crc32(0, \"123456789\", 9); }\n"
        "#endif\n");
  EXPECT_EQ(Answer("#include \"packed.h\"\n"), 0xCBF43926);
}

TEST_F(CCompilerTest, KeepsNothingOfATextThatDoesNotCompile) {
  EXPECT_THROW(std::ignore = Answer("double answer(void) { return here; }"),
               Error);
  EXPECT_EQ(Kept(), 0);
}

TEST_F(CCompilerTest, WorksWithoutACache) {
  std::ofstream(KeptFolder().parent_path().parent_path()) << "no folder\n";
  EXPECT_EQ(Answer("double answer(void) { return 1.25; }"), 1.25);
}

}  // namespace
}  // namespace orrery::modelica::internal
