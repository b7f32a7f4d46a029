#include "orrery/experiment/cluster/job_messages.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

namespace orrery::experiment::internal {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little,
              "numbers of reports are sent as they stand in memory");

constexpr std::string_view kStreamPrefix = "orrery_";
constexpr const char* kSubjectPrefix = "orrery.job.";
constexpr const char* kTextPrefix = "orrery.text.";

constexpr std::int64_t kMaxRuns = 1'000'000'000;
constexpr std::size_t kMaxColumns = 1'000'000;
constexpr std::size_t kMaxParts = 1'000'000;

// Texts of models may be invalid UTF-8, which JSON does not allow.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Applies `read` to the JSON in `text`; returns nothing if it fails.
template <typename Read>
auto ReadJson(std::string_view text, Read read)
    -> std::optional<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

// A whole number, between bounds.
template <typename Integer>
Integer IntegerAt(const Json& json,
                  const char* name,
                  Integer max = std::numeric_limits<Integer>::max()) {
  const Json& value = json.at(name);
  const bool is_there =
      value.is_number_unsigned() &&
      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(max);
  if (!is_there) {
    throw Json::out_of_range::create(
        401, std::string(name) + " is out of range", &json);
  }
  return value.get<Integer>();
}

char LetterOf(RunStatus status) {
  switch (status) {
    case RunStatus::kMissing:
      return '-';
    case RunStatus::kCompleted:
      return 'c';
    case RunStatus::kFailed:
      return 'f';
  }
  return '-';
}

RunStatus StatusOf(char letter) {
  if (letter == 'c') {
    return RunStatus::kCompleted;
  }
  return letter == 'f' ? RunStatus::kFailed : RunStatus::kMissing;
}

Json ColumnsAsJson(const std::vector<RunColumn>& columns) {
  Json list = Json::array();
  for (const RunColumn& column : columns) {
    list.push_back({{"name", column.name},
                    {"unit", column.unit},
                    {"varied", column.role == RunColumn::Role::kVaried},
                    {"value_names", *column.value_names}});
  }
  return list;
}

std::vector<RunColumn> ColumnsOf(const Json& list) {
  std::vector<RunColumn> columns;
  for (const Json& json : list) {
    columns.push_back({.name = json.at("name").get<std::string>(),
                       .unit = json.at("unit").get<std::string>(),
                       .role = json.at("varied").get<bool>()
                                   ? RunColumn::Role::kVaried
                                   : RunColumn::Role::kKept});
    auto names = json.at("value_names").get<std::vector<std::string>>();
    if (!names.empty()) {
      columns.back().value_names.Edit() = std::move(names);
    }
  }
  return columns;
}

JobDefinition DefinitionOf(const Json& json, std::string_view version) {
  JobDefinition definition;
  ClusterJob& job = definition.job;
  job.version = json.at("orrery").get<std::string>();
  if (job.version != version) {
    return definition;
  }
  job.type = json.at("type").get<std::string>();
  job.document = json.at("document").get<std::string>();
  job.runs = IntegerAt(json, "runs", kMaxRuns);
  job.columns = ColumnsOf(json.at("columns"));
  for (const Json& file : json.at("files")) {
    definition.files.push_back(
        {.name = file.at("name").get<std::string>(),
         .hash = IntegerAt<std::uint64_t>(file, "hash"),
         .parts = IntegerAt<std::size_t>(file, "parts")});
  }
  definition.patience = Duration(IntegerAt<std::int64_t>(json, "patience_ns"));
  return definition;
}

Json AsJson(const RunRequest& request) {
  Json json = {{"subject", request.subject},
               {"names", request.names},
               {"values", request.values},
               {"seed", request.seed},
               {"last_row_only", request.wanted.last_row_only},
               {"between_rows", request.wanted.between_rows},
               {"sensitivities", request.wanted.sensitivities}};
  if (request.wanted.signals) {
    json["signals"] = *request.wanted.signals;
  }
  return json;
}

RunRequest RequestOf(const Json& json) {
  RunRequest request{
      .subject = IntegerAt<std::size_t>(json, "subject"),
      .names = json.at("names").get<std::vector<std::string>>(),
      .wanted = {.last_row_only = json.at("last_row_only").get<bool>(),
                 .between_rows = json.at("between_rows").get<bool>(),
                 .sensitivities = json.at("sensitivities").get<bool>()},
      .values = json.at("values").get<std::vector<double>>(),
      .seed = IntegerAt<std::uint64_t>(json, "seed")};
  if (json.contains("signals")) {
    json.at("signals").get_to(request.wanted.signals.emplace());
  }
  return request;
}

