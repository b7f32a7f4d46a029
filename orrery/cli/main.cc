#include <csignal>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/command_line.h"
#include "orrery/cli/internal/commands.h"

namespace {

int Report(const orrery::Error& error) {
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
  try {
    return Flushed(orrery::cli::Main(argc, argv));
  } catch (const orrery::Error& error) {
    return Report(error);
  } catch (const std::bad_alloc&) {
    std::fputs("orrery: cannot go on: there is not enough memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "orrery: internal error: %s\n", error.what());
  }
  return orrery::cli::kModelFailed;
}
