#include "orrery/cli/commands/joint_command.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/commands/run_script.h"
#include "orrery/cli/run_reports/dependencies_text.h"
#include "orrery/cli/run_reports/joint_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/live/live_timeline.h"
#include "orrery/sdk/process_timeline.h"

namespace orrery::cli {
namespace {

JointRunOptions OptionsOfJoint(const RunCommand& command) {
  const TaskChoices& tasks = command.tasks;
  JointRunOptions options = JointOptionsOf(DocumentOf(command));
  process::Records& records = options.timeline.tasks.records;
  records.spans = !tasks.plan.empty() || !tasks.spans.empty() || tasks.timeline;
  records.events = !tasks.event_log.empty();
  return options;
}

void RefuseOfOthers(const RunCommand& command) {
  RefuseGiven(command, std::array{"--resident"}, "models of tasks alone");
  RefuseGiven(command, kOfDevs, "DEVS models");
  RefuseGiven(
      command, std::array{"--start"}, "models of equations and of tasks");
  RefuseGiven(command, std::array{"--until"}, "models of equations in files");
}

// Refuses options for equations if there are none.
void RefuseOfEquations(const RunCommand& command, const std::string& model) {
  for (const std::string& option : command.given) {
    if (option == "--input" ||
        std::ranges::find(kOfEquations, option) != kOfEquations.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take {} for {}: it has no equations; "
                              "leave it out",
                              option,
                              model));
    }
  }
}

void CheckOutputs(const RunCommand& command, const JointRun& run) {
  CheckRecordFiles(command.tasks);
  if (!command.outputs.empty() && run.signals().signals().empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot write {}: there are no equations and no "
                            "resources; add some, or write the tasks by "
                            "--spans",
                            command.outputs.front()));
  }
}

// The interval of the rows of the results; 0 without equations.
double IntervalOf(const JointRun& run) {
  const Program* const program = run.root().equations();
  return program == nullptr
             ? 0
             : Resolve(run.timeline_options().equations, program->experiment)
                   .interval;
}

// A model on one timeline.
class JointEngine final : public RunEngine {
 public:
  explicit JointEngine(const JointModel& model) : model_(model) {}

  void CheckOptions(const RunCommand& command) const override {
    RefuseOfOthers(command);
  }

  void Make(RunCommand& /*asked*/,
            RunCommand& command,
            const Plans& plans) override {
    const Stopwatch watch;
    run_.emplace(model_, OptionsOfJoint(command));
    const Program* const program = run_->root().equations();
    if (program == nullptr) {
      RefuseOfEquations(command, command.model ? model_.name() : command.file);
    }
    CheckOutputs(command, *run_);
    CheckPlots(plans, run_->signals());
    head_ = {.model = model_.name(),
             .size = run_->size(),
             .planned = run_->num_planned(),
             .parameters = run_->parameters().declared(),
             .make_ms = watch.Milliseconds()};
    if (program != nullptr) {
      PrintDiagnostics(program->warnings);
    }
    PrintHead(command, JointHeadLine(head_));
  }

  [[nodiscard]] const std::string& model() const override {
    return model_.name();
  }

  [[nodiscard]] LiveRun& OpenLive(const RunCommand& command) override {
    return live_.emplace(
        *run_,
        LiveTimeline::Options{.period = LookPeriod(command, IntervalOf(*run_)),
                              .shown = command.live_choices.published});
  }

  void Run(const RunCommand& command) override {
    ProgressBar bar(!command.quiet && !command.json, command.report_fd);
    result_ = run_->Run([&](const Progress& progress) {
      if (run_->stop() && run_->stop()->value > 0) {
        bar.Show(progress);
      }
      return InterruptGuard::goes_on();
    });
  }

  void Run(LiveSession& session, SavedExperiment& saved) override {
    result_ = CarryOut(*live_, session, saved);
  }

  [[nodiscard]] Ending ending() const override {
    return EndingOf(result_.run.summary);
  }

  void TellEnd(const RunCommand& command) const override {
    TellWarnings(command, result_.run.warnings);
    cli::TellEnd(command, result_.run.summary);
  }

  [[nodiscard]] const Trajectory& Rows(bool are_wanted) override {
    if (are_wanted) {
      rows_ = ToTrajectory(result_.run);
    }
    return rows_;
  }

  [[nodiscard]] const EventLog& events() const override {
    return result_.run.events;
  }

  void KeepRecords(const RunCommand& command, SavedExperiment& saved) override {
    KeepSpans(command, result_.run.recording.spans, saved);
  }

  [[nodiscard]] std::string Json(const RunCommand& command,
                                 const Course& course) const override {
    return JsonReport(
        head_,
        result_,
        course.run_ms,
        command.events ? ReportedEvents::kWith : ReportedEvents::kWithout,
        course.lag);
  }

  [[nodiscard]] std::string Text(const Course& course) const override {
    return JointTextReport(head_, result_, course.run_ms, course.lag);
  }

  [[nodiscard]] std::vector<std::string> WriteRecords(
      const RunCommand& command) const override {
    return cli::WriteRecords(
        command.tasks, result_.run.recording.spans, result_.run.commits);
  }

  [[nodiscard]] std::optional<Timeline> AsTimeline(
      const Plans& plans) const override {
    return ToTimeline(result_.run, PlottedNames(plans.plot));
  }

  [[nodiscard]] std::span<const process::Profile> profiles() const override {
    return result_.run.recording.profiles;
  }

 private:
  const JointModel& model_;
  std::optional<JointRun> run_;
  std::optional<LiveTimeline> live_;
  JointHead head_;
  JointRunResult result_;
  Trajectory rows_;
};

}  // namespace

int RunJoint(const RunCommand& asked, const JointModel& model) {
  JointEngine engine(model);
  return CarryOutRun(asked, engine);
}

int CheckJoint(const CheckCommand& asked, const JointModel& model) {
  const JointRun run(model,
                     JointOptionsOf({.settings = ParameterTexts(asked.settings),
                                     .plan = asked.plan}));
  const JointModelSize& size = run.size();
  if (const Program* const program = run.root().equations()) {
    PrintDiagnostics(program->warnings);
  }
  PrintDiagnostics(run.warnings());
  if (asked.json) {
    fmt::print("{}", ModelReport(model.name(), run));
    return kSuccess;
  }
  fmt::print("{}: correct\n", model.name());
  if (!size.equations.empty()) {
    fmt::print("  equations of {}: {}, {}\n",
               size.equations,
               Counted(size.states, "state", "states"),
               Counted(size.inputs, "input", "inputs"));
  }
  devs::ForEachCoupled(run.root().devs_models(), [](const auto& coupled) {
    for (const auto& part : coupled.parts()) {
      if (part->ops() != nullptr) {
        fmt::print("  atomic model {}\n", part->Path());
      }
    }
  });
  const ProcessModelParts parts = PartsOf(run.root().task_models());
  PrintCells(parts);
  PrintEndAndParameters(
      run.stop() ? std::optional(ToDuration(run.stop()->value)) : std::nullopt,
      run.parameters().declared());
  PrintActivities(parts);
  PrintPlan(asked.plan, run.num_planned());
  return kSuccess;
}

}  // namespace orrery::cli
