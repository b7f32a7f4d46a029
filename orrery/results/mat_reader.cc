#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/files/mat_file.h"
#include "orrery/base/source_file.h"
#include "orrery/results/internal/derivatives.h"
#include "orrery/results/mat.h"

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

}  // namespace orrery
