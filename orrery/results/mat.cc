#include "orrery/results/mat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/files/mat_file.h"
#include "orrery/base/source_file.h"
#include "orrery/results/derivatives.h"

namespace orrery {

namespace internal = results::internal;

namespace {

// Items (names, variables, ...) of a matrix: its columns in `binTrans`, its
// rows in `binNormal`.
class Items {
 public:
  Items(const MatMatrix& matrix, bool transposed)
      : matrix_(matrix), transposed_(transposed) {}

  [[nodiscard]] std::size_t count() const {
    if (matrix_.bytes.empty()) {
      return 0;
    }
    return transposed_ ? matrix_.columns : matrix_.rows;
  }

  [[nodiscard]] std::size_t width() const {
    return transposed_ ? matrix_.rows : matrix_.columns;
  }

  [[nodiscard]] double At(std::size_t item, std::size_t i) const {
    return transposed_ ? matrix_.At(i, item) : matrix_.At(item, i);
  }

  // The text of an item, without padding.
  [[nodiscard]] std::string Text(std::size_t item) const {
    std::string text;
    for (std::size_t i = 0; i < width(); ++i) {
      const double code = At(item, i);
      text += code >= 1 && code < 256
                  ? static_cast<char>(static_cast<unsigned char>(code))
                  : '\0';
    }
    text.resize(std::min(text.find('\0'), text.size()));
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

 private:
  const MatMatrix& matrix_;
  bool transposed_;
};

// Splits "position of the body [m|mm]" into description and unit.
void SetDescription(std::string text, SignalInfo& signal) {
  const std::size_t bracket = text.rfind('[');
  if (text.ends_with(']') && bracket != std::string::npos) {
    signal.unit = text.substr(bracket + 1, text.size() - bracket - 2);
    signal.unit.resize(std::min(signal.unit.find('|'), signal.unit.size()));
    text.resize(bracket);
    text.resize(text.find_last_not_of(' ') + 1);
  }
  signal.description = std::move(text);
}

class MatReader {
 public:
  MatReader(const std::string& name, const MatFile& file)
      : name_(name), file_(file) {}

  Trajectory Read() {
    ReadClass();
    const Items rows(Find("data_2"), transposed_);
    ReadSignals(rows.width());
    internal::LinkDerivatives(signals_);
    std::shared_ptr<const SignalTable> table;
    try {
      table = std::make_shared<const SignalTable>(std::move(signals_));
    } catch (const Error& error) {
      Fail(error.what());
    }
    TrajectoryBuilder builder(std::move(table));
    builder.Reserve(rows.count());
    std::vector<double> values(stored_.size());
    double last = 0;
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const double t = rows.At(row, 0);
      if (!std::isfinite(t) || (row > 0 && t < last)) {
        Fail("its times do not increase at row " + std::to_string(row + 1));
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = rows.At(row, stored_[i]);
      }
      builder.Append(t, values);
      last = t;
    }
    return builder.Take();
  }

 private:
  [[noreturn]] void Fail(const std::string& why) const {
    throw Error(ErrorCode::kIo, "cannot read '" + name_ + "': " + why);
  }

  [[nodiscard]] const MatMatrix& Find(const std::string& name) const {
    const MatMatrix* const found = file_.Find(name);
    if (found == nullptr) {
      Fail("it has no matrix '" + name + "', so it is no simulation result");
    }
    return *found;
  }

  void ReadClass() {
    const Items lines(Find("Aclass"), false);
    if (lines.count() < 4 || lines.Text(0) != "Atrajectory") {
      Fail("its matrix 'Aclass' does not say that it is a simulation result");
    }
    const std::string layout = lines.Text(3);
    if (lines.Text(1) != "1.1" ||
        (layout != "binTrans" && layout != "binNormal")) {
      Fail("its layout is '" + layout + "', version '" + lines.Text(1) +
           "'; 'binTrans' and 'binNormal', version '1.1', can be read");
    }
    transposed_ = layout == "binTrans";
  }

