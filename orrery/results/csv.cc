#include "orrery/results/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/units.h"

namespace orrery {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kBlank = " \t\v\f\r";

std::string_view Trimmed(std::string_view text) {
  return Trim(text, kBlank);
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
  });
}

bool IsMissing(std::string_view cell) {
  return cell.empty() || EqualsIgnoringCase(cell, "na") ||
         EqualsIgnoringCase(cell, "n/a") || EqualsIgnoringCase(cell, "nan") ||
         EqualsIgnoringCase(cell, "null");
}

// Reports an error, unless there are too many already: each copies its line,
// and noise without line ends would cost its size squared.
void Report(Diagnostics& diagnostics,
            const SourceSpan& span,
            std::string message,
            std::string hint = {}) {
  if (diagnostics.error_count() < Diagnostics::kMaxErrors) {
    diagnostics.Error(span, std::move(message), std::move(hint));
  }
}

// A part of the text, and its content.
struct Cell {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text;
};

// Splits a text into records. The content of a cell refers to the text or,
// where quotes were removed, to memory that lives until the next record.
class RecordReader {
 public:
  RecordReader(std::shared_ptr<const SourceFile> source,
               Diagnostics& diagnostics)
      : source_(std::move(source)),
        text_(source_->text()),
        diagnostics_(diagnostics) {
    if (text_.starts_with("\xEF\xBB\xBF")) {
      position_ = 3;
    }
    separator_ = DetectSeparator();
  }

  [[nodiscard]] char separator() const noexcept { return separator_; }

  // Reads the next record; returns false at the end.
  bool Read(std::vector<Cell>& cells) {
    SkipBlankAndComments();
    cells.clear();
    unquoted_.clear();
    if (position_ >= text_.size()) {
      return false;
    }
    while (true) {
      cells.push_back(ReadCell());
      if (position_ >= text_.size() || text_[position_++] == '\n') {
        return true;
      }
    }
  }

  [[nodiscard]] SourceSpan SpanOf(const Cell& cell) const {
    return {source_,
            static_cast<std::uint32_t>(cell.begin),
            static_cast<std::uint32_t>(cell.end)};
  }

 private:
  [[nodiscard]] std::size_t LineEnd() const {
    return std::min(text_.find('\n', position_), text_.size());
  }

  void SkipBlankAndComments() {
    while (position_ < text_.size()) {
      const std::size_t end = LineEnd();
      const std::string_view line =
          Trimmed(text_.substr(position_, end - position_));
      if (!line.empty() && line.front() != '#') {
        return;
      }
      position_ = std::min(end + 1, text_.size());
    }
  }

  // Detects the separator in the first line: a tab or a semicolon if it has
  // one, as a comma may then be a decimal comma.
  char DetectSeparator() {
    SkipBlankAndComments();
    bool quoted = false;
    bool semicolon = false;
    for (std::size_t i = position_; i < LineEnd(); ++i) {
      quoted = quoted != (text_[i] == '"');
      if (!quoted && text_[i] == '\t') {
        return '\t';
      }
      semicolon = semicolon || (!quoted && text_[i] == ';');
    }
    return semicolon ? ';' : ',';
  }

  // Reads up to the separator or the end of the line, and stops before it.
  Cell ReadCell() {
    const std::size_t start = text_.find_first_not_of(' ', position_);
    if (start != std::string_view::npos && text_[start] == '"') {
      return ReadQuotedCell(start);
    }
    const char stops[] = {separator_, '\n'};
    const std::size_t begin = position_;
    position_ = std::min(text_.find_first_of({stops, 2}, begin), text_.size());
    return Narrowed({begin, position_});
  }

  // The cell without surrounding blanks.
  [[nodiscard]] Cell Narrowed(Cell cell) const {
    const std::string_view all =
        text_.substr(cell.begin, cell.end - cell.begin);
    cell.text = Trimmed(all);
    if (!cell.text.empty()) {
      cell.begin += static_cast<std::size_t>(cell.text.data() - all.data());
    }
    cell.end = cell.begin + cell.text.size();
    return cell;
  }

