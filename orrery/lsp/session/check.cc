#include "orrery/lsp/session/check.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/lsp/session/message_stream.h"
#include "orrery/sdk/model/equation_list.h"
#include "orrery/sdk/model/model.h"

namespace orrery::lsp {
namespace {

constexpr rlim_t kSeconds = 20;
// Beyond what the server has mapped: with sanitizers these are terabytes.
constexpr rlim_t kBytes = rlim_t{4} * 1024 * 1024 * 1024;

Json AsJson(const std::vector<Diagnostic>& findings) {
  Json list = Json::array();
  for (const Diagnostic& finding : findings) {
    list.push_back({{"severity", std::string(NameOf(finding.severity))},
                    {"message", finding.message},
                    {"hint", finding.hint},
                    {"path", finding.path},
                    {"file", finding.file},
                    {"line", finding.line},
                    {"column", finding.column},
                    {"length", finding.length}});
  }
  return list;
}

Json Finding(const std::string& message) {
  Diagnostic finding;
  finding.message = message;
  return AsJson({finding});
}

// Loads and compiles the class. Errors that are not of the model are told too.
Json Findings(const CheckRequest& request) {
  try {
    const Model model =
        LoadFile(request.path, request.class_name, {}, request.files);
    (void)Compile(model);
    return AsJson(model.warnings());
  } catch (const Error& error) {
    return error.diagnostics().empty() ? Finding(error.what())
                                       : AsJson(error.diagnostics());
  } catch (const std::bad_alloc&) {
    return Finding("the check needs more than 4 GB");
  } catch (const std::exception& error) {
    return Finding(error.what());
  }
}

// The sorted equations of the class, with their places in texts.
Json Equations(const CheckRequest& request) {
  try {
    const auto program =
        Compile(LoadFile(request.path, request.class_name, {}, request.files));
    Json list = Json::array();
    for (const ListedEquation& equation : EquationRows(*program)) {
      list.push_back(
          {{"latex", equation.latex},
           {"text", equation.text},
           {"block", equation.block},
           {"path", equation.path},
           {"file",
            equation.span.file == nullptr ? "" : equation.span.file->name()},
           {"begin", equation.span.begin},
           {"end", equation.span.end}});
    }
    return {{"equations", std::move(list)}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

rlim_t MappedBytes() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void Limit(int resource, rlim_t most) {
  const rlimit limit = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &limit);
}

[[noreturn]] void BeChild(const CheckRequest& request, int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Limit(RLIMIT_CPU, kSeconds);
  Limit(RLIMIT_AS, MappedBytes() + kBytes);
  Limit(RLIMIT_CORE, 0);
  // No other thread of this copy reads the environment.
  setenv("ORRERY_EXTERNAL", "off", 1);  // NOLINT(concurrency-mt-unsafe)
  close(STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const Json found = request.task == CheckRequest::Task::kFindings
                         ? Findings(request)
                         : Equations(request);
  const std::string text =
      found.dump(-1, ' ', false, Json::error_handler_t::replace);
  WriteAll(descriptor, text);
  _exit(0);
}

}  // namespace

void Checker::Start(const CheckRequest& request) {
  Stop();
  path_ = request.path;
  class_name_ = request.class_name;
  version_ = request.version;
  task_ = request.task;
  // Without a process, nothing is heard of it.
  (void)child_.Start([&](int output) { BeChild(request, output); });
}

void Checker::Stop() {
  child_.Kill();
}

std::optional<CheckResult> Checker::Read() {
  const auto ended = child_.Read();
  if (!ended) {
    return std::nullopt;
  }
  const int status = ended->status;
  CheckResult result = {.path = path_, .version = version_};
  result.findings = Json::parse(ended->output, nullptr, false);
  if (result.findings.is_discarded()) {
    const bool is_slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                                 WTERMSIG(status) == SIGKILL);
    const std::string why =
        is_slow ? "the check of " + class_name_ + " takes more than 20 s"
                : "the check of " + class_name_ +
                      " broke down: this is a defect of Orrery";
    result.findings = task_ == CheckRequest::Task::kFindings
                          ? Finding(why)
                          : Json{{"error", why}};
  }
  return result;
}

}  // namespace orrery::lsp