RunPart PartOf(const Json& json) {
  return {.run = IntegerAt(json, "run", kMaxRuns),
          .index = IntegerAt(json, "index", kMaxParts),
          .count = IntegerAt(json, "count", kMaxParts),
          .bytes = {}};
}

Json AsJson(const RunWarning& warning) {
  const Diagnostic& what = warning.what;
  return {{"run", warning.run},
          {"message", what.message},
          {"hint", what.hint},
          {"path", what.path},
          {"file", what.file},
          {"line", what.line},
          {"column", what.column},
          {"length", what.length},
          {"excerpt", what.excerpt},
          {"excerpt_begin", what.excerpt_begin}};
}

RunWarning WarningOf(const Json& json) {
  return {.run = IntegerAt(json, "run", kMaxRuns),
          .what = {.severity = Severity::kWarning,
                   .message = json.at("message").get<std::string>(),
                   .hint = json.at("hint").get<std::string>(),
                   .path = json.at("path").get<std::string>(),
                   .file = json.at("file").get<std::string>(),
                   .line = IntegerAt<int>(json, "line"),
                   .column = IntegerAt<int>(json, "column"),
                   .length = IntegerAt<int>(json, "length"),
                   .excerpt = json.at("excerpt").get<std::string>(),
                   .excerpt_begin = IntegerAt<int>(json, "excerpt_begin")}};
}

// Reads a report without the numbers, or the bytes of its part.
WorkerReport HeadOf(const Json& json) {
  WorkerReport report{
      .worker = json.at("worker").get<std::string>(),
      .busy = Duration(IntegerAt<std::int64_t>(json, "busy_ns")),
      .side_by_side = IntegerAt(json, "side_by_side", kMaxRuns),
      .batch = {.first = IntegerAt(json, "first", kMaxRuns)},
      .part = json.contains("part") ? std::optional(PartOf(json.at("part")))
                                    : std::nullopt,
      .refusal = json.value("refusal", ""),
      .error = json.value("error", "")};
  for (const char letter : json.at("status").get<std::string>()) {
    report.batch.status.push_back(StatusOf(letter));
  }
  for (const Json& failure : json.at("failures")) {
    report.batch.failures.push_back(
        {.run = IntegerAt(failure, "run", kMaxRuns),
         .message = failure.at("message").get<std::string>()});
  }
  for (const Json& warning : json.at("warnings")) {
    report.batch.warnings.push_back(WarningOf(warning));
  }
  report.batch.values.resize(IntegerAt(json, "columns", kMaxColumns));
  return report;
}

bool FitsTogether(const RunTask& task) {
  return !task.request ||
         (task.runs.count == 1 &&
          task.request->names.size() == task.request->values.size());
}

// True if failures belong to failed runs and warnings to runs that have ended.
bool FitsTogether(const RunBatch& batch) {
  const auto status_of = [&](std::int64_t run) {
    const std::int64_t index = run - batch.first;
    return index >= 0 && std::cmp_less(index, batch.status.size())
               ? batch.status[static_cast<std::size_t>(index)]
               : RunStatus::kMissing;
  };
  return std::ranges::all_of(batch.failures,
                             [&](const RunFailure& failure) {
                               return status_of(failure.run) ==
                                      RunStatus::kFailed;
                             }) &&
         std::ranges::all_of(batch.warnings, [&](const RunWarning& warning) {
           return status_of(warning.run) != RunStatus::kMissing;
         });
}

}  // namespace

JobNames::JobNames(std::string id) : id_(std::move(id)) {}

std::optional<JobNames> JobNames::OfStream(std::string_view stream) {
  if (!stream.starts_with(kStreamPrefix)) {
    return std::nullopt;
  }
  return JobNames(std::string(stream.substr(kStreamPrefix.size())));
}

std::string JobNames::AnyTask() {
  return JobNames("*").Task();
}

std::string JobNames::AnyEnd() {
  return JobNames("*").End();
}

std::string JobNames::Stream() const {
  return std::string(kStreamPrefix) + id_;
}

std::string JobNames::Definition() const {
  return kTextPrefix + id_ + ".definition";
}

std::string JobNames::AnyText() const {
  return kTextPrefix + id_ + ".>";
}

std::string JobNames::Part(std::size_t file, std::size_t part) const {
  return kTextPrefix + id_ + ".file." + std::to_string(file) + "." +
         std::to_string(part);
}

