#include "orrery/lsp/features/descriptions.h"

#include <cstddef>
#include <utility>

#include "orrery/lsp/session/places.h"
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

Json AnswerDescribe(Session& session, const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(session, params, name);
  const modelica::Description found = modelica::Describe(
      *session.workspace, *document, name, params.value("component", ""));
  Json json = {{"name", found.name},
               {"type", found.type},
               {"kind", found.kind},
               {"text", found.description},
               {"uri", nullptr},
               {"span", nullptr}};
  if (found.declared.file != nullptr) {
    const Positions positions =
        PositionsIn(session, found.declared.file->text());
    json["uri"] = UriOfFile(session, *found.declared.file);
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

Json AnswerQuantities(Session& session, const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(session, params, name);
  Json items = Json::array();
  for (const modelica::Quantity& found : modelica::ListQuantities(
           *session.workspace, *document, name, kMostQuantities)) {
    items.push_back({{"name", found.name},
                     {"unit", found.unit},
                     {"text", found.description},
                     {"kind", modelica::Describe(found.kind)}});
  }
  return {{"items", std::move(items)}};
}

Json AnswerFitting(Session& session, const Json& params) {
  const auto constraint = params.at("constraint").get<std::string>();
  const auto document = DocumentWith(session, params, constraint);
  FinishIndex(session);
  Json items = Json::array();
  for (const modelica::ClassEntry* const entry :
       modelica::FittingClasses(*session.workspace,
                                *session.index,
                                *document,
                                session.roots,
                                constraint)) {
    items.push_back({{"name", entry->name}, {"text", entry->description}});
  }
  return {{"items", std::move(items)}};
}

}  // namespace orrery::lsp
