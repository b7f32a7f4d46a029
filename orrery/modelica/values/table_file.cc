#include "orrery/modelica/values/table_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/files/mat_file.h"
#include "orrery/base/text/parse.h"

namespace orrery::modelica::internal {
namespace {

// A bound for the size in a header, which may be more than the file contains.
constexpr std::int64_t kMaxNumbers = 100'000'000;

constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view Trimmed(std::string_view text) {
  return Trim(text, kBlanks);
}

std::optional<double> ToNumber(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  const std::optional<double> value = ParseDecimal(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Reads the lines of a file; reports invalid ones by number.
class Reader {
 public:
  Reader(const SourceFile& file,
         std::string_view name,
         const TableFormat& format)
      : file_(file), rest_(file.text()), name_(name), format_(format) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) {
      rest_.remove_prefix(kByteOrderMark.size());
    }
  }

  TableText Run() {
    return rest_.starts_with("#1") ? ReadNamed() : ReadLines();
  }

 private:
  // The next line; false at the end.
  bool Next() {
    if (rest_.empty()) {
      return false;
    }
    const std::size_t end = rest_.find('\n');
    text_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_;
    return true;
  }

  [[noreturn]] void Fail(const std::string& why, bool has_line = true) const {
    throw Error(ErrorCode::kInvalidModel,
                "cannot read a table from '" + file_.name() + "': " +
                    (has_line ? "line " + std::to_string(line_) + ": " : "") +
                    why);
  }

  [[nodiscard]] double NumberIn(std::string_view field) const {
    const auto number = ToNumber(field);
    if (!number) {
      Fail("'" + std::string(field.substr(0, 40)) + "' is no number");
    }
    return *number;
  }

  // The fields between blanks and `separators`.
  static std::vector<std::string_view> Split(std::string_view text,
                                             std::string_view separators) {
    std::vector<std::string_view> fields;
    while (true) {
      const std::size_t begin = text.find_first_not_of(separators);
      if (begin == std::string_view::npos) {
        return fields;
      }
      const std::size_t end = text.find_first_of(separators, begin);
      fields.push_back(text.substr(begin, end - begin));
      if (end == std::string_view::npos) {
        return fields;
      }
      text.remove_prefix(end);
    }
  }

  // The standard library's form

  TableText ReadNamed() {
    std::vector<std::string> names;
    while (Next()) {
      const std::string_view text = Trimmed(text_.substr(0, text_.find('#')));
      if (text.empty()) {
        continue;
      }
      std::string name;
      TableText table = ReadHeader(text, name);
      ReadNumbers(table);
      if (name == name_) {
        return table;
      }
      names.push_back(std::move(name));
    }
    Fail("it has no table '" + std::string(name_) + "'" +
             Clause(Suggest(name_, names)),
         /*has_line=*/false);
  }

  // double name(rows, columns)
  TableText ReadHeader(std::string_view text, std::string& name) const {
    const auto fields = Split(text, " \t\r(),");
    const bool is_header =
        fields.size() == 4 && (fields[0] == "double" || fields[0] == "float");
    if (!is_header) {
      Fail("'double name(rows, columns)' is expected here");
    }
    name = fields[1];
    const double rows = NumberIn(fields[2]);
    const double columns = NumberIn(fields[3]);
    if (!(rows >= 1 && columns >= 1 && rows == std::floor(rows) &&
          columns == std::floor(columns) &&
          rows * columns <= static_cast<double>(kMaxNumbers))) {
      Fail("a table cannot have " + std::string(fields[2]) + " rows and " +
           std::string(fields[3]) + " columns");
    }
    return {.rows = static_cast<std::int64_t>(rows),
            .columns = static_cast<std::int64_t>(columns),
            .values = {}};
  }

  void ReadNumbers(TableText& table) {
    const auto count = static_cast<std::size_t>(table.rows * table.columns);
    while (table.values.size() < count && Next()) {
      for (const std::string_view field :
           Split(text_.substr(0, text_.find('#')), " \t\r,;")) {
        table.values.push_back(NumberIn(field));
      }
    }
    if (table.values.size() != count) {
      Fail("the table has " + std::to_string(table.values.size()) +
           " numbers, not " + std::to_string(table.rows) + " rows of " +
           std::to_string(table.columns));
    }
  }

  // Lines of numbers

  TableText ReadLines() {
    TableText table;
    while (Next()) {
      if (line_ <= format_.header_lines) {
        continue;
      }
      const std::string_view text = Trimmed(text_.substr(0, text_.find('#')));
      if (text.empty()) {
        continue;
      }
      const auto fields = FieldsOf(text);
      const bool is_first = table.rows == 0;
      if (is_first && !had_names_ &&
          std::ranges::none_of(fields, [](std::string_view field) {
            return ToNumber(field).has_value();
          })) {
        had_names_ = true;
        continue;
      }
      if (is_first) {
        table.columns = static_cast<std::int64_t>(fields.size());
      } else if (std::cmp_not_equal(fields.size(), table.columns)) {
        Fail("it has " + std::to_string(fields.size()) +
             " numbers, the lines before " + std::to_string(table.columns));
      }
      for (const std::string_view field : fields) {
        table.values.push_back(NumberIn(field));
      }
      ++table.rows;
    }
    if (table.rows == 0) {
      Fail("it has no numbers", /*has_line=*/false);
    }
    return table;
  }

  [[nodiscard]] std::vector<std::string_view> FieldsOf(
      std::string_view text) const {
    std::vector<std::string_view> fields;
    std::size_t mark = text.find_first_of(format_.delimiter);
    if (mark == std::string_view::npos) {
      mark = text.find_first_of(",;\t");
    }
    if (mark == std::string_view::npos || text[mark] == ' ') {
      return Split(text, " ");
    }
    const char separator = text[mark];
    while (true) {
      const std::size_t end = text.find(separator);
      fields.push_back(Trimmed(text.substr(0, end)));
      if (end == std::string_view::npos) {
        return fields;
      }
      text.remove_prefix(end + 1);
    }
  }

  const SourceFile& file_;
  std::string_view rest_;
  std::string_view name_;
  const TableFormat& format_;
  std::string_view text_;
  int line_ = 0;
  bool had_names_ = false;
};

bool IsMat(std::string_view name) {
  constexpr std::string_view kEnding = ".mat";
  return name.size() >= kEnding.size() &&
         std::ranges::equal(name.substr(name.size() - kEnding.size()),
                            kEnding,
                            {},
                            [](unsigned char c) { return std::tolower(c); });
}

TableText ReadMatrix(const SourceFile& file, std::string_view name) {
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot read a table from '" + file.name() + "': " + why);
  };
  std::optional<MatFile> matrices;
  try {
    matrices.emplace(file.text());
  } catch (const Error& error) {
    fail(error.what());
  }
  const MatMatrix* const matrix = matrices->Find(name);
  if (matrix == nullptr) {
    std::vector<std::string> names;
    for (const MatMatrix& one : matrices->matrices()) {
      names.push_back(one.name);
    }
    fail("it has no matrix '" + std::string(name) + "'" +
         Clause(Suggest(name, names)));
  }
  TableText table{.rows = static_cast<std::int64_t>(matrix->rows),
                  .columns = static_cast<std::int64_t>(matrix->columns),
                  .values = {}};
  if (table.rows * table.columns == 0) {
    fail("its matrix '" + std::string(name) + "' is empty");
  }
  for (std::size_t row = 0; row < matrix->rows; ++row) {
    for (std::size_t column = 0; column < matrix->columns; ++column) {
      table.values.push_back(matrix->At(row, column));
      if (!std::isfinite(table.values.back())) {
        fail("its matrix '" + std::string(name) + "' has no number in row " +
             std::to_string(row + 1) + ", column " +
             std::to_string(column + 1));
      }
    }
  }
  return table;
}

}  // namespace

TableText ReadTable(const SourceFile& file,
                    std::string_view name,
                    const TableFormat& format) {
  if (IsMat(file.name())) {
    return ReadMatrix(file, name);
  }
  return Reader(file, name, format).Run();
}

}  // namespace orrery::modelica::internal
