#include "orrery/analysis/analysis_file.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/results/output_file.h"

namespace orrery {
namespace {

// A name with commas, as of `m[1,2]`, is quoted.
std::string Cell(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

void CheckEnding(const std::string& path, std::string_view what) {
  if (FormatEnding(path) != ".csv") {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot write '{}': {} written as .csv", path, what));
  }
  OutputFile::Check(path);
}

// The rows of [left right].
void WriteRows(const Matrix& left,
               const Matrix& right,
               const std::vector<std::string>& names,
               OutputFile& file) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string line = Cell(names[i]);
    for (const Matrix* part : {&left, &right}) {
      for (std::size_t j = 0; j < part->columns(); ++j) {
        line += fmt::format(",{}", (*part)(i, j));
      }
    }
    file.Write(line + "\n");
  }
}

}  // namespace

void CheckFrequencyFile(const std::string& path) {
  CheckEnding(path, "a frequency response is");
}

void WriteFrequencyResponses(const std::string& path,
                             std::span<const FrequencyResponse> responses) {
  CheckFrequencyFile(path);
  OutputFile file(path);
  std::string line = "frequency [rad/s]";
  for (const FrequencyResponse& response : responses) {
    ORRERY_CHECK(response.frequencies == responses.front().frequencies);
    const std::string channel = response.input + ":" + response.output;
    line += "," + Cell("magnitude(" + channel + ") [dB]") + "," +
            Cell("phase(" + channel + ") [deg]");
  }
  file.Write(line + "\n");
  const std::size_t rows =
      responses.empty() ? 0 : responses.front().frequencies.size();
  for (std::size_t row = 0; row < rows; ++row) {
    line = fmt::format("{}", responses.front().frequencies[row]);
    for (const FrequencyResponse& response : responses) {
      line += fmt::format(
          ",{},{}", response.magnitudes_db[row], response.phases_deg[row]);
    }
    file.Write(line + "\n");
  }
  file.Commit();
}

void WriteLinearSystem(const std::string& path, const LinearSystem& system) {
  CheckEnding(path, "the matrices of a linear system are");
  OutputFile file(path);
  std::string line = "d";
  std::vector<std::string> derivatives;
  for (const NamedValue& state : system.states) {
    line += "," + Cell(state.name);
    derivatives.push_back("der(" + state.name + ")");
  }
  for (const NamedValue& input : system.inputs) {
    line += "," + Cell(input.name);
  }
  std::vector<std::string> outputs;
  for (const NamedValue& output : system.outputs) {
    outputs.push_back(output.name);
  }
  file.Write(line + "\n");
  WriteRows(system.a, system.b, derivatives, file);
  WriteRows(system.c, system.d, outputs, file);
  file.Commit();
}

void WriteSteadyState(const std::string& path, const SteadyState& state) {
  CheckEnding(path, "a steady state is");
  OutputFile file(path);
  file.Write("name,role,value,unit\n");
  const auto write = [&](const std::vector<NamedValue>& values,
                         std::string_view role) {
    for (const NamedValue& value : values) {
      file.Write(fmt::format("{},{},{},{}\n",
                             Cell(value.name),
                             role,
                             value.value,
                             Cell(value.unit)));
    }
  };
  write(state.states, "state");
  write(state.inputs, "input");
  write(state.outputs, "output");
  file.Commit();
}

}  // namespace orrery
