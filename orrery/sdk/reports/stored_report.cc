#include "orrery/sdk/reports/stored_report.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/base/source_file.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/runs/record_files.h"
#include "orrery/sdk/runs/trace_index.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::ParsePrinted;
using internal::Print;
using internal::PrintOnALine;

namespace {

Json InfoAsJson(const ExperimentInfo& info, const TimeWriter& write_time) {
  return {{"id", info.id},
          {"created", write_time(info.created_ns)},
          {"type", info.type},
          {"model", info.model},
          {"status", Describe(info.status)},
          {"message", info.message},
          {"runs",
           {{"asked", info.runs.asked},
            {"completed", info.runs.finished},
            {"failed", info.runs.failed}}},
          {"tags", info.tags}};
}

// Null if there is none.
Json FinalOf(const std::string& report) {
  return report.empty() ? Json() : ParsePrinted(report).value("final", Json());
}

void AddMembers(const Json& json,
                const std::string& prefix,
                std::vector<DocumentMember>& members) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object()) {
      AddMembers(value, name + " ", members);
    } else if (value.is_array()) {
      for (const Json& element : value) {
        AddMembers({{name, element}}, prefix, members);
      }
    } else if (name != "orrery") {
      members.push_back({.name = prefix + name,
                         .value = value.is_string() ? value.get<std::string>()
                                                    : PrintOnALine(value)});
    }
  }
}

}  // namespace

std::string JsonReport(const std::vector<ExperimentInfo>& experiments,
                       const TimeWriter& write_time) {
  Json array = Json::array();
  for (const ExperimentInfo& info : experiments) {
    array.push_back(InfoAsJson(info, write_time));
  }
  return Print({{"experiments", std::move(array)}});
}

std::string JsonReport(const ExperimentRecord& record,
                       const std::string& results,
                       const TimeWriter& write_time) {
  Json json = InfoAsJson(record.info, write_time);
  json["notes"] = record.notes;
  json["document"] = ParsePrinted(record.document);
  json["results"] = ParsePrinted(results);
  return Print(json);
}

std::string DiagnosticsReport(const std::vector<Diagnostic>& diagnostics) {
  return PrintOnALine(Json{{"diagnostics", DiagnosticsAsJson(diagnostics)}});
}

std::vector<Diagnostic> StoredWarnings(const std::string& report) {
  std::vector<Diagnostic> warnings;
  const Json json = report.empty() ? Json::object() : ParsePrinted(report);
  for (const Json& told : json.value("diagnostics", Json::array())) {
    if (told.at("severity") == NameOf(Severity::kWarning)) {
      warnings.push_back({.severity = Severity::kWarning,
                          .message = told.at("message"),
                          .hint = told.at("hint"),
                          .path = told.at("path"),
                          .file = told.at("file"),
                          .line = told.at("line"),
                          .column = told.at("column")});
    }
  }
  return warnings;
}

std::vector<StoredResult> FinalBeside(const Trajectory& run,
                                      const std::string& report) {
  std::vector<StoredResult> others;
  const Json final = FinalOf(report);
  for (const auto& [name, value] : final.items()) {
    if (!run.Contains(name)) {
      others.push_back({.name = name,
                        .number = value.is_number()
                                      ? std::optional(value.get<double>())
                                      : std::nullopt,
                        .json = PrintOnALine(value)});
    }
  }
  return others;
}

bool IsRecordOfRun(const std::string& attachment) {
  return attachment == kTraceAttachment ||
         attachment == kTraceIndexAttachment || attachment == kSpansAttachment;
}

FileSet StoredFiles(ExperimentStore& store, const ExperimentRecord& record) {
  FileSet files(FileSet::Others::kOnDiskByName);
  for (const AttachmentInfo& file : record.attachments) {
    if (!IsRecordOfRun(file.name)) {
      files.Add(std::make_shared<const SourceFile>(
          file.name, store.ReadAttachment(record.info.id, file.name)));
    }
  }
  return files;
}

bool HaveSameFinal(const std::string& a, const std::string& b) {
  return FinalOf(a) == FinalOf(b);
}

std::vector<DocumentMember> MembersOf(const std::string& document) {
  std::vector<DocumentMember> members;
  AddMembers(ParsePrinted(document), "", members);
  return members;
}

}  // namespace orrery