  Cell ReadQuotedCell(std::size_t start) {
    std::string& value = unquoted_.emplace_back();
    std::size_t i = start + 1;
    while (true) {
      const std::size_t quote = text_.find('"', i);
      if (quote == std::string_view::npos) {
        Report(diagnostics_,
               SpanOf({start, start + 1}),
               "the quote is never closed",
               "close it with '\"'");
        position_ = text_.size();
        return {start, start + 1, {}};
      }
      value.append(text_, i, quote - i);
      i = quote + 1;
      if (i >= text_.size() || text_[i] != '"') {
        break;
      }
      value += '"';
      ++i;
    }
    position_ = i;
    const char stops[] = {separator_, '\n'};
    position_ = std::min(text_.find_first_of({stops, 2}, i), text_.size());
    const Cell rest = Narrowed({i, position_});
    if (!rest.text.empty()) {
      Report(diagnostics_,
             SpanOf(rest),
             "there is text after the closing quote",
             "write a quote inside a quoted cell as '\"\"'");
    }
    return {start, i, Trimmed(value)};
  }

  std::shared_ptr<const SourceFile> source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  // Elements do not move when more are added.
  std::deque<std::string> unquoted_;
  std::size_t position_ = 0;
  char separator_ = ',';
};

// The number in `cell`; nothing if there is none. Sets `out_of_range` if it is
// a number beyond the range of double.
std::optional<double> ToNumber(std::string_view cell, bool* out_of_range) {
  if (IsMissing(cell)) {
    return kMissing;
  }
  if (EqualsIgnoringCase(cell, "true")) {
    return 1.0;
  }
  if (EqualsIgnoringCase(cell, "false")) {
    return 0.0;
  }
  if (cell.front() == '+' && cell.size() > 1 && cell[1] != '-') {
    cell.remove_prefix(1);
  }
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto result = std::from_chars(cell.data(), end, value);
  if (result.ptr != end) {
    return std::nullopt;
  }
  *out_of_range = result.ec == std::errc::result_out_of_range;
  return value;
}

// The column whose times are converted to seconds.
enum class TimeColumn : std::uint8_t {
  kByName,  // `time`
  kFirst,   // `time` or, without it, the first.
};

class TableParser {
 public:
  TableParser(std::shared_ptr<const SourceFile> source, TimeColumn time_column)
      : source_(std::move(source)),
        time_column_(time_column),
        reader_(source_, diagnostics_) {}

  Table Parse() {
    if (RefusesBinary()) {
      Throw();
    }
    std::vector<Cell> cells;
    if (reader_.Read(cells)) {
      StartColumns(cells);
    }
    while (reader_.Read(cells)) {
      AddRow(cells);
    }
    DropTrailingColumn();
    if (bad_cells_ > kMaxBadCells) {
      const std::size_t more = bad_cells_ - kMaxBadCells;
      diagnostics_.Add({.severity = Severity::kNote,
                        .message = "and " + std::to_string(more) + " more " +
                                   (more == 1 ? "cell" : "cells") +
                                   " without a number",
                        .file = source_->name()});
    }
    if (columns_.empty() || columns_.front().values.empty()) {
      ReportFile(columns_.empty() ? "the table is empty"
                                  : "the table has no rows");
    }
    Throw();
    return {source_->name(), std::move(columns_)};
  }

 private:
  // Further bad cells are counted, not shown: they often have one cause.
  static constexpr std::size_t kMaxBadCells = 3;

  void Throw() const {
    if (diagnostics_.has_errors()) {
      throw Error(ErrorCode::kInvalidArgument, diagnostics_.list());
    }
  }

  void ReportFile(std::string message, std::string hint = {}) {
    diagnostics_.Add({.message = std::move(message),
                      .hint = std::move(hint),
                      .file = source_->name()});
  }

