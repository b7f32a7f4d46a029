#include "orrery/lsp/language_server.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/lsp/session/request_error.h"

namespace orrery::lsp {
namespace {

using ::testing::HasSubstr;

constexpr const char* kUri = "file:///nowhere/tank.mo";

// A client that opens one text.
class Client {
 public:
  explicit Client(const std::string& text = "", Json encodings = {}) {
    Json general = Json::object();
    if (!encodings.is_null()) {
      general["positionEncodings"] = encodings;
    }
    started = Ask("initialize", {{"capabilities", {{"general", general}}}});
    Tell("initialized", Json::object());
    if (!text.empty()) {
      Tell("textDocument/didOpen",
           {{"textDocument",
             {{"uri", kUri},
              {"languageId", "modelica"},
              {"version", 1},
              {"text", text}}}});
    }
  }

  void Tell(const std::string& method, const Json& params) {
    server_.Take(
        Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}
            .dump());
  }

  // The result of a request, or its error.
  Json Ask(const std::string& method, const Json& params) {
    server_.Take(Json{
        {"jsonrpc", "2.0"},
        {"id", ++id_},
        {"method", method},
        {"params",
         params}}.dump());
    const Json& answer = sent.back();
    EXPECT_EQ(answer["id"], id_);
    return answer.contains("result") ? answer["result"] : answer["error"];
  }

  // The same at a place in the text.
  Json AskAt(const std::string& method,
             unsigned int line,
             unsigned int character,
             Json more = Json::object()) {
    more["textDocument"] = {{"uri", kUri}};
    more["position"] = {{"line", line}, {"character", character}};
    return Ask(method, more);
  }

  // The newest list of findings.
  [[nodiscard]] Json Findings() const {
    for (auto at = sent.rbegin(); at != sent.rend(); ++at) {
      if (at->value("method", "") == "textDocument/publishDiagnostics") {
        return (*at)["params"];
      }
    }
    return nullptr;
  }

  void Check() {
    server_.StartCheck();
    while (server_.checker().descriptor() >= 0) {
      server_.ReadCheck();
    }
  }

  Json started;
  std::vector<Json> sent;

