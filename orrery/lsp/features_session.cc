#include <algorithm>
#include <filesystem>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/lsp/language_server.h"
#include "orrery/lsp/semantic_legend.h"
#include "orrery/lsp/uris.h"
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

}  // namespace

Json LanguageServer::Initialize(const Json& params) {
  is_initialized_ = true;
  if (Lists(At(params, {"capabilities", "general", "positionEncodings"}),
            "utf-8")) {
    encoding_ = Encoding::kUtf8;
  }
  const Json operations =
      At(params,
         {"capabilities", "workspace", "workspaceEdit", "resourceOperations"});
  can_rename_files_ = Lists(operations, "rename");
  can_make_files_ = Lists(operations, "create") && Lists(operations, "delete");
  for (const Json& library :
       At(params, {"initializationOptions", "libraries"})) {
    if (library.is_string()) {
      options_.libraries.push_back(AbsolutePath(library.get<std::string>()));
    }
  }
  if (At(params, {"initializationOptions", "check"}) == Json(false)) {
    options_.checks = false;
  }
  for (const Json& folder : At(params, {"workspaceFolders"})) {
    if (folder.contains("uri")) {
      if (const auto path = PathOf(folder["uri"].get<std::string>())) {
        roots_.push_back(*path);
      }
    }
  }
  const Json root = At(params, {"rootUri"});
  if (roots_.empty() && root.is_string()) {
    if (const auto path = PathOf(root.get<std::string>())) {
      roots_.push_back(*path);
    }
  }
  workspace_ = std::make_unique<modelica::Workspace>(
      modelica::WorkspaceOptions{.libraries = options_.libraries});
  std::vector<std::string> folders = options_.libraries;
  folders.insert(folders.end(), roots_.begin(), roots_.end());
  index_ = std::make_unique<modelica::ClassIndex>(folders);
  return {{"capabilities", CapabilitiesOf(encoding_, Commands())},
          {"serverInfo", {{"name", "orrery-lsp"}, {"version", Version()}}}};
}

Json LanguageServer::Initialized(const Json& /*params*/) {
  for (const std::string& folder : options_.libraries) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      Notify("window/showMessage",
             {{"type", kShowWarning},
              {"message", "there is no folder of libraries '" + folder + "'"}});
    }
  }
  return nullptr;
}

Json LanguageServer::Shutdown(const Json& /*params*/) {
  checker_.Stop();
  to_check_.clear();
  runner_.Interrupt();
  was_shut_down_ = true;
  return nullptr;
}

Json LanguageServer::Exit(const Json& /*params*/) {
  is_over_ = true;
  return nullptr;
}

// Indexes, publishes and checks a text that was opened, or changed at `place`.
void LanguageServer::TakeText(const std::string& path, std::uint32_t place) {
  if (index_ != nullptr && index_->is_complete()) {
    index_->Replace(workspace_->Read(path)->tree());
  }
  Publish(path);
  MarkOutdated();
  AskForCheck(path, place);
}

Json LanguageServer::DidOpen(const Json& params) {
  const Json& given = params.at("textDocument");
  const auto uri = given.at("uri").get<std::string>();
  const auto path = PathOf(uri);
  if (!path) {
    return nullptr;
  }
  workspace_->Open(*path, given.at("text").get<std::string>());
  open_[*path] = {.uri = uri, .version = given.value("version", 0)};
  TakeText(*path, 0);
  return nullptr;
}

Json LanguageServer::DidChange(const Json& params) {
  const Json& given = params.at("textDocument");
  const auto path = PathOf(given.at("uri").get<std::string>());
  const auto found = path ? open_.find(*path) : open_.end();
  if (found == open_.end()) {
    return nullptr;
  }
  std::string text(workspace_->Read(*path)->text());
  std::uint32_t place = found->second.place;
  for (const Json& change : params.at("contentChanges")) {
    const auto inserted = change.at("text").get<std::string>();
    if (!change.contains("range")) {
      text = inserted;
      place = 0;
      continue;
    }
    const Positions positions = PositionsIn(text);
    const Json& range = change["range"];
    const std::uint32_t begin = OffsetIn(positions, range.at("start"));
    const std::uint32_t end =
        std::max(begin, OffsetIn(positions, range.at("end")));
    text.replace(begin, end - begin, inserted);
    place = begin;
  }
  workspace_->Open(*path, std::move(text));
  found->second.version = given.value("version", found->second.version + 1);
  found->second.checked.clear();
  TakeText(*path, place);
  return nullptr;
}

Json LanguageServer::DidClose(const Json& params) {
  const auto path =
      PathOf(params.at("textDocument").at("uri").get<std::string>());
  const auto found = path ? open_.find(*path) : open_.end();
  if (found == open_.end()) {
    return nullptr;
  }
  if (to_check_ == *path) {
    to_check_.clear();
  }
  Notify("textDocument/publishDiagnostics",
         {{"uri", found->second.uri}, {"diagnostics", Json::array()}});
  open_.erase(found);
  workspace_->Close(*path);
  return nullptr;
}

Json LanguageServer::DidSave(const Json& params) {
  if (const auto path =
          PathOf(params.at("textDocument").at("uri").get<std::string>())) {
    const auto found = open_.find(*path);
    if (found != open_.end()) {
      AskForCheck(*path, found->second.place);
    }
  }
  return nullptr;
}

Json LanguageServer::DidChangeWatchedFiles(const Json& params) {
  for (const Json& change : params.at("changes")) {
    const auto path = PathOf(change.at("uri").get<std::string>());
    if (!path || workspace_->IsOpen(*path)) {
      continue;
    }
    workspace_->ReadAgain(*path);
    MarkOutdated();
    if (index_ == nullptr) {
      continue;
    }
    std::error_code error;
    if (!fs::exists(*path, error)) {
      index_->Remove(*path);
    } else if (fs::is_regular_file(*path, error) &&
               fs::path(*path).extension() == ".mo") {
      index_->Replace(workspace_->Read(*path)->tree());
    }
  }
  return nullptr;
}

Json LanguageServer::DidChangeConfiguration(const Json& /*params*/) {
  return nullptr;
}

}  // namespace orrery::lsp