std::string JobNames::Task() const {
  return kSubjectPrefix + id_ + ".task";
}

std::string JobNames::Report() const {
  return kSubjectPrefix + id_ + ".report";
}

std::string JobNames::Submitter() const {
  return kSubjectPrefix + id_ + ".submitter";
}

std::string JobNames::End() const {
  return kSubjectPrefix + id_ + ".end";
}

std::string ToMessage(const JobDefinition& definition) {
  const ClusterJob& job = definition.job;
  Json files = Json::array();
  for (const FileDigest& file : definition.files) {
    files.push_back(
        {{"name", file.name}, {"hash", file.hash}, {"parts", file.parts}});
  }
  return Dump({{"orrery", job.version},
               {"type", job.type},
               {"document", job.document},
               {"runs", job.runs},
               {"columns", ColumnsAsJson(job.columns)},
               {"files", std::move(files)},
               {"patience_ns", definition.patience.count()}});
}

std::optional<JobDefinition> DefinitionFrom(std::string_view message,
                                            std::string_view version) {
  return ReadJson(
      message, [&](const Json& json) { return DefinitionOf(json, version); });
}

std::string ToMessage(const RunTask& task) {
  Json json = {{"first", task.runs.first},
               {"count", task.runs.count},
               {"deaths", task.deaths}};
  if (task.request) {
    json["request"] = AsJson(*task.request);
  }
  return Dump(json);
}

std::optional<RunTask> TaskFrom(std::string_view message) {
  const auto task = ReadJson(message, [](const Json& json) {
    return RunTask{.runs = {.first = IntegerAt(json, "first", kMaxRuns),
                            .count = IntegerAt(json, "count", kMaxRuns)},
                   .deaths = IntegerAt(json, "deaths", kMaxRuns),
                   .request = json.contains("request")
                                  ? std::optional(RequestOf(json.at("request")))
                                  : std::nullopt};
  });
  return task && task->runs.count > 0 && FitsTogether(*task) ? task
                                                             : std::nullopt;
}

std::string ToMessage(const WorkerReport& report) {
  const RunBatch& batch = report.batch;
  std::string status;
  for (const RunStatus its : batch.status) {
    status += LetterOf(its);
  }
  Json failures = Json::array();
  for (const RunFailure& failure : batch.failures) {
    failures.push_back({{"run", failure.run}, {"message", failure.message}});
  }
  Json warnings = Json::array();
  for (const RunWarning& warning : batch.warnings) {
    warnings.push_back(AsJson(warning));
  }
  Json head = {{"worker", report.worker},
               {"busy_ns", report.busy.count()},
               {"side_by_side", report.side_by_side},
               {"first", batch.first},
               {"status", std::move(status)},
               {"failures", std::move(failures)},
               {"warnings", std::move(warnings)},
               {"columns", batch.values.size()}};
  if (!report.refusal.empty()) {
    head["refusal"] = report.refusal;
  }
  if (!report.error.empty()) {
    head["error"] = report.error;
  }
  if (report.part) {
    head["part"] = {{"run", report.part->run},
                    {"index", report.part->index},
                    {"count", report.part->count}};
    return Dump(head) + "\n" + report.part->bytes;
  }
  std::string message = Dump(head) + "\n";
  for (const std::vector<double>& column : batch.values) {
    const auto bytes = std::as_bytes(std::span(column));
    message.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return message;
}

std::optional<WorkerReport> ReportFrom(std::string_view message) {
  const std::size_t end = std::min(message.find('\n'), message.size());
  std::optional<WorkerReport> report = ReadJson(message.substr(0, end), HeadOf);
  if (!report || !FitsTogether(report->batch)) {
    return std::nullopt;
  }
  RunBatch& batch = report->batch;
  const std::string_view numbers =
      message.substr(std::min(end + 1, message.size()));
  const std::size_t rows = batch.status.size();
  if (report->part) {
    report->part->bytes = numbers;
    const bool is_alone = rows == 0 && batch.values.empty();
    return is_alone && report->part->index < report->part->count ? report
                                                                 : std::nullopt;
  }
  if (numbers.size() != batch.values.size() * rows * sizeof(double)) {
    return std::nullopt;
  }
  const char* next = numbers.data();
  for (std::vector<double>& column : batch.values) {
    column.resize(rows);
    const auto bytes = std::as_writable_bytes(std::span(column));
    std::copy_n(next, bytes.size(), reinterpret_cast<char*>(bytes.data()));
    next += bytes.size();
  }
  return report;
}

}  // namespace orrery::experiment::internal
