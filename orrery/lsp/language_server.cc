#include "orrery/lsp/language_server.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/lsp/uris.h"

namespace orrery::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFilesAtOnce = 8;

Json ErrorOf(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", code}, {"message", message}}}};
}

ServerOptions WithAbsolutePaths(ServerOptions options) {
  std::ranges::transform(
      options.libraries, options.libraries.begin(), AbsolutePath);
  options.cache = AbsolutePath(options.cache);
  return options;
}

}  // namespace

LanguageServer::LanguageServer(ServerOptions options, Send send)
    : options_(WithAbsolutePaths(std::move(options))),
      send_(std::move(send)),
      workspace_(std::make_unique<modelica::Workspace>(
          modelica::WorkspaceOptions{.libraries = options_.libraries})) {}

LanguageServer::~LanguageServer() = default;

const std::map<std::string_view, LanguageServer::Handler>&
LanguageServer::Requests() {
  using S = LanguageServer;
  static const std::map<std::string_view, Handler> requests = {
      {"initialize", &S::Initialize},
      {"shutdown", &S::Shutdown},
      {"textDocument/definition", &S::Definition},
      {"textDocument/declaration", &S::Definition},
      {"textDocument/typeDefinition", &S::TypeDefinition},
      {"textDocument/references", &S::References},
      {"textDocument/documentHighlight", &S::DocumentHighlight},
      {"textDocument/prepareRename", &S::PrepareRename},
      {"textDocument/rename", &S::Rename},
      {"textDocument/hover", &S::Hover},
      {"textDocument/signatureHelp", &S::SignatureHelp},
      {"textDocument/completion", &S::Completion},
      {"completionItem/resolve", &S::ResolveCompletion},
      {"textDocument/inlayHint", &S::InlayHint},
      {"textDocument/codeAction", &S::CodeAction},
      {"textDocument/documentSymbol", &S::DocumentSymbol},
      {"textDocument/foldingRange", &S::FoldingRange},
      {"textDocument/selectionRange", &S::SelectionRange},
      {"textDocument/semanticTokens/full", &S::SemanticTokens},
      {"textDocument/formatting", &S::Formatting},
      {"workspace/symbol", &S::WorkspaceSymbol},
      {"orrery/scene", &S::SceneOf},
      {"orrery/icon", &S::IconOf},
      {"orrery/classes", &S::ClassesUnder},
      {"orrery/search", &S::SearchClasses},
      {"orrery/edit", &S::Edit},
      {"orrery/describe", &S::Describe},
      {"orrery/quantities", &S::QuantitiesOf},
      {"orrery/fitting", &S::FittingClasses}};
  return requests;
}

const std::map<std::string_view, LanguageServer::LateHandler>&
LanguageServer::LateRequests() {
  using S = LanguageServer;
  static const std::map<std::string_view, LateHandler> requests = {
      {"orrery/equations", &S::StartEquations},
      {"workspace/executeCommand", &S::StartCommand}};
  return requests;
}

const std::map<std::string_view, LanguageServer::Handler>&
LanguageServer::Notifications() {
  using S = LanguageServer;
  static const std::map<std::string_view, Handler> notifications = {
      {"initialized", &S::Initialized},
      {"exit", &S::Exit},
      {"textDocument/didOpen", &S::DidOpen},
      {"textDocument/didChange", &S::DidChange},
      {"textDocument/didClose", &S::DidClose},
      {"textDocument/didSave", &S::DidSave},
      {"workspace/didChangeWatchedFiles", &S::DidChangeWatchedFiles},
      {"workspace/didChangeConfiguration", &S::DidChangeConfiguration},
      {"$/cancelRequest", &S::Cancel}};
  return notifications;
}

void LanguageServer::Take(std::string_view message) {
  const Json json = Json::parse(message, nullptr, false);
  if (json.is_discarded()) {
    send_(ErrorOf(nullptr, kParseError, "this is no JSON text"));
    return;
  }
  if (!json.is_object() || !json.contains("method") ||
      !json["method"].is_string()) {
    // Answers to our own notifications do not come; other things are no
    // messages.
    const bool is_answer = json.is_object() && json.contains("id") &&
                           (json.contains("result") || json.contains("error"));
    if (!is_answer) {
      send_(ErrorOf(nullptr, kInvalidRequest, "this is no message"));
    }
    return;
  }
  Answer(json);
}

void LanguageServer::Answer(const Json& message) {
  const auto method = message["method"].get<std::string>();
  const bool is_request = message.contains("id");
  const Json id = is_request ? message["id"] : Json();
  const Json params =
      message.contains("params") ? message["params"] : Json::object();
  const auto refuse = [&](int code, const std::string& why) {
    if (is_request) {
      Refuse(id, code, why);
    }
  };
  try {
    if (is_request) {
      AnswerRequest(id, method, params);
    } else if (const auto found = Notifications().find(method);
               found != Notifications().end()) {
      (this->*found->second)(params);
    }
  } catch (const RequestError& error) {
    refuse(error.code(), error.what());
  } catch (const Json::exception& error) {
    refuse(kInvalidParams, error.what());
  } catch (const Error& error) {
    refuse(kRequestFailed, error.what());
  } catch (const std::exception& error) {
    refuse(kInternalError, error.what());
  }
}