 private:
  int id_ = 0;
  LanguageServer server_{{.libraries = {}, .cache = "/tmp/orrery-lsp-test"},
                         [this](const Json& message) {
                           sent.push_back(message);
                         }};
};

std::vector<std::string> LabelsOf(const Json& completions) {
  std::vector<std::string> labels;
  for (const Json& item : completions["items"]) {
    labels.push_back(item["label"].get<std::string>());
  }
  return labels;
}

bool Has(const std::vector<std::string>& list, const std::string& wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

constexpr const char* kTank =
    "model Tank \"A tank\"\n"
    "  parameter Real area(unit=\"m2\") = 2 \"Of its ground\";\n"
    "  Real level(unit=\"m\", start=1);\n"
    "equation\n"
    "  area * der(level) = -level;\n"
    "end Tank;\n";

TEST(LanguageServerTest, TakesUtf8IfTheClientHasIt) {
  EXPECT_EQ(Client().started["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(Client("", {"utf-16", "utf-8"})
                .started["capabilities"]["positionEncoding"],
            "utf-8");
}

TEST(LanguageServerTest, FindsTheDeclarationOfAVariable) {
  Client client(kTank);
  const Json found = client.AskAt("textDocument/definition", 4, 14);
  EXPECT_EQ(found["uri"], kUri);
  EXPECT_EQ(found["range"]["start"], (Json{{"line", 2}, {"character", 7}}));
}

TEST(LanguageServerTest, FindsItBehindCharactersOfSeveralBytes) {
  Client client(
      "model M\n  Real 'x \u00b0' ; Real y;\nequation\n"
      "  // \u00f6\u00b0\U00010410\n"
      "  /* \U00010410 */ y = 1;\n  y = 2;\nend M;\n");
  const Json found = client.AskAt("textDocument/definition", 4, 11);
  EXPECT_EQ(found["range"]["start"]["line"], 1);
}

TEST(LanguageServerTest, TellsUnitAndDescription) {
  Client client(kTank);
  const Json hover = client.AskAt("textDocument/hover", 4, 3);
  const auto text = hover["contents"]["value"].get<std::string>();
  EXPECT_THAT(text, HasSubstr("parameter Real area"));
  EXPECT_THAT(text, HasSubstr("Of its ground"));
  EXPECT_THAT(text, HasSubstr("unit `m2`"));
}

TEST(LanguageServerTest, CompletesElementsOfAComponent) {
  Client client(
      "model M\n  record P\n    Real v(unit=\"V\");\n  end P;\n"
      "  P p;\nequation\n  p.\nend M;\n");
  const Json found = client.AskAt("textDocument/completion", 6, 4);
  EXPECT_EQ(LabelsOf(found), std::vector<std::string>{"v"});
  EXPECT_EQ(found["items"][0]["detail"], "Real [V]");
}

TEST(LanguageServerTest, ReplacesTheWholeWord) {
  Client client(kTank);
  const Json found = client.AskAt("textDocument/completion", 4, 15);
  EXPECT_TRUE(Has(LabelsOf(found), "level"));
  const Json& range = found["items"][0]["textEdit"]["range"];
  EXPECT_EQ(range["start"]["character"], 13);
  EXPECT_EQ(range["end"]["character"], 18);
}

TEST(LanguageServerTest, OffersModifiersInADeclaration) {
  Client client("model M\n  Modelica.Blocks.Math.Gain g(\nend M;\n");
  const auto labels = LabelsOf(client.AskAt("textDocument/completion", 1, 30));
  EXPECT_TRUE(Has(labels, "k"));
  EXPECT_FALSE(Has(labels, "equation"));
}

TEST(LanguageServerTest, OffersAttributesOfAReal) {
  Client client("model M\n  Real x(st\nend M;\n");
  const auto labels = LabelsOf(client.AskAt("textDocument/completion", 1, 11));
  EXPECT_TRUE(Has(labels, "start"));
  EXPECT_TRUE(Has(labels, "stateSelect"));
}

TEST(LanguageServerTest, OffersNothingInComments) {
  Client client("model M // a\nend M;\n");
  EXPECT_TRUE(client.AskAt("textDocument/completion", 0, 12)["items"].empty());
}

TEST(LanguageServerTest, PublishesSyntaxErrorsOfAChange) {
  Client client(kTank);
  EXPECT_TRUE(client.Findings()["diagnostics"].empty());
  client.Tell("textDocument/didChange",
              {{"textDocument", {{"uri", kUri}, {"version", 2}}},
               {"contentChanges",
                {{{"range",
                   {{"start", {{"line", 4}, {"character", 28}}},
                    {"end", {{"line", 4}, {"character", 29}}}}},
                  {"text", ""}}}}});
  const Json findings = client.Findings();
  EXPECT_EQ(findings["version"], 2);
  ASSERT_EQ(findings["diagnostics"].size(), 1U);
  EXPECT_EQ(findings["diagnostics"][0]["range"]["start"]["line"], 4);
}

TEST(LanguageServerTest, TellsThatTheTextOfASceneHasSyntaxErrors) {
  const Json asked = {{"uri", kUri}, {"class", "A"}};
  EXPECT_EQ(
      Client("model A Real x = 1; end A;").Ask("orrery/scene", asked)["broken"],
      false);
  EXPECT_EQ(
      Client("model A Real x = ; end A;").Ask("orrery/scene", asked)["broken"],
      true);
  EXPECT_EQ(
      Client("model A Real x = y; end A;").Ask("orrery/scene", asked)["broken"],
      false);
}

TEST(LanguageServerTest, MendsAMisspeltName) {
  Client client(
      "model M\n  Real level(start=1);\nequation\n  der(level) = -levle;\n"
      "end M;\n");
  client.Check();
  const Json findings = client.Findings()["diagnostics"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0]["message"].get<std::string>(),
              HasSubstr("did you mean 'level'?"));
  const Json actions =
      client.Ask("textDocument/codeAction",
                 {{"textDocument", {{"uri", kUri}}},
                  {"range", findings[0]["range"]},
                  {"context", {{"diagnostics", Json::array()}}}});
  ASSERT_EQ(actions.size(), 1U);
  const Json& edit = actions[0]["edit"]["documentChanges"][0]["edits"][0];
  EXPECT_EQ(edit["newText"], "level");
  EXPECT_EQ(edit["range"]["start"]["character"], 16);
  EXPECT_EQ(edit["range"]["end"]["character"], 21);
}

TEST(LanguageServerTest, RenamesAComponentWithItsUses) {
  Client client(
      "model M\n  model A\n    Real x;\n  end A;\n  A a(x=1);\n  Real y;\n"
      "equation\n  y = a.x;\nend M;\n");
  const Json edit =
      client.AskAt("textDocument/rename", 2, 9, {{"newName", "height"}});
  EXPECT_EQ(edit["documentChanges"][0]["edits"].size(), 3U);
  const Json refused =
      client.AskAt("textDocument/rename", 2, 9, {{"newName", "9x"}});
  EXPECT_THAT(refused["message"].get<std::string>(),
              HasSubstr("no name of Modelica"));
}

TEST(LanguageServerTest, RenamesAClassWithItsEnd) {
  Client client(
      "package P\n  model A\n  end A;\n  A a;\n  model B = A;\nend P;\n");
  const Json edit =
      client.AskAt("textDocument/rename", 3, 2, {{"newName", "Z"}});
  EXPECT_EQ(edit["documentChanges"][0]["edits"].size(), 4U);
}

TEST(LanguageServerTest, OutlinesClassesAndComponents) {
  Client client(kTank);
  const Json symbols = client.Ask("textDocument/documentSymbol",
                                  {{"textDocument", {{"uri", kUri}}}});
  ASSERT_EQ(symbols.size(), 1U);
  EXPECT_EQ(symbols[0]["name"], "Tank");
  ASSERT_EQ(symbols[0]["children"].size(), 2U);
  EXPECT_EQ(symbols[0]["children"][0]["name"], "area");
}

TEST(LanguageServerTest, IndentsLinesOnly) {
  Client client(
      "model M\nReal x;\n    equation\nif true then\nx =\n1;\n"
      "else\nx = 2;\nend if;\nend M;\n");
  const Json edits = client.Ask(
      "textDocument/formatting",
      {{"textDocument", {{"uri", kUri}}}, {"options", {{"tabSize", 2}}}});
  std::vector<std::string> texts;
  for (const Json& edit : edits) {
    texts.push_back(std::to_string(edit["range"]["start"]["line"].get<int>()) +
                    ":" +
                    std::to_string(edit["newText"].get<std::string>().size()));
  }
  EXPECT_EQ(texts,
            (std::vector<std::string>{
                "1:2", "2:0", "3:2", "4:4", "5:6", "6:2", "7:4", "8:2"}));
}

TEST(LanguageServerTest, HintsUnitsThatATypeGives) {
  Client client("model M\n  type V = Real(unit=\"V\");\n  V u;\nend M;\n");
  const Json hints = client.Ask("textDocument/inlayHint",
                                {{"textDocument", {{"uri", kUri}}},
                                 {"range",
                                  {{"start", {{"line", 0}, {"character", 0}}},
                                   {"end", {{"line", 4}, {"character", 0}}}}}});
  ASSERT_EQ(hints.size(), 1U);
  EXPECT_EQ(hints[0]["label"], "[V]");
}

TEST(LanguageServerTest, HelpsWithTheInputsOfAFunction) {
  Client client(
      "model M\n  function f\n    input Real a;\n    input Real b;\n"
      "    output Real c;\n  algorithm\n    c := a;\n  end f;\n"
      "  Real x = f(1, \nend M;\n");
  const Json help = client.AskAt("textDocument/signatureHelp", 8, 16);
  EXPECT_EQ(help["signatures"][0]["label"], "f(a, b)");
  EXPECT_EQ(help["activeParameter"], 1);
}

// Where a library in `folder`, which is not absolute, is found.
class RelativeLibraryTest : public testing::Test {
 protected:
  RelativeLibraryTest() {
    folder_.Write("libs/Lib/package.mo",
                  "package Lib\n  model Tank\n  end Tank;\nend Lib;\n");
  }

  // The URI of the class that `use` names at its end, for a server and a client
  // that name these folders.
  [[nodiscard]] std::string PlaceOf(const std::string& use,
                                    std::vector<std::string> of_server,
                                    const Json& of_client) const {
    std::vector<Json> sent;
    LanguageServer server(
        {.libraries = std::move(of_server), .cache = cache_},
        [&](const Json& message) { sent.push_back(message); });
    const auto take = [&](const std::string& method, const Json& params) {
      server.Take(Json{
          {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}
                      .dump());
    };
    take("initialize",
         {{"capabilities", Json::object()},
          {"initializationOptions", {{"libraries", of_client}}}});
    server.Take(Json{{"jsonrpc", "2.0"},
                     {"method", "textDocument/didOpen"},
                     {"params",
                      {{"textDocument",
                        {{"uri", kUri},
                         {"languageId", "modelica"},
                         {"version", 1},
                         {"text", "model M\n" + use + " t;\nend M;\n"}}}}}}
                    .dump());
    take("textDocument/definition",
         {{"textDocument", {{"uri", kUri}}},
          {"position", {{"line", 1}, {"character", use.size() - 1}}}});
    return sent.back()["result"].value("uri", "");
  }

  const TemporaryFolder folder_;
  const std::string cache_ = folder_ / "cache/orrery/library";
  const std::string relative_ =
      std::filesystem::relative(folder_ / "libs").string();
  const std::string file_ = "file://" + folder_ / "libs/Lib/package.mo";
};

TEST_F(RelativeLibraryTest, AFolderOfTheCommandIsFromTheCurrentOne) {
  EXPECT_EQ(PlaceOf("Lib.Tank", {relative_}, Json::array()), file_);
  EXPECT_EQ(PlaceOf("Lib.Tank", {relative_ + "/Lib/.."}, Json::array()), file_);
}

TEST_F(RelativeLibraryTest, AFolderOfTheClientIsFromTheCurrentOne) {
  EXPECT_EQ(PlaceOf("Lib.Tank", {}, Json::array({relative_})), file_);
}

TEST_F(RelativeLibraryTest, OnlyTheBuiltInLibraryIsCopied) {
  static_cast<void>(PlaceOf("Lib.Tank", {relative_}, Json::array()));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
  EXPECT_THAT(PlaceOf("Modelica.Blocks.Math.Gain", {relative_}, Json::array()),
              HasSubstr("file://" + cache_ + "/Modelica/Blocks/"));
  EXPECT_TRUE(std::filesystem::exists(cache_ + "/Modelica/Blocks"));
}

TEST(LanguageServerTest, AnswersUnknownRequestsWithAnError) {
  Client client;
  EXPECT_EQ(client.Ask("no/such", Json::object())["code"], kMethodNotFound);
  EXPECT_EQ(client.Ask("textDocument/hover", Json::object())["code"],
            kInvalidParams);
}

TEST(LanguageServerTest, RefusesRequestsBeforeTheSessionAndAfterIt) {
  std::vector<Json> sent;
  LanguageServer server({},
                        [&](const Json& message) { sent.push_back(message); });
  const auto ask = [&](const std::string& method) {
    server.Take(Json{{"id", 1}, {"method", method}}.dump());
    return sent.back();
  };
  const std::vector<std::string> methods = {
      "textDocument/hover", "orrery/equations", "workspace/executeCommand"};
  for (const std::string& method : methods) {
    EXPECT_EQ(ask(method)["error"]["code"], kServerNotInitialized) << method;
  }
  EXPECT_TRUE(ask("initialize").contains("result"));
  EXPECT_TRUE(ask("shutdown").contains("result"));
  for (const std::string& method : methods) {
    EXPECT_EQ(ask(method)["error"]["code"], kInvalidRequest) << method;
  }
}

TEST(LanguageServerTest, LivesOnAfterForeignTexts) {
  std::vector<Json> sent;
  LanguageServer server({},
                        [&](const Json& message) { sent.push_back(message); });
  for (const char* const text :
       {"", "null", "[]", "{", "{\"method\":3}", "{\"id\":1}"}) {
    server.Take(text);
  }
  EXPECT_EQ(sent.size(), 6U);
  server.Take(R"({"id":7,"method":"shutdown"})");
  server.Take(R"({"method":"exit"})");
  EXPECT_TRUE(server.is_over());
  EXPECT_EQ(server.exit_code(), 0);
}

}  // namespace
}  // namespace orrery::lsp
