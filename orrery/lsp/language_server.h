#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/lsp/check.h"
#include "orrery/lsp/json.h"
#include "orrery/lsp/mends.h"
#include "orrery/lsp/positions.h"
#include "orrery/lsp/runner.h"
#include "orrery/modelica/assist/places.h"
#include "orrery/modelica/text_edits/edited_text.h"
#include "orrery/modelica/workspace/class_index.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::lsp {

struct ServerOptions {
  std::vector<std::string> libraries;  ///< Folders; a client may name others.
  std::string cache;   ///< The folder for texts of the built-in library.
  bool checks = true;  ///< Classes are compiled after each change.
  std::string command = "orrery";  ///< The program that runs models.
};

/// The state of one session with a client. For one thread.
///
/// A request is answered at once by `send`; an error in it is an answer too. A
/// bad notification is passed over.
class LanguageServer {
 public:
  using Send = std::function<void(const Json&)>;

  LanguageServer(ServerOptions options, Send send);
  LanguageServer(const LanguageServer&) = delete;
  LanguageServer& operator=(const LanguageServer&) = delete;
  ~LanguageServer();

  /// Takes a message, a JSON text.
  void Take(std::string_view message);

  /// Does a small part of the work that nobody waits for.
  /// @returns true if there is more.
  bool WorkABit();

  /// Starts the check that is due: call it when no message has come for 150 ms.
  void StartCheck();

  /// True if a check waits for StartCheck().
  [[nodiscard]] bool has_check() const noexcept {
    return !to_check_.empty() ||
           (!outdated_.empty() && checker_.descriptor() < 0);
  }

  [[nodiscard]] Checker& checker() noexcept { return checker_; }

  /// Call it when the checker's descriptor is readable.
  void ReadCheck();

  /// Compiles classes whose equations were asked for.
  [[nodiscard]] Checker& equations() noexcept { return equations_; }

  /// Call it when the descriptor of equations() is readable.
  void ReadEquations();

  /// Runs models for the command `orrery.run`.
  [[nodiscard]] Runner& runner() noexcept { return runner_; }

  /// Call it when the descriptor of runner() is readable.
  void ReadRun();

  /// True after `exit`.
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

  /// 0 if `shutdown` came before `exit` (LSP 3.17).
  [[nodiscard]] int exit_code() const noexcept {
    return was_shut_down_ ? 0 : 1;
  }

 private:
  using Handler = Json (LanguageServer::*)(const Json&);
  // Handles a request whose answer comes later, by its id.
  using LateHandler = void (LanguageServer::*)(const Json&, const Json&);

  // An open text as its client knows it.
  struct OpenText {
    std::string uri;
    int version = 0;
    std::uint32_t place = 0;          // Where its user was last.
    std::vector<Diagnostic> checked;  // Findings of the last check.
    std::vector<Mend> mends;
  };

  // A run that its client waits for.
  struct Run {
    Json id;     // Of the request.
    Json token;  // Of its progress; perhaps null.
    std::vector<std::string> words;
    bool is_cancelled = false;
  };

  // A place that a request names.
  struct Place {
    std::shared_ptr<const modelica::Document> document;
    std::uint32_t offset = 0;
  };

  static const std::map<std::string_view, Handler>& Requests();
  static const std::map<std::string_view, LateHandler>& LateRequests();
  static const std::map<std::string_view, Handler>& Notifications();

  void Answer(const Json& message);
  void AnswerRequest(const Json& id,
                     const std::string& method,
                     const Json& params);
  void Reply(const Json& id, Json result);
  void Refuse(const Json& id, int code, const std::string& why);
  void Notify(const std::string& method, Json params);

  // The session.
  Json Initialize(const Json& params);
  Json Initialized(const Json& params);
  Json Shutdown(const Json& params);
  Json Exit(const Json& params);
  Json DidOpen(const Json& params);
  Json DidChange(const Json& params);
  Json DidClose(const Json& params);
  Json DidSave(const Json& params);
  Json DidChangeWatchedFiles(const Json& params);
  Json DidChangeConfiguration(const Json& params);

  // Places and names.
  Json Definition(const Json& params);
  Json TypeDefinition(const Json& params);
  Json References(const Json& params);
  Json DocumentHighlight(const Json& params);
  Json PrepareRename(const Json& params);
  Json Rename(const Json& params);
  Json WorkspaceSymbol(const Json& params);

  // Meanings.
  Json Hover(const Json& params);
  Json SignatureHelp(const Json& params);
  Json Completion(const Json& params);
  Json ResolveCompletion(const Json& params);
  Json InlayHint(const Json& params);
  Json CodeAction(const Json& params);