void LanguageServer::AnswerRequest(const Json& id,
                                   const std::string& method,
                                   const Json& params) {
  const auto found = Requests().find(method);
  const auto late = LateRequests().find(method);
  if (found == Requests().end() && late == LateRequests().end()) {
    throw RequestError(kMethodNotFound, "no method '" + method + "'");
  }
  const bool is_early =
      !is_initialized_ && method != "initialize" && method != "shutdown";
  if (is_early) {
    throw RequestError(kServerNotInitialized, "send 'initialize' first");
  }
  if (was_shut_down_) {
    throw RequestError(kInvalidRequest, "the server was shut down");
  }
  if (late != LateRequests().end()) {
    (this->*late->second)(id, params);
  } else {
    Reply(id, (this->*found->second)(params));
  }
}

void LanguageServer::Reply(const Json& id, Json result) {
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void LanguageServer::Refuse(const Json& id, int code, const std::string& why) {
  send_(ErrorOf(id, code, why));
}

void LanguageServer::RefuseEquations(int code, const std::string& why) {
  if (!equations_id_.is_null()) {
    Refuse(std::exchange(equations_id_, nullptr), code, why);
  }
}

void LanguageServer::Notify(const std::string& method, Json params) {
  send_(
      {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

bool LanguageServer::WorkABit() {
  return index_ != nullptr && index_->Work(kFilesAtOnce);
}

// Reads the files that the index still lacks: who searches wants all classes.
void LanguageServer::FinishIndex() {
  while (index_->Work(kFilesAtOnce)) {
  }
}

// Conversions -----------------------------------------------------------------

std::shared_ptr<const modelica::Document> LanguageServer::DocumentOf(
    const Json& params) {
  const auto uri = params.at("textDocument").at("uri").get<std::string>();
  const auto path = PathOf(uri);
  if (!path) {
    throw RequestError(kInvalidParams, "not the URI of a file: " + uri);
  }
  return workspace_->Read(*path);
}

LanguageServer::Place LanguageServer::PlaceOf(const Json& params) {
  Place place = {.document = DocumentOf(params)};
  place.offset =
      OffsetIn(PositionsIn(place.document->text()), params.at("position"));
  const auto found = open_.find(place.document->path());
  if (found != open_.end()) {
    found->second.place = place.offset;
  }
  return place;
}

std::uint32_t LanguageServer::OffsetIn(const Positions& positions,
                                       const Json& position) {
  return positions.OffsetOf(
      {.line = position.at("line").get<std::uint32_t>(),
       .character = position.at("character").get<std::uint32_t>()});
}

Json LanguageServer::AsJson(const Positions::Position& position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json LanguageServer::RangeOf(const Positions& positions,
                             const modelica::ast::Span& span) {
  return {
      {"start", AsJson(positions.PositionOf(span.begin))},
      {"end", AsJson(positions.PositionOf(std::max(span.begin, span.end)))}};
}

// A text of the built-in library is written to a file, so that an editor can
// show it.
std::string LanguageServer::UriOfFile(const SourceFile& file) const {
  if (!modelica::Workspace::IsBuiltIn(file)) {
    return UriOf(AbsolutePath(file.name()));
  }
  const fs::path copy = fs::path(options_.cache) / file.name();
  std::error_code error;
  fs::create_directories(copy.parent_path(), error);
  std::ofstream out(copy, std::ios::binary);
  out << file.text();
  return UriOf(copy.string());
}

Json LanguageServer::LocationOf(const SourceSpan& span) const {
  return LocationsOf({span}).front();
}

// The spans of one file follow each other: each file is looked at once.
Json LanguageServer::LocationsOf(const std::vector<SourceSpan>& spans) const {
  Json list = Json::array();
  const SourceFile* file = nullptr;
  std::optional<Positions> positions;
  std::string uri;
  for (const SourceSpan& span : spans) {
    if (span.file.get() != file) {
      file = span.file.get();
      positions = PositionsIn(file->text());
      uri = UriOfFile(*file);
    }
    list.push_back(
        {{"uri", uri},
         {"range",
          RangeOf(*positions, {.begin = span.begin, .end = span.end})}});
  }
  return list;
}

Json LanguageServer::WorkspaceEditOf(const std::vector<SourceSpan>& spans,
                                     const std::string& text) const {
  std::vector<modelica::ReplacedSpan> edits;
  edits.reserve(spans.size());
  for (const SourceSpan& span : spans) {
    edits.push_back({.span = span, .text = text});
  }
  return {{"documentChanges", ChangesOf(edits)}};
}

}  // namespace orrery::lsp
