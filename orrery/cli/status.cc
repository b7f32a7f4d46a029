#include "orrery/cli/status.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/cli/commands/model_warnings.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/terminal/background.h"
#include "orrery/cli/terminal/print_error.h"

namespace orrery::cli {
namespace {

int Report(const std::string& program,
           const Error& error,
           std::optional<ReportKind> json,
           int descriptor) {
  const Diagnostic whole{.message = error.what()};
  ReportNotices(descriptor,
                error.diagnostics().empty()
                    ? std::span(&whole, 1)
                    : std::span<const Diagnostic>(error.diagnostics()));
  if (json) {
    fmt::print("{}", JsonReport(error, *json));
  }
  if (error.diagnostics().empty()) {
    PrintError("{}: {}\n", program, error.what());
  } else {
    PrintModelErrors(error.diagnostics());
  }
  return error.code() == ErrorCode::kInvalidArgument ? kCommandWrong
                                                     : kModelFailed;
}

// Flushes the standard output: a full disk shows only here. For output that was
// lost before, only the fact is known, not the reason.
int Flushed(const std::string& program, int status) {
  const bool was_lost = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0) {
    std::perror((program + ": cannot write to the standard output").c_str());
    return kModelFailed;
  }
  if (was_lost) {
    PrintError("{}: cannot write to the standard output: some of it is lost\n",
               program);
    return kModelFailed;
  }
  return status;
}

}  // namespace

namespace {

int Run(const std::string& program,
        std::optional<ReportKind> json,
        const std::function<int()>& command,
        int descriptor) {
  const auto report = [&](const Error& error) {
    return Flushed(program, Report(program, error, json, descriptor));
  };
  try {
    return Flushed(program, command());
  } catch (const Error& error) {
    return report(error);
  } catch (const nlohmann::json::exception& error) {
    // Other JSON is checked where it is read.
    return report({ErrorCode::kIo,
                   std::string("cannot read what is stored of an experiment: "
                               "it is damaged: ") +
                       error.what()});
  } catch (const std::bad_alloc&) {
    return report({ErrorCode::kIo, "cannot go on: there is not enough memory"});
  } catch (const std::exception& error) {
    return report(
        {ErrorCode::kInternal, std::string("internal error: ") + error.what()});
  }
}

}  // namespace

int Guarded(const std::string& program,
            std::optional<ReportKind> json,
            const std::function<int()>& command,
            int report) {
  // A file at its size limit becomes an error of writing instead of a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  const int status = Run(program, json, command, report);
  EndIfBusy(status);
  return status;
}

int ReportWantedBy(std::span<const char* const> words) {
  constexpr std::string_view kOption = "--report-fd";
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (!word.starts_with(kOption)) {
      continue;
    }
    word.remove_prefix(kOption.size());
    if (word.empty() && i + 1 < words.size()) {
      word = words[i + 1];
    } else if (word.starts_with('=')) {
      word.remove_prefix(1);
    }
    constexpr std::uint64_t kMost = 1'000'000;
    const auto number = ParseWhole(word, kMost);
    return number && *number > 2 ? static_cast<int>(*number)
                                 : ReportStream::kNone;
  }
  return ReportStream::kNone;
}

}  // namespace orrery::cli