  // The text.
  Json DocumentSymbol(const Json& params);
  Json FoldingRange(const Json& params);
  Json SelectionRange(const Json& params);
  Json SemanticTokens(const Json& params);
  Json Formatting(const Json& params);

  // Diagrams and libraries: requests of our own.
  Json SceneOf(const Json& params);
  Json IconOf(const Json& params);
  Json ClassesUnder(const Json& params);
  Json SearchClasses(const Json& params);
  Json Edit(const Json& params);
  Json Describe(const Json& params);
  Json QuantitiesOf(const Json& params);
  Json FittingClasses(const Json& params);
  static Json Commands();
  void StartCommand(const Json& id, const Json& params);
  Json Cancel(const Json& params);
  void StartEquations(const Json& id, const Json& params);
  void RefuseEquations(int code, const std::string& why);
  Json EquationsAsJson(const Json& equations);
  [[nodiscard]] Json ChangeOf(
      const SourceFile& file,
      const std::vector<modelica::TextEdit>& edits) const;
  [[nodiscard]] Json ChangesOf(
      const std::vector<modelica::ReplacedSpan>& edits) const;
  Json MoveClass(const modelica::Document& document,
                 const std::string& class_name,
                 const Json& op);
  Json RenameInClass(const modelica::Document& document,
                     const std::string& class_name,
                     const Json& op);

  // Conversions.
  [[nodiscard]] Positions PositionsIn(std::string_view text) const {
    return {text, encoding_};
  }

  std::shared_ptr<const modelica::Document> DocumentOf(const Json& params);
  /// The document that a request names or, without one, that with the class.
  std::shared_ptr<const modelica::Document> DocumentWith(
      const Json& params, const std::string& class_name);
  Place PlaceOf(const Json& params);
  [[nodiscard]] static std::uint32_t OffsetIn(const Positions& positions,
                                              const Json& position);
  [[nodiscard]] static Json AsJson(const Positions::Position& position);
  [[nodiscard]] static Json RangeOf(const Positions& positions,
                                    const modelica::ast::Span& span);
  [[nodiscard]] Json LocationOf(const SourceSpan& span) const;
  [[nodiscard]] Json LocationsOf(const std::vector<SourceSpan>& spans) const;
  [[nodiscard]] std::string UriOfFile(const SourceFile& file) const;
  [[nodiscard]] Json WorkspaceEditOf(const std::vector<SourceSpan>& spans,
                                     const std::string& text) const;

  void FinishIndex();

  // Findings.
  void TakeText(const std::string& path, std::uint32_t place);
  void Publish(const std::string& path);
  static Json AsJson(const Diagnostic& finding,
                     const modelica::Document& document,
                     const Positions& positions,
                     OpenText& text);
  void MarkOutdated();
  void AskForCheck(const std::string& path, std::uint32_t place);
  [[nodiscard]] std::string ClassToCheck(const modelica::Document& document,
                                         std::uint32_t place) const;

  ServerOptions options_;
  Send send_;
  Encoding encoding_ = Encoding::kUtf16;
  bool can_rename_files_ = false;
  bool can_make_files_ = false;  // And delete them.
  bool is_initialized_ = false;
  bool was_shut_down_ = false;
  bool is_over_ = false;
  std::unique_ptr<modelica::Workspace> workspace_;
  std::unique_ptr<modelica::ClassIndex> index_;
  std::vector<std::string> roots_;
  std::map<std::string, OpenText> open_;  // By path.
  std::map<std::string, Json> icons_;     // Of scenes, by id.
  Checker checker_;
  Checker equations_;
  Runner runner_;
  Run run_;
  Json equations_id_;     // Of the request that waits for them; null: none.
  std::string to_check_;  // The path of a text.
  // Paths of texts to be checked when no other is: something that they use has
  // changed.
  std::set<std::string> outdated_;
};

/// An error that a request is answered with.
class RequestError : public std::exception {
 public:
  RequestError(int code, std::string message)
      : code_(code), message_(std::move(message)) {}

  [[nodiscard]] int code() const noexcept { return code_; }

  [[nodiscard]] const char* what() const noexcept override {
    return message_.c_str();
  }

 private:
  int code_;
  std::string message_;
};

// Codes of JSON-RPC 2.0 and of LSP 3.17.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kServerNotInitialized = -32002;
inline constexpr int kRequestCancelled = -32800;
inline constexpr int kContentModified = -32801;
inline constexpr int kRequestFailed = -32803;

}  // namespace orrery::lsp
