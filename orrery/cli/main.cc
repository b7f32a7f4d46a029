#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/command_line.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/reports.h"

namespace {

// Whoever asked for JSON gets it whatever happens, so that this is to be known
// even where the command line cannot be read.
bool WantsJson(int argc, char** argv) {
  return argc > 1 && std::string_view(argv[1]) == "run" &&
         std::any_of(argv, argv + argc, [](const char* word) {
           return std::string_view(word) == "--json";
         });
}

int Report(const orrery::Error& error, bool wants_json) {
  if (wants_json) {
    fmt::print("{}", orrery::cli::JsonReport(error));
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
  const bool wants_json = WantsJson(argc, argv);
  try {
    return Flushed(orrery::cli::Main(argc, argv));
  } catch (const orrery::Error& error) {
    return Flushed(Report(error, wants_json));
  } catch (const std::bad_alloc&) {
    return Flushed(Report(
        {orrery::ErrorCode::kIo, "cannot go on: there is not enough memory"},
        wants_json));
  } catch (const std::exception& error) {
    return Flushed(Report({orrery::ErrorCode::kInternal,
                           std::string("internal error: ") + error.what()},
                          wants_json));
  }
}
