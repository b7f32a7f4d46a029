#include "orrery/results/csv_writer.h"

#include <charconv>
#include <cmath>

#include "orrery/results/csv.h"

namespace orrery {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16;

// The shortest text of a double has at most 24 characters.
constexpr std::size_t kLongestNumber = 32;

std::string Quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) {
    return name;
  }
  std::string quoted = "\"";
  for (const char c : name) {
    quoted.append(c == '"' ? 2 : 1, c);
  }
  return quoted + '"';
}

// Appends numbers and separators to a buffer that always has room for one.
class NumberWriter {
 public:
  explicit NumberWriter(const std::function<void(std::string_view)>& sink)
      : sink_(sink), buffer_(kBufferSize, '\0') {}

  void Write(double value, char before) {
    if (used_ + kLongestNumber > kBufferSize) {
      Flush();
    }
    char* const at = buffer_.data() + used_;
    *at = before;
    // The sign of a NaN has no meaning.
    value = std::isnan(value) ? std::abs(value) : value;
    const auto end = std::to_chars(at + 1, at + kLongestNumber, value).ptr;
    used_ += static_cast<std::size_t>(end - at);
  }

  void Flush() {
    sink_({buffer_.data(), used_});
    used_ = 0;
  }

 private:
  const std::function<void(std::string_view)>& sink_;
  std::string buffer_;
  std::size_t used_ = 0;
};

}  // namespace

void WriteCsv(const Trajectory& run,
              std::span<const std::size_t> signals,
              const std::function<void(std::string_view)>& sink) {
  std::string header = "time";
  std::vector<Signal> columns;
  columns.reserve(signals.size());
  for (const std::size_t index : signals) {
    columns.push_back(run.signal(index));
    header += ',' + Quoted(columns.back().name());
  }
  sink(header);
  NumberWriter writer(sink);
  for (std::size_t row = 0; row < run.rows(); ++row) {
    writer.Write(run.time()[row], '\n');
    for (const Signal& column : columns) {
      writer.Write(column[row], ',');
    }
  }
  writer.Flush();
  sink("\n");
}

}  // namespace orrery
