#include "orrery/sdk/documents/run_document.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/results/csv.h"
#include "orrery/sdk/documents/fmu_subject.h"
#include "orrery/sdk/documents/run_document_json.h"
#include "orrery/sdk/documents/subject.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/model/setting_text.h"
#include "orrery/solver/method.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using internal::Json;

constexpr int kDocumentVersion = 1;

// Returns the named columns of a table over time.
Table Among(const Table& table, std::span<const std::string> names) {
  std::vector<TableColumn> columns = {table.times()};
  for (const TableColumn& column : table.columns()) {
    if (&column != &table.times() &&
        std::ranges::find(names, column.name) != names.end()) {
      columns.push_back(column);
    }
  }
  if (columns.size() == 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take inputs from " + table.name() +
                    ": no column is called as an input; " +
                    Suggest("", {names.begin(), names.end()}));
  }
  return {table.name(), std::move(columns)};
}

std::shared_ptr<const SourceFile> PlanOf(const RunDocument& document) {
  return document.plan.empty() ? nullptr : document.files.Read(document.plan);
}

std::optional<Duration> DurationOf(const std::optional<Seconds>& time) {
  return time ? std::optional(ToDuration(time->value)) : std::nullopt;
}

constexpr auto kRunFields = [](auto& document, auto field) {
  field("class", document.class_name);
  field("program", document.is_program);
  field("until", document.until);
  field("input", document.input);
  field("input_columns", document.input_columns);
  field("kind", document.kind);
  field("communication", document.communication);
  field("variant", document.variant);
  field("plan", document.plan);
  field("without", document.without);
  field("priority", document.priority);
  field("seed", document.seed);
  field("max_microsteps", document.max_microsteps);
  field("replications", document.replications);
  auto& options = document.options;
  field("start", options.start);
  field("stop", options.stop);
  field("tolerance", options.tolerance);
  field("absolute_tolerance", options.absolute_tolerance);
  field("step", options.step);
  field("interval", options.interval);
  field("output_times", options.output_times);
  field("step_times", options.step_times);
  field("max_step", options.max_step);
  field("max_steps", options.max_steps);
  field("max_consecutive_events", options.max_consecutive_events);
  field("sliding", options.sliding);
  field("sensitivities", options.sensitivities);
  field("record", options.record);
  field("protected", options.record_protected);
};

Json RecordAsJson(const LiveRecord& record) {
  Json changes = Json::array();
  for (const LiveChange& change : record.changes) {
    Json settings = Json::object();
    for (const Setting& setting : change.settings) {
      settings[setting.name] = setting.value;
    }
    changes.push_back({{"time", change.time}, {"set", settings}});
  }
  Json json = {{"period", record.period}, {"changes", changes}};
  if (record.end) {
    json["end"] = *record.end;
  }
  return json;
}

LiveRecord RecordOf(const Json& json) {
  LiveRecord record{
      .period = json.at("period").get<double>(), .changes = {}, .end = {}};
  for (const Json& its : json.at("changes")) {
    LiveChange change{.time = its.at("time").get<double>(), .settings = {}};
    for (const auto& [name, value] : its.at("set").items()) {
      change.settings.push_back({.name = name, .value = value.get<double>()});
    }
    record.changes.push_back(std::move(change));
  }
  if (const auto end = json.find("end"); end != json.end()) {
    record.end = end->get<double>();
  }
  return record;
}

}  // namespace

bool IsPlugin(const std::string& file) {
  return file.ends_with(".so");
}

std::vector<Setting> SettingsIn(const RunDocument& document) {
  return document.made ? SettingsOf(document.settings, *document.made)
                       : SettingsOf(document.settings,
                                    document.file,
                                    document.class_name,
                                    document.files);
}

Model LoadModel(const RunDocument& document,
                std::span<const Setting> settings,
                std::span<const std::string> varied) {
  return document.made ? *document.made
                       : LoadFile(document.file,
                                  document.class_name,
                                  settings,
                                  document.files,
                                  varied,
                                  StringsIn(document.settings,
                                            document.file,
                                            document.class_name,
                                            document.files));
}

bool IsCode(const RunDocument& document) {
  return document.is_program || IsPlugin(document.file);
}

std::shared_ptr<const Table> InputsOf(const RunDocument& document) {
  if (document.input.empty()) {
    return nullptr;
  }
  Table table = ParseTableOverTime(document.files.Read(document.input));
  if (table.columns().size() < 2) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take inputs from " + document.input +
                    ": it has the column '" + table.columns().front().name +
                    "' alone, which is taken for the time; give the time in a "
                    "column 'time' and each input in one more");
  }
  return std::make_shared<const Table>(
      document.input_columns.empty() ? std::move(table)
                                     : Among(table, document.input_columns));
}

SimulationOptions SimulationOptionsOf(const RunDocument& document) {
  SimulationOptions options = document.options;
  const std::vector<Setting> settings = SettingsIn(document);
  options.settings.insert(
      options.settings.end(), settings.begin(), settings.end());
  options.inputs = InputsOf(document);
  return options;
}

