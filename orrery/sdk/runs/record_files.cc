#include "orrery/sdk/runs/record_files.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/values/record_text.h"
#include "orrery/process/record/recording.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/runs/fields_text.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

// Writes a table, with a line for each row.
class TableWriter {
 public:
  enum class Format : std::uint8_t { kCsv, kJson };

  TableWriter(Format format,
              std::string_view header,
              std::function<void(std::string_view)> write)
      : write_(std::move(write)), is_json_(format == Format::kJson) {
    write_(is_json_ ? "[" : std::string(header) + "\n");
  }

  void Begin() {
    line_ = is_json_ ? (is_first_row_ ? "\n{" : ",\n{") : "";
    is_first_row_ = false;
    is_first_ = true;
  }

  void Add(std::string_view name, const Record::Value& value) {
    Name(name);
    is_json_ ? AppendJsonValue(line_, value) : AppendCsvValue(line_, value);
  }

  // Adds an object in JSON, otherwise a text.
  void Add(std::string_view name, std::span<const Record::Field> fields) {
    Name(name);
    if (!is_json_) {
      AppendCsv(line_, internal::FieldsText(fields));
      return;
    }
    std::string_view separator = "{";
    for (const auto& [key, value] : internal::DistinctFields(fields)) {
      line_ += separator;
      AppendJson(line_, key);
      line_ += ":";
      AppendJsonValue(line_, *value);
      separator = ",";
    }
    line_ += fields.empty() ? "{}" : "}";
  }

  void End() {
    line_ += is_json_ ? "}" : "\n";
    write_(line_);
  }

  // Ends the table.
  void Close() { write_(is_json_ ? "\n]\n" : ""); }

 private:
  void Name(std::string_view name) {
    line_ += is_first_ ? "" : ",";
    is_first_ = false;
    if (is_json_) {
      AppendJson(line_, name);
      line_ += ":";
    }
  }

  std::function<void(std::string_view)> write_;
  std::string line_;
  bool is_json_;
  bool is_first_row_ = true;
  bool is_first_ = true;
};

// A table in a file, in the format of its name.
class TableFile {
 public:
  // @throws Error as CheckRecordFile.
  TableFile(const std::string& path, std::string_view header)
      : file_(Checked(path)),
        table_(FormatEnding(path) == ".json" ? TableWriter::Format::kJson
                                             : TableWriter::Format::kCsv,
               header,
               [this](std::string_view text) { file_.Write(text); }) {}

  [[nodiscard]] TableWriter& table() noexcept { return table_; }

  void Commit() {
    table_.Close();
    file_.Commit();
  }

 private:
  static const std::string& Checked(const std::string& path) {
    CheckRecordFile(path);
    return path;
  }

  OutputFile file_;
  TableWriter table_;
};

std::int64_t Whole(std::size_t number) {
  return static_cast<std::int64_t>(number);
}

// Writes the rows of several event graphs, one after the other.
class EventFile {
 public:
  explicit EventFile(const std::string& path)
      : file_(path, "time,microstep,level,join,source,task,fields") {}

  void Add(const process::Commit& commit) {
    TableWriter& table = file_.table();
    for (const auto& row : commit.graph.Flat()) {
      table.Begin();
      table.Add("time", commit.time);
      table.Add("microstep", commit.microstep);
      table.Add("level", std::int64_t{row.level});
      table.Add("join", std::string(process::Symbol(row.join)));
      table.Add("source", row.atom.source);
      table.Add("task", row.atom.task);
      table.Add("fields", row.atom.fields);
      table.End();
    }
  }

  void Commit() { file_.Commit(); }

 private:
  TableFile file_;
};

constexpr std::string_view kSpanColumns =
    "span,parent,name,begin,end,state,attributes";

void AddSpans(TableWriter& table, std::span<const process::Span> spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const process::Span& span = spans[i];
    const bool is_open = span.state == process::SpanEnd::kOpen;
    table.Begin();
    table.Add("span", Whole(i));
    table.Add(
        "parent",
        span.parent ? Record::Value(Whole(*span.parent)) : Record::Value());
    table.Add("name", span.name);
    table.Add("begin", span.begin);
    table.Add("end", is_open ? Record::Value() : Record::Value(span.end));
    table.Add("state", std::string(Describe(span.state)));
    table.Add("attributes", span.attributes);
    table.End();
  }
}

}  // namespace

std::string_view Describe(process::SpanEnd end) noexcept {
  switch (end) {
    case process::SpanEnd::kOpen:
      return "open";
    case process::SpanEnd::kCompleted:
      return "completed";
    case process::SpanEnd::kFailed:
      return "failed";
    case process::SpanEnd::kCancelled:
      return "cancelled";
  }
  return "";
}

void CheckRecordFile(const std::string& path) {
  const std::string ending = FormatEnding(path);
  if (ending != ".csv" && ending != ".json") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot write " + path +
                    ": the ending of its name says no format; known endings: "
                    ".csv, .json");
  }
  OutputFile::Check(path);
}

void WriteSpans(const std::string& path, std::span<const process::Span> spans) {
  TableFile file(path, kSpanColumns);
  AddSpans(file.table(), spans);
  file.Commit();
}

std::string SpansAsJson(std::span<const process::Span> spans) {
  std::string text;
  TableWriter table(TableWriter::Format::kJson,
                    kSpanColumns,
                    [&text](std::string_view part) { text += part; });
  AddSpans(table, spans);
  table.Close();
  return text;
}

void WriteEvents(const std::string& path, const process::EventLog& events) {
  EventFile table(path);
  for (std::size_t i = 0; i < events.num_commits(); ++i) {
    table.Add(events.At(i));
  }
  table.Commit();
}

void WriteEvents(const std::string& path,
                 std::span<const process::Commit> commits) {
  EventFile table(path);
  for (const process::Commit& commit : commits) {
    table.Add(commit);
  }
  table.Commit();
}

}  // namespace orrery
