#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/lsp/language_server.h"
#include "orrery/lsp/session/request_error.h"

namespace orrery::lsp {
namespace {

using ::testing::HasSubstr;

constexpr const char* kText = "model M\n  parameter Real k = 1;\nend M;\n";

// A session with a program in the place of the command, and a saved text.
class RunCommandTest : public testing::Test {
 protected:
  RunCommandTest() {
    folder_.Write("m.mo", kText);
    Program("for word in \"$@\"; do echo \"<$word>\"; done\n");
    server_.Take(Json{{"id", 1},
                      {"method", "initialize"},
                      {"params",
                       {{"rootUri", "file://" + folder_.path()},
                        {"capabilities", Json::object()}}}}
                     .dump());
    started_ = sent_.back()["result"];
  }

  void Program(const std::string& script) {
    folder_.Write("orrery", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder_ / "orrery",
                                 std::filesystem::perms::owner_all);
  }

  void Run(const Json& arguments, const Json& more = Json::object()) {
    Json params = {{"command", "orrery.run"},
                   {"arguments", Json::array({arguments})}};
    params.update(more);
    server_.Take(Json{
        {"id", ++id_},
        {"method", "workspace/executeCommand"},
        {"params",
         params}}.dump());
  }

  // The last message, once no run goes on.
  Json Answer() {
    while (server_.runner().is_running()) {
      server_.ReadRun();
    }
    return sent_.back();
  }

  Json uri() const { return "file://" + folder_ / "m.mo"; }

  const TemporaryFolder folder_;
  std::vector<Json> sent_;
  LanguageServer server_{
      {.cache = folder_ / "cache", .command = folder_ / "orrery"},
      [this](const Json& message) {
        sent_.push_back(message);
      }};
  Json started_;
  int id_ = 1;
};

TEST_F(RunCommandTest, IsAnnounced) {
  EXPECT_EQ(started_["capabilities"]["executeCommandProvider"]["commands"],
            Json::array({"orrery.run"}));
}

TEST_F(RunCommandTest, RunsAClassWithValuesAndOptions) {
  Run({{"uri", uri()},
       {"class", "M"},
       {"set", {{"k", "4 kg"}}},
       {"options", {{"stop", "10 s"}, {"solver", "-x"}}}});
  const Json result = Answer()["result"];
  EXPECT_EQ(result["status"], 0);
  EXPECT_EQ(result["output"],
            "<run>\n<" + folder_ / "m.mo" +
                ">\n<M>\n<--set>\n<k=4 kg>\n<--stop=10 s>\n<--solver=-x>\n");
  EXPECT_EQ(result["argv"][1], "run");
}

TEST_F(RunCommandTest, GivesTheStatusOfARunThatFails) {
  Program("pwd; echo bad >&2; exit 3\n");
  Run({{"uri", uri()}});
  const Json result = Answer()["result"];
  EXPECT_EQ(result["status"], 3);
  EXPECT_THAT(result["output"].get<std::string>(), HasSubstr("\nbad\n"));
  EXPECT_THAT(result["output"].get<std::string>(),
              HasSubstr(std::filesystem::canonical(folder_.path()).string()));
}

TEST_F(RunCommandTest, TellsItsProgress) {
  Run({{"uri", uri()}}, {{"workDoneToken", "t"}});
  EXPECT_EQ(sent_.back()["method"], "$/progress");
  EXPECT_EQ(sent_.back()["params"]["value"]["kind"], "begin");
  static_cast<void>(Answer());
  EXPECT_EQ(sent_[sent_.size() - 2]["params"]["value"]["kind"], "end");
}

TEST_F(RunCommandTest, IsCancelled) {
  Program("sleep 60\n");
  Run({{"uri", uri()}});
  Run({{"uri", uri()}});
  EXPECT_THAT(sent_.back()["error"]["message"].get<std::string>(),
              HasSubstr("another run goes on"));
  server_.Take(
      Json{{"method", "$/cancelRequest"}, {"params", {{"id", id_ - 1}}}}
          .dump());
  const Json answer = Answer();
  EXPECT_EQ(answer["id"], id_ - 1);
  EXPECT_EQ(answer["error"]["code"], kRequestCancelled);
}

TEST_F(RunCommandTest, RefusesWhatItCannotRun) {
  const auto refusal = [this](const Json& arguments) {
    Run(arguments);
    return sent_.back()["error"];
  };
  EXPECT_EQ(refusal({{"uri", uri()}, {"options", {{"output", "/x"}}}})["code"],
            kInvalidParams);
  EXPECT_EQ(refusal({{"uri", uri()}, {"set", {{"--store", "/x"}}}})["code"],
            kInvalidParams);
  EXPECT_EQ(refusal({{"uri", uri()}, {"class", "--help"}})["code"],
            kRequestFailed);
  EXPECT_EQ(refusal({{"uri", 3}})["code"], kInvalidParams);
  EXPECT_EQ(refusal({{"uri", "file://" + folder_ / "orrery"}})["code"],
            kInvalidParams);
  EXPECT_FALSE(server_.runner().is_running());
  server_.Take(Json{
      {"method", "textDocument/didOpen"},
      {"params",
       {{"textDocument",
         {{"uri", uri()}, {"version", 1}, {"text", "model M\nend M;\n"}}}}}}
                   .dump());
  EXPECT_THAT(refusal({{"uri", uri()}})["message"].get<std::string>(),
              HasSubstr("save it first"));
}

}  // namespace
}  // namespace orrery::lsp
