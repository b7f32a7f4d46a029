#include "orrery/lsp/features/lifecycle.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/lsp/features/findings.h"
#include "orrery/lsp/features/runs.h"
#include "orrery/lsp/features/semantic_legend.h"
#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/uris.h"
#include "orrery/sdk/classes/version.h"

namespace orrery::lsp {
namespace {

namespace fs = std::filesystem;

constexpr int kShowWarning = 2;
constexpr int kIncremental = 2;

Json CapabilitiesOf(Encoding encoding, const Json& commands) {
  return {
      {"positionEncoding", encoding == Encoding::kUtf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync",
       {{"openClose", true}, {"change", kIncremental}, {"save", true}}},
      {"completionProvider",
       {{"triggerCharacters", {".", "("}}, {"resolveProvider", true}}},
      {"hoverProvider", true},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
      {"definitionProvider", true},
      {"declarationProvider", true},
      {"typeDefinitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"selectionRangeProvider", true},
      {"semanticTokensProvider",
       {{"legend", SemanticLegend()}, {"full", true}}},
      {"renameProvider", {{"prepareProvider", true}}},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
      {"documentFormattingProvider", true},
      {"inlayHintProvider", true},
      {"executeCommandProvider",
       {{"commands", commands}, {"workDoneProgress", true}}}};
}

// The value at a path of names in `json`; null if there is none.
Json At(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* const name : path) {
    if (!at->is_object() || !at->contains(name)) {
      return nullptr;
    }
    at = &(*at)[name];
  }
  return *at;
}

bool Lists(const Json& list, const std::string& wanted) {
  return list.is_array() && std::ranges::find(list, Json(wanted)) != list.end();
}

// Indexes, publishes and checks a text that was opened, or changed at `place`.
void TakeText(Session& session, const std::string& path, std::uint32_t place) {
  if (session.index != nullptr && session.index->is_complete()) {
    session.index->Replace(session.workspace->Read(path)->tree());
  }
  Publish(session, path);
  MarkOutdated(session);
  AskForCheck(session, path, place);
}

}  // namespace

Json AnswerInitialize(Session& session, const Json& params) {
  session.is_initialized = true;
  if (Lists(At(params, {"capabilities", "general", "positionEncodings"}),
            "utf-8")) {
    session.encoding = Encoding::kUtf8;
  }
  const Json operations =
      At(params,
         {"capabilities", "workspace", "workspaceEdit", "resourceOperations"});
  session.can_rename_files = Lists(operations, "rename");
  session.can_make_files =
      Lists(operations, "create") && Lists(operations, "delete");
  for (const Json& library :
       At(params, {"initializationOptions", "libraries"})) {
    if (library.is_string()) {
      session.options.libraries.push_back(
          AbsolutePath(library.get<std::string>()));
    }
  }
  if (At(params, {"initializationOptions", "check"}) == Json(false)) {
    session.options.checks = false;
  }
  for (const Json& folder : At(params, {"workspaceFolders"})) {
    if (folder.contains("uri")) {
      if (const auto path = PathOf(folder["uri"].get<std::string>())) {
        session.roots.push_back(*path);
      }
    }
  }
  const Json root = At(params, {"rootUri"});
  if (session.roots.empty() && root.is_string()) {
    if (const auto path = PathOf(root.get<std::string>())) {
      session.roots.push_back(*path);
    }
  }
  session.workspace = std::make_unique<modelica::Workspace>(
      modelica::WorkspaceOptions{.libraries = session.options.libraries});
  std::vector<std::string> folders = session.options.libraries;
  folders.insert(folders.end(), session.roots.begin(), session.roots.end());
  session.index = std::make_unique<modelica::ClassIndex>(folders);
  return {{"capabilities", CapabilitiesOf(session.encoding, RunCommands())},
          {"serverInfo", {{"name", "orrery-lsp"}, {"version", Version()}}}};
}

Json TakeInitialized(Session& session, const Json& /*params*/) {
  for (const std::string& folder : session.options.libraries) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      Notify(session,
             "window/showMessage",
             {{"type", kShowWarning},
              {"message", "there is no folder of libraries '" + folder + "'"}});
    }
  }
  return nullptr;
}

