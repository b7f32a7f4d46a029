#include "orrery/sdk/reports/model_report.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/reports/report_parts.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::ParametersAsJson;
using internal::Print;

namespace {

Json Correct(const std::string& model) {
  return {{"status", "correct"}, {"model", model}};
}

Json LoopAsJson(const LoopListing& loop) {
  return {{"linear", loop.block->is_linear},
          {"quantities", loop.members.size()},
          {"unknowns", loop.block->unknown_slots.size()},
          {"members", loop.members},
          {"solved_for", loop.solved_for},
          {"equations", loop.equations}};
}

// The closure of more unknowns is left out, since it grows with their square.
constexpr std::size_t kMaxInClosure = 2000;

Json DependenciesAsJson(const Dependencies& dependencies) {
  Json unknowns = Json::array();
  for (const Dependencies::Unknown& unknown : dependencies.unknowns) {
    unknowns.push_back({{"names", unknown.names},
                        {"equation", unknown.equation},
                        {"needs", unknown.needs}});
  }
  Json json = {{"unknowns", std::move(unknowns)},
               {"loops", dependencies.loops},
               {"closure", nullptr}};
  if (dependencies.unknowns.size() <= kMaxInClosure) {
    json["closure"] = ClosureOf(dependencies);
  }
  return json;
}

Json ParametersOf(const Program& program) {
  Json names = Json::array();
  for (const ProgramVariable& variable : program.variables) {
    if (variable.kind == VariableKind::kParameter) {
      names.push_back(variable.name);
    }
  }
  return names;
}

Json PortsAsJson(const devs::Coupled& root) {
  Json ports = Json::array();
  for (const DevsPort& port : PortsOf(root)) {
    ports.push_back({{"name", port.name},
                     {"direction", port.is_input ? "input" : "output"},
                     {"takes_numbers", port.takes_numbers}});
  }
  return ports;
}

Json PathsOfAtomicModels(const devs::Coupled& root) {
  Json paths = Json::array();
  devs::ForEachCoupled(root, [&](const auto& coupled) {
    for (const auto& part : coupled.parts()) {
      if (part->ops() != nullptr) {
        paths.push_back(part->Path());
      }
    }
  });
  return paths;
}

void AddParts(const ProcessModelParts& parts, Json& json) {
  json["cells"] = parts.cells;
  Json& resources = json["resources"] = Json::array();
  for (const ProcessModelParts::Resource& resource : parts.resources) {
    resources.push_back({{"path", resource.path}, {"unit", resource.unit}});
  }
  Json& activities = json["activities"] = Json::array();
  for (const ProcessModelParts::Activity& activity : parts.activities) {
    activities.push_back({{"path", activity.path},
                          {"meaning", activity.meaning},
                          {"arguments", ParametersAsJson(activity.arguments)}});
  }
}

// In seconds; null if the model does not say when it ends.
Json StopAsJson(const std::optional<Duration>& stop) {
  return stop ? Json(Seconds(*stop).value) : Json(nullptr);
}

}  // namespace

std::string ModelReport(const Program& program,
                        const Dependencies* dependencies,
                        const std::vector<Diagnostic>& warnings) {
  Json json = Correct(program.name);
  json["equations"] = program.num_equations;
  json["states"] = StateNames(program);
  json["inputs"] = program.input_names;
  json["parameters"] = ParametersOf(program);
  Json& loops = json["loops"] = Json::array();
  for (const LoopListing& loop : ListLoops(program)) {
    loops.push_back(LoopAsJson(loop));
  }
  if (dependencies != nullptr) {
    json["dependencies"] = DependenciesAsJson(*dependencies);
  }
  std::vector<Diagnostic> all = program.warnings;
  all.insert(all.end(), warnings.begin(), warnings.end());
  json["diagnostics"] = DiagnosticsAsJson(all);
  return Print(json);
}

std::string ModelReport(const std::string& model, const DevsRun& run) {
  Json json = Correct(model);
  json["atomic_models"] = PathsOfAtomicModels(run.root());
  json["couplings"] = run.size().couplings;
  json["ports"] = PortsAsJson(run.root());
  json["stop"] = StopAsJson(run.stop());
  json["parameters"] = ParametersAsJson(run.parameters().declared());
  json["diagnostics"] = Json::array();
  return Print(json);
}

std::string ModelReport(const std::string& model, const ProcessRun& run) {
  Json json = Correct(model);
  AddParts(PartsOf(run.root()), json);
  json["stop"] = StopAsJson(run.stop());
  json["parameters"] = ParametersAsJson(run.parameters().declared());
  json["planned"] = run.num_planned();
  json["diagnostics"] =
      DiagnosticsAsJson({run.warnings().begin(), run.warnings().end()});
  return Print(json);
}

std::string ModelReport(const std::string& model, const JointRun& run) {
  const JointModelSize& size = run.size();
  Json json = Correct(model);
  json["equations"] =
      size.equations.empty() ? Json(nullptr) : Json(size.equations);
  json["states"] = size.states;
  json["inputs"] = size.inputs;
  json["atomic_models"] = PathsOfAtomicModels(run.root().devs_models());
  AddParts(PartsOf(run.root().task_models()), json);
  json["stop"] = run.stop() ? Json(run.stop()->value) : Json(nullptr);
  json["parameters"] = ParametersAsJson(run.parameters().declared());
  json["planned"] = run.num_planned();
  std::vector<Diagnostic> warnings;
  if (const Program* const program = run.root().equations()) {
    warnings = program->warnings;
  }
  warnings.insert(warnings.end(), run.warnings().begin(), run.warnings().end());
  json["diagnostics"] = DiagnosticsAsJson(warnings);
  return Print(json);
}

}  // namespace orrery