DevsRunOptions DevsOptionsOf(const RunDocument& document) {
  DevsRunOptions options;
  options.settings = document.settings;
  options.stop = DurationOf(document.options.stop);
  options.engine.seed = document.seed;
  options.until = document.until;
  options.engine.formalism = document.formalism;
  options.priority = document.priority;
  options.engine.max_microsteps =
      document.max_microsteps.value_or(options.engine.max_microsteps);
  options.inputs = InputsOf(document);
  return options;
}

ProcessRunOptions ProcessOptionsOf(const RunDocument& document) {
  ProcessRunOptions options;
  options.settings = document.settings;
  options.start = DurationOf(document.options.start);
  options.stop = DurationOf(document.options.stop);
  options.until = document.until;
  options.without = document.without;
  options.engine.seed = document.seed;
  options.engine.max_microsteps =
      document.max_microsteps.value_or(options.engine.max_microsteps);
  options.plan = PlanOf(document);
  return options;
}

JointRunOptions JointOptionsOf(const RunDocument& document) {
  JointRunOptions options;
  options.settings = document.settings;
  options.plan = PlanOf(document);
  options.without = document.without;
  TimelineOptions& timeline = options.timeline;
  timeline.stop = document.options.stop;
  timeline.seed = document.seed;
  if (document.max_microsteps) {
    timeline.max_microsteps = static_cast<int>(std::min<std::int64_t>(
        *document.max_microsteps, std::numeric_limits<int>::max()));
  }
  timeline.equations = document.options;
  timeline.equations.inputs = InputsOf(document);
  return options;
}

std::shared_ptr<const Subject> MakeSubject(const ClassModel& model,
                                           const RunDocument& document) {
  if (const auto* const devs = std::get_if<DevsModel>(&model)) {
    return MakeSubject(*devs, DevsOptionsOf(document));
  }
  if (const auto* const joint = std::get_if<JointModel>(&model)) {
    return MakeSubject(*joint, JointOptionsOf(document));
  }
  return MakeSubject(std::get<ProcessModel>(model), ProcessOptionsOf(document));
}

void CheckNotSet(const RunDocument& document,
                 std::span<const std::string> varied) {
  for (const ParameterText& text : document.settings) {
    if (std::ranges::find(varied, text.name) != varied.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + text.name + "' to " + text.value +
                      ": it is what varies; leave out one of them");
    }
  }
  if (const auto inputs = InputsOf(document)) {
    for (const std::string& name : varied) {
      if (inputs->Find(name) != nullptr) {
        throw Error(ErrorCode::kInvalidArgument,
                    "cannot vary '" + name + "': the table of inputs, " +
                        inputs->name() +
                        ", gives it as well; leave out one of them");
      }
    }
  }
}

std::shared_ptr<const Subject> LoadSubject(
    const RunDocument& document, std::span<const std::string> varied) {
  if (IsPlugin(document.file)) {
    const auto given = document.files.Find(document.file);
    return MakeSubject(
        given == nullptr ? LoadPlugin(document.file) : LoadPlugin(*given),
        document);
  }
  if (document.is_program) {
    throw Error(ErrorCode::kUnsupported,
                "cannot load " + document.file +
                    " as a model: it is a program; start it, or load the "
                    "plug-in that is made of the same source");
  }
  if (document.file.ends_with(".fmu") && !RunsAsEquations(document)) {
    return MakeFmuSubject(document);
  }
  const SimulationOptions options = SimulationOptionsOf(document);
  return MakeSubject(
      LoadModel(document, options.settings, varied), options, document.until);
}

internal::Json internal::AsJson(const RunDocument& document) {
  Json json = {{"orrery", kDocumentVersion}, {"file", document.file}};
  Json settings = Json::object();
  for (const ParameterText& text : document.settings) {
    settings[text.name] = text.value;
  }
  if (!settings.empty()) {
    json["set"] = settings;
  }
  AddFields(document, kRunFields, json);
  if (document.options.method != Method::kAuto) {
    json["solver"] = NameOf(document.options.method).name;
  }
  if (document.formalism == devs::Formalism::kClassic) {
    json["formalism"] = "classic";
  }
  if (document.live) {
    json["live"] = RecordAsJson(*document.live);
  }
  return json;
}

RunDocument internal::RunDocumentOf(const Json& json) {
  if (json.at("orrery").get<int>() > kDocumentVersion) {
    throw Error(ErrorCode::kUnsupported,
                "cannot read the document of an experiment: it is of a newer "
                "Orrery; use that");
  }
  RunDocument document{.file = json.at("file").get<std::string>()};
  if (const auto settings = json.find("set"); settings != json.end()) {
    for (const auto& [name, value] : settings->items()) {
      document.settings.push_back(
          {.name = name, .value = value.get<std::string>()});
    }
  }
  TakeFields(json, kRunFields, document);
  if (const auto solver = json.find("solver"); solver != json.end()) {
    document.options.method = MethodFromName(solver->get<std::string>());
  }
  if (json.value("formalism", "") == "classic") {
    document.formalism = devs::Formalism::kClassic;
  }
  if (const auto live = json.find("live"); live != json.end()) {
    document.live = RecordOf(*live);
  }
  return document;
}

std::string ToJson(const RunDocument& document) {
  return internal::TextOf(internal::AsJson(document));
}

RunDocument RunDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, internal::RunDocumentOf);
}

}  // namespace orrery