  bool RefusesBinary() {
    const std::string_view text = source_->text();
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
      ReportFile("the text is UTF-16", "save it as UTF-8");
    } else if (text.find('\0') != std::string_view::npos) {
      ReportFile("this is no text: it has zero bytes",
                 "give a table of comma-separated values");
    }
    return diagnostics_.has_errors();
  }

  // Takes the first record as the header or, if it is all numbers, as a row.
  void StartColumns(const std::vector<Cell>& cells) {
    const bool is_header = std::ranges::any_of(
        cells, [this](const Cell& cell) { return !Number(cell).has_value(); });
    for (const Cell& cell : cells) {
      AddColumn(is_header ? cell : Cell{});
    }
    TableColumn& first = columns_.front();
    if (time_column_ == TimeColumn::kFirst && !numbers_.contains("time") &&
        !first.unit.empty()) {
      TakeTimeUnit(cells.front(), 0, first.unit);
    }
    if (!is_header) {
      AddRow(cells);
    }
  }

  void AddColumn(const Cell& cell) {
    TableColumn column;
    std::string_view name = cell.text;
    const std::size_t bracket = name.rfind('[');
    if (name.ends_with(']') && bracket != std::string_view::npos &&
        bracket > 0 && kBlank.find(name[bracket - 1]) != kBlank.npos) {
      const std::size_t length = name.size() - bracket - 2;
      column.unit = Trimmed(name.substr(bracket + 1, length));
      name = Trimmed(name.substr(0, bracket));
    }
    if (name == "time" && !column.unit.empty()) {
      TakeTimeUnit(cell, columns_.size(), column.unit);
    }
    unnamed_last_ = name.empty();
    column.name = name.empty() ? "column" + std::to_string(columns_.size() + 1)
                               : std::string(name);
    const auto [first, is_new] =
        numbers_.emplace(column.name, columns_.size() + 1);
    if (!is_new) {
      Report(diagnostics_,
             reader_.SpanOf(cell),
             "column " + std::to_string(columns_.size() + 1) +
                 " has the name of column " + std::to_string(first->second) +
                 ", '" + column.name + "'",
             "rename one of them");
    }
    columns_.push_back(std::move(column));
  }

  // Times are kept in seconds.
  void TakeTimeUnit(const Cell& cell, std::size_t column, std::string& unit) {
    const std::optional<double> seconds = ParseSeconds("1 " + unit);
    if (!seconds) {
      Report(diagnostics_,
             reader_.SpanOf(cell),
             "'" + unit + "' is no unit of time",
             "give the column of times in s, ms, min, h or d");
      return;
    }
    seconds_ = *seconds;
    time_ = column;
    unit = "s";
  }

  void AddRow(const std::vector<Cell>& cells) {
    if (cells.size() != columns_.size()) {
      Report(diagnostics_,
             reader_.SpanOf({cells.front().begin, cells.back().end}),
             "the row has " + Counted(cells.size()) + ", the first line has " +
                 std::to_string(columns_.size()));
      return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double value = ToValue(cells[i], columns_[i].name);
      columns_[i].values.push_back(i == time_ ? seconds_ * value : value);
    }
  }

  static std::string Counted(std::size_t cells) {
    return std::to_string(cells) + (cells == 1 ? " cell" : " cells");
  }

  std::optional<double> Number(const Cell& cell, bool* out_of_range = nullptr) {
    bool ignored = false;
    bool* const flag = out_of_range != nullptr ? out_of_range : &ignored;
    const bool decimal_comma = reader_.separator() == ';' &&
                               std::ranges::count(cell.text, ',') == 1 &&
                               cell.text.find('.') == std::string_view::npos;
    if (!decimal_comma) {
      return ToNumber(cell.text, flag);
    }
    std::string pointed(cell.text);
    std::ranges::replace(pointed, ',', '.');
    return ToNumber(pointed, flag);
  }

  double ToValue(const Cell& cell, const std::string& column) {
    bool out_of_range = false;
    const std::optional<double> value = Number(cell, &out_of_range);
    if (value.has_value() && !out_of_range) {
      return *value;
    }
    if (++bad_cells_ > kMaxBadCells) {
      return kMissing;
    }
    constexpr std::size_t kShown = 40;
    std::string shown(cell.text.substr(0, kShown));
    shown += cell.text.size() > kShown ? "..." : "";
    Report(diagnostics_,
           reader_.SpanOf(cell),
           "'" + shown + "' in column '" + column +
               (out_of_range ? "' is beyond the range of a double"
                             : "' is not a number"),
           out_of_range ? ""
                        : "write a number, true or false; an empty cell is a "
                          "missing value");
    return kMissing;
  }

  // Drops the empty column after separators at the end of every line.
  void DropTrailingColumn() {
    if (columns_.size() > 1 && unnamed_last_ &&
        std::ranges::all_of(columns_.back().values,
                            [](double x) { return std::isnan(x); })) {
      columns_.pop_back();
    }
  }

  std::shared_ptr<const SourceFile> source_;
  TimeColumn time_column_;
  Diagnostics diagnostics_;
  RecordReader reader_;
  std::vector<TableColumn> columns_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::size_t bad_cells_ = 0;
  std::size_t time_ = std::numeric_limits<std::size_t>::max();
  double seconds_ = 1;  // Seconds in a unit of the time column.
  bool unnamed_last_ = false;
};

}  // namespace

Table ParseTable(std::shared_ptr<const SourceFile> source) {
  return TableParser(std::move(source), TimeColumn::kByName).Parse();
}

Table ReadTable(const std::string& path) {
  return ParseTable(SourceFile::Read(path));
}

Table ParseTableOverTime(std::shared_ptr<const SourceFile> source) {
  return TableParser(std::move(source), TimeColumn::kFirst).Parse();
}

}  // namespace orrery
