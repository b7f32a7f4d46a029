#include "orrery/cli/commands/task_command.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/resident_command.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/commands/run_script.h"
#include "orrery/cli/run_reports/dependencies_text.h"
#include "orrery/cli/run_reports/task_text.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/sdk/live/live_tasks.h"
#include "orrery/sdk/process_timeline.h"

namespace orrery::cli {
namespace {

ProcessRunOptions OptionsOfTasks(const RunCommand& command) {
  const TaskChoices& tasks = command.tasks;
  ProcessRunOptions options = ProcessOptionsOf(DocumentOf(command));
  options.engine.records.spans =
      !tasks.plan.empty() || !tasks.spans.empty() || tasks.timeline;
  options.engine.records.events = !tasks.event_log.empty();
  return options;
}

// A model of tasks.
class TaskEngine final : public RunEngine {
 public:
  explicit TaskEngine(const ProcessModel& model) : model_(model) {}

  void CheckOptions(const RunCommand& command) const override {
    CheckEndFits(command);
    RefuseGiven(command, kOfEquations, "models of equations");
    RefuseGiven(command, kOfDevs, "DEVS models");
    RefuseGiven(
        command, std::array{"--input"}, "DEVS models and models of equations");
  }

  void Make(RunCommand& /*asked*/,
            RunCommand& command,
            const Plans& plans) override {
    run_.emplace(model_, OptionsOfTasks(command));
    CheckFiles(command);
    CheckPlotNames(plans.plot);
    head_ = {.model = model_.name(),
             .size = run_->size(),
             .planned = run_->num_planned(),
             .parameters = run_->parameters().declared(),
             .warnings = run_->warnings()};
    PrintDiagnostics(head_.warnings);
    PrintHead(command, TaskHeadLine(head_));
  }

  [[nodiscard]] const std::string& model() const override {
    return model_.name();
  }

  [[nodiscard]] LiveRun& OpenLive(const RunCommand& command) override {
    return live_.emplace(
        *run_,
        LiveTasks::Options{.period = LookPeriod(command, 0),
                           .shown = command.live_choices.published});
  }

  void Run(const RunCommand& command) override {
    ProgressBar bar(!command.quiet && !command.json, command.report_fd);
    result_ = run_->Run(Watched(bar, run_->start()));
  }

  void Run(LiveSession& session, SavedExperiment& saved) override {
    result_ = CarryOut(*live_, session, saved);
  }

  [[nodiscard]] Ending ending() const override {
    return EndingOf(result_.outcome, result_.message);
  }

  void TellEnd(const RunCommand& command) const override {
    TellWarnings(command, result_.warnings);
    cli::TellEnd(command, result_.outcome, result_.message);
  }

  [[nodiscard]] const Trajectory& Rows(bool are_wanted) override {
    if (are_wanted) {
      rows_ = ToTrajectory(profiles(), run_->start(), result_.end);
    }
    return rows_;
  }

  void KeepRecords(const RunCommand& command, SavedExperiment& saved) override {
    KeepSpans(command, run_->recording().spans, saved);
  }

  [[nodiscard]] std::string Json(const RunCommand& /*command*/,
                                 const Course& course) const override {
    return JsonReport(
        head_, result_, run_->recording().spans, course.run_ms, course.lag);
  }

  [[nodiscard]] std::string Text(const Course& course) const override {
    return TaskTextReport(
        result_, run_->recording().spans, course.run_ms, course.lag);
  }

  [[nodiscard]] std::vector<std::string> WriteRecords(
      const RunCommand& command) const override {
    const process::Recording& recording = run_->recording();
    return cli::WriteRecords(command.tasks, recording.spans, recording.events);
  }

  [[nodiscard]] std::optional<Timeline> AsTimeline(
      const Plans& plans) const override {
    return ToTimeline(run_->recording(),
                      run_->start(),
                      result_.end,
                      PlottedNames(plans.plot));
  }

  [[nodiscard]] std::span<const process::Profile> profiles() const override {
    return run_->recording().profiles;
  }

 private:
  void CheckFiles(const RunCommand& command) const {
    CheckRecordFiles(command.tasks);
    if (!command.outputs.empty() && run_->resources().empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot write {}: model {} has no resources; "
                              "give it some, or write its tasks by --spans",
                              command.outputs.front(),
                              model_.name()));
    }
  }

  // The run finds out if a resource is a number.
  void CheckPlotNames(const PlotSpec& spec) const {
    const std::vector<std::string> resources = run_->resources();
    CheckPlotted(spec, [&](const std::string& name) {
      return std::ranges::find(resources, name) != resources.end()
                 ? std::string()
                 : fmt::format("model {} has no resource of this name{}",
                               model_.name(),
                               Clause(Suggest(name, resources)));
    });
  }

  const ProcessModel& model_;
  std::optional<ProcessRun> run_;
  std::optional<LiveTasks> live_;
  ProcessHead head_;
  ProcessRunResult result_;
  Trajectory rows_;
};

}  // namespace

int RunTasks(const RunCommand& asked, const ProcessModel& model) {
  if (asked.tasks.is_resident) {
    return RunResident(asked, model);
  }
  TaskEngine engine(model);
  return CarryOutRun(asked, engine);
}

int CheckTasks(const CheckCommand& asked, const ProcessModel& model) {
  const ProcessRun run(
      model,
      ProcessOptionsOf(
          {.settings = ParameterTexts(asked.settings), .plan = asked.plan}));
  PrintDiagnostics(run.warnings());
  if (asked.json) {
    fmt::print("{}", ModelReport(model.name(), run));
    return kSuccess;
  }
  fmt::print("{}: correct\n", model.name());
  const ProcessModelParts parts = PartsOf(run.root());
  PrintCells(parts);
  PrintEndAndParameters(run.stop(), run.parameters().declared());
  PrintActivities(parts);
  PrintPlan(asked.plan, run.num_planned());
  return kSuccess;
}

}  // namespace orrery::cli