  void ReadSignals(std::size_t rows_of_data_2) {
    const Items names(Find("name"), transposed_);
    const Items descriptions(Find("description"), transposed_);
    const Items places(Find("dataInfo"), transposed_);
    const Items constants(Find("data_1"), transposed_);
    if (names.count() != descriptions.count() ||
        names.count() != places.count() ||
        (places.count() > 0 && places.width() < 2)) {
      Fail(
          "its matrices 'name', 'description' and 'dataInfo' disagree in size");
    }
    for (std::size_t i = 0; i < names.count(); ++i) {
      SignalInfo signal;
      signal.name = names.Text(i);
      if (signal.name == "time" || signal.name == "Time") {
        continue;
      }
      SetDescription(descriptions.Text(i), signal);
      const double matrix = places.At(i, 0);
      const double row = places.At(i, 1);
      const std::size_t limit =
          matrix == 1 ? constants.width() : rows_of_data_2;
      if (!(matrix >= 0 && matrix <= 2 && std::abs(row) >= 1 &&
            std::abs(row) <= static_cast<double>(limit))) {
        Fail("'" + signal.name + "' lies outside of its data");
      }
      const auto index = static_cast<std::size_t>(std::abs(row)) - 1;
      signal.negated = row < 0;
      if (matrix == 1) {
        signal.variability = SignalVariability::kConstant;
        signal.constant = constants.count() == 0 ? 0 : constants.At(0, index);
      } else {
        signal.column = ColumnOf(index);
      }
      signals_.push_back(std::move(signal));
    }
  }

  // The column of the run for row `row` of data_2.
  int ColumnOf(std::size_t row) {
    const auto [found, is_new] =
        columns_.emplace(row, static_cast<int>(stored_.size()));
    if (is_new) {
      stored_.push_back(row);
    }
    return found->second;
  }

  const std::string& name_;
  const MatFile& file_;
  bool transposed_ = true;
  std::vector<SignalInfo> signals_;
  std::vector<std::size_t> stored_;  // Row of data_2, by column of the run.
  std::unordered_map<std::size_t, int> columns_;
};

}  // namespace

Trajectory ParseMat(const std::string& name, std::string_view bytes) {
  std::optional<MatFile> file;
  try {
    file.emplace(bytes);
  } catch (const Error& error) {
    throw Error(ErrorCode::kIo, "cannot read '" + name + "': " + error.what());
  }
  return MatReader(name, *file).Read();
}

Trajectory ReadMat(const std::string& path) {
  return ParseMat(path, SourceFile::Read(path)->text());
}

namespace {

static_assert(std::endian::native == std::endian::little);

// The MOPT code of a matrix's elements; M = 0 is little-endian.
enum class Element : std::int32_t { kDouble = 0, kInt32 = 20, kText = 51 };

// The place of a variable's values: four numbers, as in dataInfo.
struct Place {
  std::int32_t matrix = 0;
  std::int32_t row = 0;  // Negative: minus that row.
  std::int32_t interpolation = 0;
  std::int32_t extrapolation = 0;
};

template <typename T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}

// Columns of characters, one for each text, padded with zeros.
class TextMatrix {
 public:
  explicit TextMatrix(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      width_ = std::max(width_, text.size());
    }
    bytes_.resize(width_ * texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i].copy(bytes_.data() + i * width_, width_);
    }
  }

  [[nodiscard]] std::size_t width() const { return width_; }

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::size_t width_ = 1;
  std::string bytes_;
};

class MatWriter {
 public:
  MatWriter(const Trajectory& run,
            const std::function<void(std::string_view)>& sink)
      : run_(run), sink_(sink), row_of_column_(run.table()->columns(), 0) {}

  void Write(std::span<const std::size_t> signals) {
    Add("time", "Simulation time [s]", {0, 1, 0, -1});
    for (const std::size_t index : signals) {
      AddSignal(index);
    }
    WriteClass();
    WriteText("name", names_);
    WriteText("description", descriptions_);
    WriteHeader("dataInfo", Element::kInt32, 4, places_.size());
    sink_(BytesOf(places_));
    WriteConstants();
    WriteRows();
  }

 private:
  void Add(std::string name, std::string description, Place place) {
    names_.push_back(std::move(name));
    descriptions_.push_back(std::move(description));
    places_.push_back(place);
  }

