#include "orrery/lsp/features/equations.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/request_error.h"

namespace orrery::lsp {
namespace {

Json EquationsAsJson(Session& session, const Json& equations) {
  // A text with equations: it is looked at once for all of them.
  struct Text {
    std::shared_ptr<const SourceFile> file;
    Positions positions;
    std::string uri;
  };

  std::map<std::string, Text> texts;  // By path.
  Json list = Json::array();
  for (const Json& equation : equations) {
    Json json = {{"latex", equation.at("latex")},
                 {"text", equation.at("text")},
                 {"block", equation.at("block")},
                 {"path", equation.at("path")},
                 {"span", nullptr}};
    const auto name = equation.at("file").get<std::string>();
    if (name.starts_with('/')) {
      auto found = texts.find(name);
      if (found == texts.end()) {
        const auto file = session.workspace->files().Read(name);
        found =
            texts
                .emplace(name,
                         Text{.file = file,
                              .positions = PositionsIn(session, file->text()),
                              .uri = UriOfFile(session, *file)})
                .first;
      }
      const Text& its = found->second;
      json["uri"] = its.uri;
      json["span"] = {
          its.positions.UnitsBefore(equation.at("begin").get<std::uint32_t>()),
          its.positions.UnitsBefore(equation.at("end").get<std::uint32_t>())};
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

// Equations need the whole model: they are found in another process.
void StartEquations(Session& session, const Json& id, const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(session, params, name);
  RefuseEquations(session, kContentModified, "equations were asked for again");
  session.equations_id = id;
  session.equations.Start({.task = CheckRequest::Task::kEquations,
                           .path = document->path(),
                           .class_name = name,
                           .version = 0,
                           .files = session.workspace->files()});
}

void RefuseEquations(Session& session, int code, const std::string& why) {
  if (!session.equations_id.is_null()) {
    Refuse(session, std::exchange(session.equations_id, nullptr), code, why);
  }
}

void ReadEquations(Session& session) {
  const auto result = session.equations.Read();
  if (!result || session.equations_id.is_null()) {
    return;
  }
  if (!result->findings.contains("equations")) {
    RefuseEquations(
        session, kRequestFailed, result->findings.value("error", ""));
    return;
  }
  Json list;
  try {
    list = EquationsAsJson(session, result->findings["equations"]);
  } catch (const std::exception& error) {
    RefuseEquations(session, kRequestFailed, error.what());
    return;
  }
  Reply(session,
        std::exchange(session.equations_id, nullptr),
        {{"equations", std::move(list)}});
}

}  // namespace orrery::lsp
