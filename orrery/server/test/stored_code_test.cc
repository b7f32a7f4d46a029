#include "orrery/server/results/stored_code.h"

#include <string>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/temporary_folder.h"

namespace orrery::server {
namespace {

constexpr const char* kForce =
    "model M Real x; function f external \"C\"; end f; end M;";

class StoredCodeTest : public testing::Test {
 protected:
  // The code of an experiment with this document and one stored file.
  std::string CodeOf(const std::string& document,
                     const std::string& name = "notes.txt",
                     const std::string& text = "text") {
    const ExperimentId id =
        store_.Begin({.type = "simulate", .document = document});
    store_.Attach(id, name, "text/plain", text);
    return StoredCode(store_, id, folder_.path());
  }

  TemporaryFolder folder_;
  ExperimentStore store_{folder_.path() + "/orrery.db"};
};

TEST_F(StoredCodeTest, IsThePlugInThatARecordNames) {
  for (const char* file : {"librover.so", "/tmp/evil.so", "../a b.so"}) {
    EXPECT_EQ(CodeOf(R"({"orrery":1,"file":")" + std::string(file) + "\"}"),
              file);
  }
}

TEST_F(StoredCodeTest, IsTheFmuOrTheSystemThatARecordNames) {
  for (const char* file : {"pump.fmu", "plant.ssp", "../parts/plant.ssd"}) {
    EXPECT_EQ(CodeOf(R"({"orrery":1,"file":")" + std::string(file) + "\"}"),
              file);
  }
}

TEST_F(StoredCodeTest, IsTheProgramThatARecordNames) {
  EXPECT_EQ(CodeOf(R"({"orrery":1,"file":"bin/rover","program":true})"),
            "bin/rover");
}

TEST_F(StoredCodeTest, IsNoneForATextWithoutExternalFunctions) {
  EXPECT_EQ(CodeOf(R"({"orrery":1,"file":"m.mo"})", "m.mo", "model M end M;"),
            "");
}

TEST_F(StoredCodeTest, IsATextThatIsNotWhatStandsAtItsPlace) {
  folder_.Write("changed.mo", "model M end M;");
  for (const char* file : {"gone.mo", "changed.mo", "/usr/share/gone.mo"}) {
    EXPECT_EQ(CodeOf(R"({"orrery":1,"file":"m.mo"})", file, kForce), file);
  }
}

TEST_F(StoredCodeTest, IsNoneForATextThatStandsAtItsPlace) {
  folder_.Write("parts/force.mo", kForce);
  EXPECT_EQ(CodeOf(R"({"orrery":1,"file":"m.mo"})", "parts/force.mo", kForce),
            "");
}

TEST_F(StoredCodeTest, RefusesADocumentThatItCannotRead) {
  const std::string deep = R"({"orrery":1,"file":"m.mo","x":)" +
                           std::string(200'000, '[') +
                           std::string(200'000, ']') + "}";
  for (const std::string& document : {std::string(),
                                      std::string("{"),
                                      std::string("{}"),
                                      std::string(R"({"orrery":1,"file":5})"),
                                      deep}) {
    EXPECT_THROW(static_cast<void>(CodeOf(document)), Error);
  }
}

}  // namespace
}  // namespace orrery::server
