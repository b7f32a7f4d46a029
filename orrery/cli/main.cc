#include <algorithm>
#include <array>
#include <string_view>

#include "orrery/cli/internal/command_line.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/status.h"

namespace {

using orrery::cli::WantedJson;

// The commands whose errors are told alike.
constexpr std::array<std::string_view, 8> kAnalyses = {"steady",
                                                       "linearize",
                                                       "frequency",
                                                       "sweep",
                                                       "sensitivity",
                                                       "calibrate",
                                                       "optimize",
                                                       "optimise"};

// Whoever asked for JSON gets it whatever happens, so that this is to be known
// even where the command line cannot be read.
WantedJson WantedOf(int argc, char** argv) {
  const bool is_wanted = std::any_of(argv, argv + argc, [](const char* word) {
    return std::string_view(word) == "--json";
  });
  const bool is_devs = std::any_of(argv, argv + argc, [](const char* word) {
    return orrery::IsPlugin(word);
  });
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (is_wanted && command == "run") {
    return is_devs ? WantedJson::kOfDevsRun : WantedJson::kOfRun;
  }
  return is_wanted && std::ranges::find(kAnalyses, command) != kAnalyses.end()
             ? WantedJson::kOfAnalysis
             : WantedJson::kNone;
}

}  // namespace

int main(int argc, char** argv) {
  return orrery::cli::Guarded("orrery", WantedOf(argc, argv), [&] {
    return orrery::cli::Main(argc, argv);
  });
}
