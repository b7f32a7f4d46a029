#include "orrery/analysis/bode_file.h"

#include <string_view>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/results/output_file.h"

namespace orrery {
namespace {

// A name with commas, as of `m[1,2]`, is quoted.
std::string Cell(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

}  // namespace

void CheckFrequencyFile(const std::string& path) {
  if (!path.ends_with(".csv")) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot write '{}': a frequency response is "
                            "written as .csv",
                            path));
  }
  OutputFile::Check(path);
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

}  // namespace orrery
