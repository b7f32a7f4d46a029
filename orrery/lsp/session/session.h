#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/lsp/session/check.h"
#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/mends.h"
#include "orrery/lsp/session/positions.h"
#include "orrery/lsp/session/runner.h"
#include "orrery/modelica/workspace/class_index.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::lsp {

/// Choices of who starts the server. Plain data.
struct ServerOptions {
  std::vector<std::string> libraries;  ///< Folders; a client may name others.
  std::string cache;   ///< The folder for texts of the built-in library.
  bool checks = true;  ///< Classes are compiled after each change.
  std::string command = "orrery";  ///< The program that runs models.
};

/// The state of one session with a client. For one thread. What the server does
/// with it are functions, a subject a file, in `features`.
struct Session {
  using Send = std::function<void(const Json&)>;

  /// An open text as its client knows it.
  struct OpenText {
    std::string uri;
    int version = 0;
    std::uint32_t place = 0;          ///< Where its user was last.
    std::vector<Diagnostic> checked;  ///< Findings of the last check.
    std::vector<Mend> mends;
  };

  /// A run that its client waits for.
  struct Run {
    Json id;     ///< The request's.
    Json token;  ///< Its progress is told by it; perhaps null.
    std::vector<std::string> words;
    bool is_cancelled = false;
  };

  ServerOptions options;
  Send send;
  Encoding encoding = Encoding::kUtf16;
  bool can_rename_files = false;
  bool can_make_files = false;  ///< And delete them.
  bool is_initialized = false;
  bool was_shut_down = false;
  bool is_over = false;
  std::unique_ptr<modelica::Workspace> workspace;
  std::unique_ptr<modelica::ClassIndex> index;
  std::vector<std::string> roots;
  std::map<std::string, OpenText> open;  ///< By path.
  std::map<std::string, Json> icons;     ///< Icons of scenes, by id.
  Checker checker;
  Checker equations;
  Runner runner;
  Run run;
  Json equations_id;     ///< Request that waits for them; null: none.
  std::string to_check;  ///< The path of a text.

  /// Paths of texts to be checked when no other is: something that they use has
  /// changed.
  std::set<std::string> outdated;
};

void Reply(Session& session, const Json& id, Json result);
void Refuse(Session& session, const Json& id, int code, const std::string& why);
void Notify(Session& session, const std::string& method, Json params);

/// Reads some of the files that the index still lacks.
/// @returns true if there are more.
bool WorkOnIndex(Session& session);

/// Reads all of them: who searches wants all classes.
void FinishIndex(Session& session);

}  // namespace orrery::lsp
