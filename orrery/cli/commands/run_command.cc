#include "orrery/cli/commands/run_command.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/fmu_run.h"
#include "orrery/cli/commands/model_warnings.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/commands/run_script.h"
#include "orrery/cli/commands/state_run.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/others_output.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/fmu/fmu_file.h"
#include "orrery/sdk/fmu/fmu_run.h"
#include "orrery/sdk/live/live_equations.h"
#include "orrery/sdk/model/setting_text.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

// A model of equations in a file.
class EquationsEngine final : public RunEngine {
 public:
  void CheckOptions(const RunCommand& command) const override {
    if (command.state.are_given() && IsFmu(command.file)) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot save or continue the state of " + command.file +
                      ": an FMU keeps its values for itself; leave "
                      "--save-state and --from-state out");
    }
    if (command.fmu.communication || command.fmu.statistics) {
      throw Error(
          ErrorCode::kInvalidArgument,
          "cannot run " + command.file + " by Model Exchange with " +
              (command.fmu.communication ? "--communication" : "--statistics") +
              ": its equations are solved in steps of the solver; leave it "
              "out, or take --as cs");
    }
  }

  void ReadTexts(RunCommand& command) const override {
    const std::vector<Setting> settings = SettingsOf(
        command.settings, command.file, command.class_name, command.files);
    command.options.settings.insert(
        command.options.settings.end(), settings.begin(), settings.end());
  }

  void Make(RunCommand& asked,
            RunCommand& command,
            const Plans& plans) override {
    if (command.state.are_given()) {
      state_.emplace(command);
      // It cannot be repeated from the model alone.
      asked.is_saved = false;
      command.is_saved = false;
    }
    const Stopwatch watch;
    {
      const auto output = OutputOf(command.file);
      program_ = Compile(LoadFile(command.file,
                                  command.class_name,
                                  command.options.settings,
                                  command.files,
                                  {},
                                  StringsIn(ParameterTexts(command.settings),
                                            command.file,
                                            command.class_name,
                                            command.files)),
                         {},
                         command.until);
    }
    compile_ms_ = watch.Milliseconds();
    if (state_) {
      state_->Complete(*program_, command);
    }
    if (!plans.plot.curves.empty()) {
      CheckPlots(plans, *RecordedSignals(*program_, command.options));
    }
    PrintModelWarnings(program_->warnings, command.library_warnings);
    PrintHead(command, HeadLine(*program_, {.compile_ms = compile_ms_}));
    if (!asked.input.empty() && asked.input == asked.data) {
      asked.input_columns = program_->input_names;
    }
    command.options.inputs = InputsOf(DocumentOf(asked));
    // Before saving: refused commands are not saved.
    orrery::CheckOptions(*program_, command.options);
    PrintDiagnostics(WhereInputsAreHeld(*program_, command.options));
  }

  [[nodiscard]] const std::string& model() const override {
    return program_->name;
  }

  [[nodiscard]] bool HasRowsMeanwhile(
      const RunCommand& command) const override {
    const auto its = Resolve(command.options, program_->experiment);
    return its.stop > its.start && std::isfinite(its.stop) && !state_;
  }

  [[nodiscard]] LiveRun& OpenLive(const RunCommand& command) override {
    const auto its = Resolve(command.options, program_->experiment);
    const double period = IsShownMeanwhile(command)
                              ? ShownPeriod(its.start, its.stop, its.interval)
                              : LookPeriod(command, its.interval);
    return live_.emplace(
        program_,
        command.options,
        LiveEquations::Options{.period = period,
                               .shown = command.live_choices.published});
  }

  void Run(const RunCommand& command) override {
    const auto output = OutputOf(command.file);
    ProgressBar bar(!command.quiet && !command.json, command.report_fd);
    const auto observer = [&](const Progress& its) {
      bar.Show(its);
      return InterruptGuard::goes_on();
    };
    result_ = state_ ? state_->Run(program_, command.options, observer)
                     : Simulate(program_, command.options, observer);
  }

  void Run(LiveSession& session, SavedExperiment& saved) override {
    result_ = CarryOut(*live_, session, saved);
  }

  [[nodiscard]] Ending ending() const override {
    return EndingOf(result_.summary);
  }

  void TellEnd(const RunCommand& command) const override {
    cli::TellEnd(command, result_.summary);
  }

  [[nodiscard]] const Trajectory& Rows(bool /*are_wanted*/) override {
    return result_.trajectory;
  }

  [[nodiscard]] const EventLog& events() const override {
    return result_.events;
  }

  [[nodiscard]] std::string Json(const RunCommand& command,
                                 const Course& course) const override {
    return JsonReport(
        *program_,
        result_,
        {.compile_ms = compile_ms_, .run_ms = course.run_ms},
        command.events ? ReportedEvents::kWith : ReportedEvents::kWithout,
        course.lag);
  }

  [[nodiscard]] std::vector<std::string> WriteRecords(
      const RunCommand& command) const override {
    return state_ && state_->has_saved()
               ? std::vector<std::string>{command.state.saved}
               : std::vector<std::string>();
  }

  [[nodiscard]] std::string Text(const Course& course) const override {
    return TextReport(result_,
                      {.compile_ms = compile_ms_, .run_ms = course.run_ms}) +
           LagLine(course.lag);
  }

 private:
  std::shared_ptr<const Program> program_;
  double compile_ms_ = 0;
  std::optional<StateRun> state_;
  std::optional<LiveEquations> live_;
  RunResult result_;
};

}  // namespace

int Run(const RunCommand& given) {
  if (given.model) {
    return Run(given, *given.model);
  }
  if (IsPlugin(given.file)) {
    return Run(given, LoadPlugin(given.file));
  }
  const bool is_stepped =
      IsFmuSystem(given.file) ||
      (IsFmu(given.file) && !RunsAsEquations(DocumentOf(given)));
  if (is_stepped) {
    return RunFmu(given);
  }
  EquationsEngine engine;
  return CarryOutRun(given, engine);
}

}  // namespace orrery::cli
