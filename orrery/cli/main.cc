#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "orrery/cli/command_line.h"
#include "orrery/cli/program_beside.h"
#include "orrery/cli/status.h"
#include "orrery/sdk/deep_stack.h"
#include "orrery/sdk/documents/run_document.h"

namespace {

using orrery::ReportKind;

// Errors are reported in JSON, too, if it is requested. This must be known even
// if the command line cannot be read.
std::optional<ReportKind> WantedOf(int argc, char** argv) {
  const bool is_wanted = std::any_of(argv, argv + argc, [](const char* word) {
    return std::string_view(word) == "--json";
  });
  const bool is_devs = std::any_of(argv, argv + argc, [](const char* word) {
    return orrery::IsPlugin(word);
  });
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (is_wanted && command == "run") {
    return is_devs ? ReportKind::kDevsRun : ReportKind::kRun;
  }
  return is_wanted ? std::optional(ReportKind::kOther) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  orrery::cli::BecomeProgramBeside(argc, argv);
  return orrery::OnDeepStack([&] {
    return orrery::cli::Guarded(
        "orrery",
        WantedOf(argc, argv),
        [&] { return orrery::cli::Main(argc, argv); },
        orrery::cli::ReportWantedBy({argv, static_cast<std::size_t>(argc)}));
  });
}