  void AddSignal(std::size_t index) {
    const SignalInfo& signal = run_.signals()[index];
    std::string description = signal.description;
    if (!signal.unit.empty()) {
      description += (description.empty() ? "[" : " [") + signal.unit + "]";
    }
    Place place;
    if (signal.column == SignalInfo::kNone) {
      constants_.push_back(run_.rows() == 0 ? signal.constant
                                            : run_.signal(index)[0]);
      place = {1, static_cast<std::int32_t>(constants_.size() + 1), 0, 0};
    } else {
      const std::int32_t row = RowOf(static_cast<std::size_t>(signal.column));
      place = {2, signal.negated ? -row : row, 0, -1};
    }
    Add(signal.name, std::move(description), place);
  }

  // The row of data_2 that holds stored column `column`; row 1 is time.
  std::int32_t RowOf(std::size_t column) {
    std::int32_t& row = row_of_column_[column];
    if (row == 0) {
      columns_.push_back(column);
      row = static_cast<std::int32_t>(columns_.size() + 1);
    }
    return row;
  }

  void WriteHeader(const char* name,
                   Element element,
                   std::size_t rows,
                   std::size_t columns) const {
    constexpr auto kLimit =
        static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (rows > kLimit || columns > kLimit) {
      throw Error(ErrorCode::kUnsupported,
                  "cannot write a MATLAB level-4 file: matrix '" +
                      std::string(name) + "' would be " + std::to_string(rows) +
                      " by " + std::to_string(columns) +
                      ", the format ends at 2147483647; write HDF5 (.h5)");
    }
    const std::size_t length = std::strlen(name) + 1;
    const std::vector<std::int32_t> header = {
        static_cast<std::int32_t>(element),
        static_cast<std::int32_t>(rows),
        static_cast<std::int32_t>(columns),
        0,  // No imaginary part.
        static_cast<std::int32_t>(length)};
    sink_(BytesOf(header));
    sink_({name, length});
  }

  // The only matrix whose rows, not columns, are the texts.
  void WriteClass() const {
    constexpr std::size_t kWidth = 11;
    const std::string rows[] = {"Atrajectory", "1.1", "", "binTrans"};
    std::string bytes;
    for (std::size_t i = 0; i < kWidth; ++i) {
      for (const std::string& row : rows) {
        bytes += i < row.size() ? row[i] : '\0';
      }
    }
    WriteHeader("Aclass", Element::kText, std::size(rows), kWidth);
    sink_(bytes);
  }

  void WriteText(const char* name,
                 const std::vector<std::string>& texts) const {
    const TextMatrix matrix(texts);
    WriteHeader(name, Element::kText, matrix.width(), texts.size());
    sink_(matrix.bytes());
  }

  void WriteConstants() const {
    const auto time = run_.time();
    for (const bool at_end : {false, true}) {
      std::vector<double> column = {time.empty() ? 0
                                    : at_end     ? time.back()
                                                 : time.front()};
      column.insert(column.end(), constants_.begin(), constants_.end());
      if (!at_end) {
        WriteHeader("data_1", Element::kDouble, column.size(), 2);
      }
      sink_(BytesOf(column));
    }
  }

  void WriteRows() const {
    std::vector<double> values(columns_.size() + 1);
    WriteHeader("data_2", Element::kDouble, values.size(), run_.rows());
    for (std::size_t row = 0; row < run_.rows(); ++row) {
      values[0] = run_.time()[row];
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        values[i + 1] = run_.column(columns_[i])[row];
      }
      sink_(BytesOf(values));
    }
  }

  const Trajectory& run_;
  const std::function<void(std::string_view)>& sink_;
  std::vector<std::string> names_;
  std::vector<std::string> descriptions_;
  std::vector<Place> places_;
  std::vector<double> constants_;
  // Columns of the run, by row of data_2 from 2.
  std::vector<std::size_t> columns_;
  std::vector<std::int32_t> row_of_column_;
};

}  // namespace

void WriteMat(const Trajectory& run,
              std::span<const std::size_t> signals,
              const std::function<void(std::string_view)>& sink) {
  MatWriter(run, sink).Write(signals);
}

}  // namespace orrery