Json AnswerShutdown(Session& session, const Json& /*params*/) {
  session.checker.Stop();
  session.to_check.clear();
  session.runner.Interrupt();
  session.was_shut_down = true;
  return nullptr;
}

Json TakeExit(Session& session, const Json& /*params*/) {
  session.is_over = true;
  return nullptr;
}

Json TakeDidOpen(Session& session, const Json& params) {
  const Json& given = params.at("textDocument");
  const auto uri = given.at("uri").get<std::string>();
  const auto path = PathOf(uri);
  if (!path) {
    return nullptr;
  }
  session.workspace->Open(*path, given.at("text").get<std::string>());
  session.open[*path] = {.uri = uri, .version = given.value("version", 0)};
  TakeText(session, *path, 0);
  return nullptr;
}

Json TakeDidChange(Session& session, const Json& params) {
  const Json& given = params.at("textDocument");
  const auto path = PathOf(given.at("uri").get<std::string>());
  const auto found = path ? session.open.find(*path) : session.open.end();
  if (found == session.open.end()) {
    return nullptr;
  }
  std::string text(session.workspace->Read(*path)->text());
  std::uint32_t place = found->second.place;
  for (const Json& change : params.at("contentChanges")) {
    const auto inserted = change.at("text").get<std::string>();
    if (!change.contains("range")) {
      text = inserted;
      place = 0;
      continue;
    }
    const Positions positions = PositionsIn(session, text);
    const Json& range = change["range"];
    const std::uint32_t begin = OffsetIn(positions, range.at("start"));
    const std::uint32_t end =
        std::max(begin, OffsetIn(positions, range.at("end")));
    text.replace(begin, end - begin, inserted);
    place = begin;
  }
  session.workspace->Open(*path, std::move(text));
  found->second.version = given.value("version", found->second.version + 1);
  found->second.checked.clear();
  TakeText(session, *path, place);
  return nullptr;
}

Json TakeDidClose(Session& session, const Json& params) {
  const auto path =
      PathOf(params.at("textDocument").at("uri").get<std::string>());
  const auto found = path ? session.open.find(*path) : session.open.end();
  if (found == session.open.end()) {
    return nullptr;
  }
  if (session.to_check == *path) {
    session.to_check.clear();
  }
  Notify(session,
         "textDocument/publishDiagnostics",
         {{"uri", found->second.uri}, {"diagnostics", Json::array()}});
  session.open.erase(found);
  session.workspace->Close(*path);
  return nullptr;
}

Json TakeDidSave(Session& session, const Json& params) {
  if (const auto path =
          PathOf(params.at("textDocument").at("uri").get<std::string>())) {
    const auto found = session.open.find(*path);
    if (found != session.open.end()) {
      AskForCheck(session, *path, found->second.place);
    }
  }
  return nullptr;
}

Json TakeDidChangeWatchedFiles(Session& session, const Json& params) {
  for (const Json& change : params.at("changes")) {
    const auto path = PathOf(change.at("uri").get<std::string>());
    if (!path || session.workspace->IsOpen(*path)) {
      continue;
    }
    session.workspace->ReadAgain(*path);
    MarkOutdated(session);
    if (session.index == nullptr) {
      continue;
    }
    std::error_code error;
    if (!fs::exists(*path, error)) {
      session.index->Remove(*path);
    } else if (fs::is_regular_file(*path, error) &&
               fs::path(*path).extension() == ".mo") {
      session.index->Replace(session.workspace->Read(*path)->tree());
    }
  }
  return nullptr;
}

Json TakeDidChangeConfiguration(Session& /*session*/, const Json& /*params*/) {
  return nullptr;
}

}  // namespace orrery::lsp
