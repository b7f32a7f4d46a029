#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/analysis_reports.h"
#include "orrery/cli/internal/command_line.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/reports.h"

namespace {

// Whoever asked for JSON gets it whatever happens, so that this is to be known
// even where the command line cannot be read.
enum class WantedJson { kNone, kOfRun, kOfAnalysis };

WantedJson WantedOf(int argc, char** argv) {
  const bool is_wanted = std::any_of(argv, argv + argc, [](const char* word) {
    return std::string_view(word) == "--json";
  });
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (is_wanted && command == "run") {
    return WantedJson::kOfRun;
  }
  return is_wanted && (command == "steady" || command == "linearize")
             ? WantedJson::kOfAnalysis
             : WantedJson::kNone;
}

int Report(const orrery::Error& error, WantedJson json) {
  if (json == WantedJson::kOfRun) {
    fmt::print("{}", orrery::cli::JsonReport(error));
  } else if (json == WantedJson::kOfAnalysis) {
    fmt::print("{}", orrery::cli::JsonErrorReport(error));
  }
  if (error.diagnostics().empty()) {
    fmt::print(stderr, "orrery: {}\n", error.what());
  } else {
    fmt::print(stderr, "{}", orrery::Render(error.diagnostics()));
  }
  return error.code() == orrery::ErrorCode::kInvalidArgument
             ? orrery::cli::kCommandWrong
             : orrery::cli::kModelFailed;
}

// What was printed may still be on its way: a full disk shows only here.
int Flushed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return status;
  }
  std::perror("orrery: cannot write to the standard output");
  return orrery::cli::kModelFailed;
}

}  // namespace

int main(int argc, char** argv) {
  const WantedJson json = WantedOf(argc, argv);
  try {
    return Flushed(orrery::cli::Main(argc, argv));
  } catch (const orrery::Error& error) {
    return Flushed(Report(error, json));
  } catch (const std::bad_alloc&) {
    return Flushed(Report(
        {orrery::ErrorCode::kIo, "cannot go on: there is not enough memory"},
        json));
  } catch (const std::exception& error) {
    return Flushed(Report({orrery::ErrorCode::kInternal,
                           std::string("internal error: ") + error.what()},
                          json));
  }
}
