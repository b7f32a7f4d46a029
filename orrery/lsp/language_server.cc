#include "orrery/lsp/language_server.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/lsp/features/descriptions.h"
#include "orrery/lsp/features/edits.h"
#include "orrery/lsp/features/equations.h"
#include "orrery/lsp/features/findings.h"
#include "orrery/lsp/features/lifecycle.h"
#include "orrery/lsp/features/meanings.h"
#include "orrery/lsp/features/names.h"
#include "orrery/lsp/features/outline.h"
#include "orrery/lsp/features/runs.h"
#include "orrery/lsp/features/scenes.h"
#include "orrery/lsp/session/request_error.h"
#include "orrery/lsp/session/uris.h"

namespace orrery::lsp {
namespace {

ServerOptions WithAbsolutePaths(ServerOptions options) {
  std::ranges::transform(
      options.libraries, options.libraries.begin(), AbsolutePath);
  options.cache = AbsolutePath(options.cache);
  return options;
}

using Handler = Json (*)(Session&, const Json&);

// Handles a request whose answer comes later, by its id.
using LateHandler = void (*)(Session&, const Json&, const Json&);

const std::map<std::string_view, Handler>& Requests() {
  static const std::map<std::string_view, Handler> requests = {
      {"initialize", &AnswerInitialize},
      {"shutdown", &AnswerShutdown},
      {"textDocument/definition", &AnswerDefinition},
      {"textDocument/declaration", &AnswerDefinition},
      {"textDocument/typeDefinition", &AnswerTypeDefinition},
      {"textDocument/references", &AnswerReferences},
      {"textDocument/documentHighlight", &AnswerDocumentHighlight},
      {"textDocument/prepareRename", &AnswerPrepareRename},
      {"textDocument/rename", &AnswerRename},
      {"textDocument/hover", &AnswerHover},
      {"textDocument/signatureHelp", &AnswerSignatureHelp},
      {"textDocument/completion", &AnswerCompletion},
      {"completionItem/resolve", &AnswerResolveCompletion},
      {"textDocument/inlayHint", &AnswerInlayHint},
      {"textDocument/codeAction", &AnswerCodeAction},
      {"textDocument/documentSymbol", &AnswerDocumentSymbol},
      {"textDocument/foldingRange", &AnswerFoldingRange},
      {"textDocument/selectionRange", &AnswerSelectionRange},
      {"textDocument/semanticTokens/full", &AnswerSemanticTokens},
      {"textDocument/formatting", &AnswerFormatting},
      {"workspace/symbol", &AnswerWorkspaceSymbol},
      {"orrery/scene", &AnswerScene},
      {"orrery/icon", &AnswerIcon},
      {"orrery/classes", &AnswerClasses},
      {"orrery/search", &AnswerSearch},
      {"orrery/edit", &AnswerEdit},
      {"orrery/describe", &AnswerDescribe},
      {"orrery/quantities", &AnswerQuantities},
      {"orrery/fitting", &AnswerFitting}};
  return requests;
}

const std::map<std::string_view, LateHandler>& LateRequests() {
  static const std::map<std::string_view, LateHandler> requests = {
      {"orrery/equations", &StartEquations},
      {"workspace/executeCommand", &StartCommand}};
  return requests;
}

const std::map<std::string_view, Handler>& Notifications() {
  static const std::map<std::string_view, Handler> notifications = {
      {"initialized", &TakeInitialized},
      {"exit", &TakeExit},
      {"textDocument/didOpen", &TakeDidOpen},
      {"textDocument/didChange", &TakeDidChange},
      {"textDocument/didClose", &TakeDidClose},
      {"textDocument/didSave", &TakeDidSave},
      {"workspace/didChangeWatchedFiles", &TakeDidChangeWatchedFiles},
      {"workspace/didChangeConfiguration", &TakeDidChangeConfiguration},
      {"$/cancelRequest", &TakeCancel}};
  return notifications;
}

}  // namespace

LanguageServer::LanguageServer(ServerOptions options, Send send)
    : session_{.options = WithAbsolutePaths(std::move(options)),
               .send = std::move(send)} {
  session_.workspace = std::make_unique<modelica::Workspace>(
      modelica::WorkspaceOptions{.libraries = session_.options.libraries});
}

LanguageServer::~LanguageServer() = default;

void LanguageServer::Take(std::string_view message) {
  const Json json = Json::parse(message, nullptr, false);
  if (json.is_discarded()) {
    Refuse(session_, nullptr, kParseError, "this is no JSON text");
    return;
  }
  if (!json.is_object() || !json.contains("method") ||
      !json["method"].is_string()) {
    // Answers to our own notifications do not come; other things are no
    // messages.
    const bool is_answer = json.is_object() && json.contains("id") &&
                           (json.contains("result") || json.contains("error"));
    if (!is_answer) {
      Refuse(session_, nullptr, kInvalidRequest, "this is no message");
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
      Refuse(session_, id, code, why);
    }
  };
  try {
    if (is_request) {
      AnswerRequest(id, method, params);
    } else if (const auto found = Notifications().find(method);
               found != Notifications().end()) {
      static_cast<void>(found->second(session_, params));
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
  const bool is_early = !session_.is_initialized && method != "initialize" &&
                        method != "shutdown";
  if (is_early) {
    throw RequestError(kServerNotInitialized, "send 'initialize' first");
  }
  if (session_.was_shut_down) {
    throw RequestError(kInvalidRequest, "the server was shut down");
  }
  if (late != LateRequests().end()) {
    late->second(session_, id, params);
  } else {
    Reply(session_, id, found->second(session_, params));
  }
}

bool LanguageServer::WorkABit() {
  return WorkOnIndex(session_);
}

void LanguageServer::StartCheck() {
  lsp::StartCheck(session_);
}

void LanguageServer::ReadCheck() {
  lsp::ReadCheck(session_);
}

void LanguageServer::ReadEquations() {
  lsp::ReadEquations(session_);
}

void LanguageServer::ReadRun() {
  lsp::ReadRun(session_);
}

}  // namespace orrery::lsp
