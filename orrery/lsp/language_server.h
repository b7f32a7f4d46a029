#pragma once

#include <string>
#include <string_view>

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

/// One session with a client. For one thread.
///
/// A request is answered at once by `send`; an error in it is an answer too. A
/// bad notification is passed over.
class LanguageServer {
 public:
  using Send = Session::Send;

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
    return !session_.to_check.empty() ||
           (!session_.outdated.empty() && session_.checker.descriptor() < 0);
  }

  [[nodiscard]] Checker& checker() noexcept { return session_.checker; }

  /// Call it when the checker's descriptor is readable.
  void ReadCheck();

  /// Compiles classes whose equations were asked for.
  [[nodiscard]] Checker& equations() noexcept { return session_.equations; }

  /// Call it when the descriptor of equations() is readable.
  void ReadEquations();

  /// Runs models for the command `orrery.run`.
  [[nodiscard]] Runner& runner() noexcept { return session_.runner; }

  /// Call it when the descriptor of runner() is readable.
  void ReadRun();

  /// True after `exit`.
  [[nodiscard]] bool is_over() const noexcept { return session_.is_over; }

  /// 0 if `shutdown` came before `exit` (LSP 3.17).
  [[nodiscard]] int exit_code() const noexcept {
    return session_.was_shut_down ? 0 : 1;
  }

 private:
  void Answer(const Json& message);
  void AnswerRequest(const Json& id,
                     const std::string& method,
                     const Json& params);

  Session session_;
};

}  // namespace orrery::lsp
