#include <cstddef>
#include <utility>

#include "orrery/lsp/language_server.h"
#include "orrery/modelica/dialog/dialog.h"
#include "orrery/modelica/dialog/fitting_classes.h"
#include "orrery/modelica/dialog/quantities.h"

namespace orrery::lsp {
namespace {

constexpr std::size_t kMostQuantities = 5000;

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json TextOrNull(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

Json FieldAsJson(const modelica::ParameterField& field) {
  Json units = Json::array();
  for (const modelica::UnitChoice& unit : field.units) {
    units.push_back({{"name", unit.name},
                     {"factor", unit.factor},
                     {"offset", unit.offset}});
  }
  Json json = {{"name", field.name},
               {"type", field.type},
               {"text", field.description},
               {"unit", field.unit},
               {"displayUnit", field.display_unit},
               {"units", std::move(units)}};
  json["value"] = TextOrNull(field.value);
  json["default"] = TextOrNull(field.default_text);
  json["from"] = TextOrNull(field.from);
  json["group"] = field.group;
  json["tab"] = field.tab;
  json["enable"] = field.is_enabled;
  if (!field.of.empty()) {
    json["of"] = field.of;
  }
  if (!field.constraint.empty()) {
    json["constraint"] = field.constraint;
  }
  for (const modelica::ParameterField::Choice& choice : field.choices) {
    json["choices"].push_back({{"text", choice.text}, {"value", choice.value}});
  }
  return json;
}

}  // namespace

Json LanguageServer::Describe(const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(params, name);
  const modelica::Description found = modelica::Describe(
      *workspace_, *document, name, params.value("component", ""));
  Json json = {{"name", found.name},
               {"type", found.type},
               {"kind", found.kind},
               {"text", found.description},
               {"uri", nullptr},
               {"span", nullptr}};
  if (found.declared.file != nullptr) {
    const Positions positions = PositionsIn(found.declared.file->text());
    json["uri"] = UriOfFile(*found.declared.file);
    json["span"] = {positions.UnitsBefore(found.declared.begin),
                    positions.UnitsBefore(found.declared.end)};
  }
  json["condition"] = TextOrNull(found.condition);
  json["parameters"] = Json::array();
  for (const modelica::ParameterField& field : found.parameters) {
    json["parameters"].push_back(FieldAsJson(field));
  }
  json["documentation"] = found.documentation;
  json["experiment"] = Json::object();
  if (!found.stop_time.empty()) {
    json["experiment"]["stop"] = found.stop_time;
  }
  if (!found.tolerance.empty()) {
    json["experiment"]["tolerance"] = found.tolerance;
  }
  return json;
}

Json LanguageServer::QuantitiesOf(const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(params, name);
  Json items = Json::array();
  for (const modelica::Quantity& found : modelica::ListQuantities(
           *workspace_, *document, name, kMostQuantities)) {
    items.push_back({{"name", found.name},
                     {"unit", found.unit},
                     {"text", found.description},
                     {"kind", modelica::Describe(found.kind)}});
  }
  return {{"items", std::move(items)}};
}

Json LanguageServer::FittingClasses(const Json& params) {
  const auto constraint = params.at("constraint").get<std::string>();
  const auto document = DocumentWith(params, constraint);
  FinishIndex();
  Json items = Json::array();
  for (const modelica::ClassEntry* const entry : modelica::FittingClasses(
           *workspace_, *index_, *document, roots_, constraint)) {
    items.push_back({{"name", entry->name}, {"text", entry->description}});
  }
  return {{"items", std::move(items)}};
}

// Equations need the whole model: they are found in another process.
void LanguageServer::StartEquations(const Json& id, const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(params, name);
  RefuseEquations(kContentModified, "equations were asked for again");
  equations_id_ = id;
  equations_.Start({.task = CheckRequest::Task::kEquations,
                    .path = document->path(),
                    .class_name = name,
                    .version = 0,
                    .files = workspace_->files()});
}

Json LanguageServer::EquationsAsJson(const Json& equations) {
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
        const auto file = workspace_->files().Read(name);
        found = texts
                    .emplace(name,
                             Text{.file = file,
                                  .positions = PositionsIn(file->text()),
                                  .uri = UriOfFile(*file)})
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

void LanguageServer::ReadEquations() {
  const auto result = equations_.Read();
  if (!result || equations_id_.is_null()) {
    return;
  }
  if (!result->findings.contains("equations")) {
    RefuseEquations(kRequestFailed, result->findings.value("error", ""));
    return;
  }
  Json list;
  try {
    list = EquationsAsJson(result->findings["equations"]);
  } catch (const std::exception& error) {
    RefuseEquations(kRequestFailed, error.what());
    return;
  }
  Reply(std::exchange(equations_id_, nullptr),
        {{"equations", std::move(list)}});
}

}  // namespace orrery::lsp
