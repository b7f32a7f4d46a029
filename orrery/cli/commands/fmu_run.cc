#include "orrery/cli/commands/fmu_run.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/run_script.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/others_output.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/fmu/fmu_run.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {
namespace {

// Options of equations that mean nothing to Co-Simulation: rows are at the
// communication points, and steps are the FMU's own.
std::vector<const char*> OptionsOfEquationsAlone() {
  std::vector<const char*> options(kOfEquations.begin(), kOfEquations.end());
  std::erase(options, std::string_view("--tolerance"));
  std::erase(options, std::string_view("--record"));
  options.push_back("--until");
  return options;
}

[[noreturn]] void RefuseLiveFmu(const RunCommand& command) {
  throw Error(
      ErrorCode::kUnsupported,
      fmt::format("cannot run {} live: an FMU runs by itself; leave out "
                  "--real-time and --connect",
                  command.file));
}

// An FMU, or a system of FMUs, by Co-Simulation.
class FmuEngine final : public RunEngine {
 public:
  void CheckOptions(const RunCommand& command) const override {
    if (IsLive(command)) {
      RefuseLiveFmu(command);
    }
    RefuseGiven(command, OptionsOfEquationsAlone(), "models of equations");
    if (!command.class_name.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot run class '{}' of {}: an FMU has no "
                              "classes; leave out the class",
                              command.class_name,
                              command.file));
    }
  }

  void Make(RunCommand& /*asked*/,
            RunCommand& command,
            const Plans& plans) override {
    const Stopwatch watch;
    Diagnostics findings;
    {
      const OthersOutput output;
      run_ = MakeSteppedRun(DocumentOf(command),
                            command.fmu.statistics ? &clock_ : nullptr,
                            findings);
    }
    PrintDiagnostics(findings.list());
    load_ms_ = watch.Milliseconds();
    if (!plans.plot.curves.empty()) {
      CheckPlots(plans, *run_.signals);
    }
    PrintHead(command,
              fmt::format("{}  {}, {}  loaded in {}\n",
                          model(),
                          run_.kind,
                          run_.way,
                          Milliseconds(load_ms_)));
  }

  [[nodiscard]] const std::string& model() const override { return run_.model; }

  [[nodiscard]] LiveRun& OpenLive(const RunCommand& command) override {
    RefuseLiveFmu(command);
  }

  void Run(const RunCommand& command) override {
    const OthersOutput output;
    ProgressBar bar(!command.quiet && !command.json, command.report_fd);
    result_ = run_.run([&](const Progress& its) {
      bar.Show(its);
      return InterruptGuard::goes_on();
    });
    if (command.fmu.statistics && run_.statistics) {
      for (const fmi::FmuStatistics& its : run_.statistics()) {
        parts_.push_back({.name = its.name,
                          .steps = its.steps,
                          .events = its.events,
                          .ms = 1000 * Seconds(its.duration).value});
      }
    }
  }

  void Run(LiveSession& /*session*/, SavedExperiment& /*saved*/) override {}

  [[nodiscard]] Ending ending() const override {
    return EndingOf(result_.summary);
  }

  void TellEnd(const RunCommand& command) const override {
    cli::TellEnd(command, result_.summary);
  }

  [[nodiscard]] const Trajectory& Rows(bool /*are_wanted*/) override {
    return result_.trajectory;
  }

  [[nodiscard]] std::string Json(const RunCommand& /*command*/,
                                 const Course& course) const override {
    return JsonReport(
        model(),
        {},
        result_,
        {.compile_ms = load_ms_, .run_ms = course.run_ms, .parts = parts_},
        ReportedEvents::kWithout,
        course.lag);
  }

  [[nodiscard]] std::string Text(const Course& course) const override {
    std::string text =
        TextReport(result_, {.compile_ms = load_ms_, .run_ms = course.run_ms});
    for (const PartTiming& part : parts_) {
      text += fmt::format("  {}: {}, {}, {}\n",
                          part.name,
                          Counted(part.steps, "step", "steps"),
                          Counted(part.events, "event", "events"),
                          Milliseconds(part.ms));
    }
    return text;
  }

 private:
  SteadyClock clock_;  // The run measures by it.
  SteppedRun run_;
  double load_ms_ = 0;
  RunResult result_;
  std::vector<PartTiming> parts_;
};

}  // namespace

int RunFmu(const RunCommand& given) {
  FmuEngine engine;
  return CarryOutRun(given, engine);
}

}  // namespace orrery::cli
