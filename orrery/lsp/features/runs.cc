#include "orrery/lsp/features/runs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/lsp/features/equations.h"
#include "orrery/lsp/session/request_error.h"
#include "orrery/lsp/session/uris.h"

namespace orrery::lsp {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRun = "orrery.run";

// Names that `options` may set: of the run itself, no files.
constexpr std::array<std::string_view, 7> kOptions = {
    "interval", "seed", "solver", "start", "step", "stop", "tolerance"};

// "--stop=10 s": one word, whatever the value looks like.
std::vector<std::string> OptionsIn(const Json& given) {
  std::vector<std::string> words;
  for (const auto& [name, value] : given.items()) {
    if (std::ranges::find(kOptions, name) == kOptions.end()) {
      throw RequestError(kInvalidParams, "no option '" + name + "' of a run");
    }
    words.push_back("--" + name + "=" + value.get<std::string>());
  }
  return words;
}

std::vector<std::string> ValuesIn(const Json& given) {
  std::vector<std::string> words;
  for (const auto& [name, value] : given.items()) {
    if (name.empty() || name.front() == '-') {
      throw RequestError(kInvalidParams,
                         "no parameter is named '" + name + "'");
    }
    words.emplace_back("--set");
    words.push_back(name + "=" + value.get<std::string>());
  }
  return words;
}

// The command reads the file: it must be as the editor shows it.
bool IsSaved(const std::string& path, std::string_view text) {
  try {
    return SourceFile::Read(path)->text() == text;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Json RunCommands() {
  return Json::array({kRun});
}

// The answer comes when the run has ended.
void StartCommand(Session& session, const Json& id, const Json& params) {
  const auto command = params.at("command").get<std::string>();
  if (command != kRun) {
    throw RequestError(kInvalidParams, "no command '" + command + "'");
  }
  const Json& wanted = params.at("arguments").at(0);
  const auto path = PathOf(wanted.at("uri").get<std::string>());
  // A plug-in would be foreign code.
  if (!path || fs::path(*path).extension() != ".mo") {
    throw RequestError(kInvalidParams, "not the URI of a Modelica file");
  }
  const auto document = session.workspace->Read(*path);
  if (!IsSaved(*path, document->text())) {
    throw RequestError(
        kRequestFailed,
        "cannot run '" + *path + "': its text is not saved; save it first");
  }
  if (session.runner.is_running()) {
    throw RequestError(kRequestFailed,
                       "cannot run '" + *path +
                           "': another run goes on; cancel it, or wait for it");
  }
  std::vector<std::string> words = {session.options.command, "run", *path};
  if (wanted.contains("class")) {
    const auto name = wanted["class"].get<std::string>();
    if (document->FindClass(name) == nullptr) {
      throw RequestError(kRequestFailed,
                         "no class '" + name + "' in '" + *path + "'");
    }
    words.push_back(name);
  }
  for (const std::vector<std::string>& more :
       {ValuesIn(wanted.value("set", Json::object())),
        OptionsIn(wanted.value("options", Json::object()))}) {
    words.insert(words.end(), more.begin(), more.end());
  }
  const std::string folder = session.roots.empty()
                                 ? fs::path(*path).parent_path().string()
                                 : session.roots.front();
  if (!session.runner.Start(words, folder)) {
    throw RequestError(kInternalError, "cannot start another process");
  }
  session.run = {.id = id, .words = std::move(words)};
  if (params.contains("workDoneToken")) {
    session.run.token = params["workDoneToken"];
    Notify(session,
           "$/progress",
           {{"token", session.run.token},
            {"value",
             {{"kind", "begin"},
              {"title", "orrery run"},
              {"message", fs::path(*path).filename().string()},
              {"cancellable", true}}}});
  }
}

void ReadRun(Session& session) {
  auto result = session.runner.Read();
  if (!result) {
    return;
  }
  Session::Run run = std::exchange(session.run, {});
  if (!run.token.is_null()) {
    Notify(session,
           "$/progress",
           {{"token", run.token}, {"value", {{"kind", "end"}}}});
  }
  if (run.is_cancelled) {
    Refuse(session, run.id, kRequestCancelled, "the run was cancelled");
    return;
  }
  Reply(session,
        run.id,
        {{"argv", run.words},
         {"status", result->status},
         {"output", std::move(result->output)}});
}

// Ends what takes its time; other requests are answered before this comes.
Json TakeCancel(Session& session, const Json& params) {
  const Json& id = params.at("id");
  if (session.runner.is_running() && id == session.run.id) {
    session.run.is_cancelled = true;
    session.runner.Interrupt();
  } else if (!session.equations_id.is_null() && id == session.equations_id) {
    session.equations.Stop();
    RefuseEquations(session, kRequestCancelled, "cancelled");
  }
  return nullptr;
}

}  // namespace orrery::lsp
