#include "orrery/cli/commands/devs_command.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/commands/run_script.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/run_reports/dependencies_text.h"
#include "orrery/cli/run_reports/devs_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/saving/kept_trace.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/live/live_devs.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery::cli {
namespace {

DevsRunOptions OptionsOfDevs(const RunCommand& command) {
  DevsRunOptions options = DevsOptionsOf(DocumentOf(command));
  options.trace = command.devs.trace;
  if (!command.devs.observed.empty()) {
    options.observed = command.devs.observed;
  }
  return options;
}

void CheckOutputs(const RunCommand& command, const devs::Coupled& root) {
  const bool has_outputs = std::ranges::any_of(
      PortsOf(root), [](const DevsPort& port) { return !port.is_input; });
  if (!command.outputs.empty() && !has_outputs) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot write {}: model {} has no outputs; give it "
                            "some, or trace its parts by --trace",
                            command.outputs.front(),
                            root.Path()));
  }
}

void CheckTrace(const RunCommand& command) {
  if (!command.devs.trace.empty()) {
    CheckTraceFile(command.devs.trace);
  } else if (!command.devs.observed.empty() && !command.devs.keeps_trace) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot observe '{}': nothing is traced; give a "
                            "file by --trace, or --keep-trace",
                            command.devs.observed.front()));
  }
}

void CheckKeptTrace(const RunCommand& command) {
  if (command.devs.keeps_trace && !command.is_saved) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take --keep-trace beside --no-save: the trace is kept "
                "with the saved experiment; leave one of them out");
  }
}

// The head of reports on one run or several.
DevsHead HeadOf(const DevsModel& model,
                const DevsRun& run,
                const DevsRunOptions& options,
                double flatten_ms) {
  return {.model = model.name(),
          .size = run.size(),
          .engine = options.engine,
          .parameters = run.parameters().declared(),
          .flatten_ms = flatten_ms};
}

// A DEVS model, run once.
class DevsEngine final : public RunEngine {
 public:
  explicit DevsEngine(const DevsModel& model) : model_(model) {}

  void CheckOptions(const RunCommand& command) const override {
    CheckEndFits(command);
    if (command.devs.jobs > 1 &&
        command.devs.formalism == devs::Formalism::kClassic) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot take --jobs for a single run in classic DEVS: one "
                  "model moves at a time; leave it out, or ask for "
                  "--replications");
    }
  }

  void Make(RunCommand& /*asked*/,
            RunCommand& command,
            const Plans& plans) override {
    CheckTrace(command);
    CheckKeptTrace(command);
    DevsRunOptions options = OptionsOfDevs(command);
    options.records_outputs =
        command.is_saved || !command.outputs.empty() || !command.plots.empty();
    if (command.devs.keeps_trace) {
      options.trace_text = [this](std::string_view lines) {
        trace_.Add(lines);
      };
    }
    if (command.devs.jobs > 1) {
      threads_.emplace(static_cast<std::size_t>(command.devs.jobs));
      options.engine.executor = &*threads_;
    }
    const Stopwatch watch;
    run_.emplace(model_, options);
    const double flatten_ms = watch.Milliseconds();
    CheckOutputs(command, run_->root());
    CheckPlotNames(plans.plot);
    head_ = HeadOf(model_, *run_, options, flatten_ms);
  }

  [[nodiscard]] const std::string& model() const override {
    return model_.name();
  }

  [[nodiscard]] LiveRun& OpenLive(const RunCommand& command) override {
    return live_.emplace(*run_, command.live_choices.published);
  }

  void Announce(const RunCommand& command) const override {
    PrintHead(command, DevsHeadLine(head_));
  }

  void BeginRecords(SavedExperiment& saved) override { trace_.KeepWith(saved); }

  void Run(const RunCommand& command) override {
    ProgressBar bar(!command.quiet && !command.json, command.report_fd);
    result_ = run_->Run(Watched(bar));
  }

  void Run(LiveSession& session, SavedExperiment& saved) override {
    result_ = CarryOut(*live_, session, saved);
  }

  [[nodiscard]] Ending ending() const override {
    return EndingOf(result_.outcome, result_.message);
  }

  void TellEnd(const RunCommand& command) const override {
    cli::TellEnd(command, result_.outcome, result_.message);
    if (trace_.is_cut()) {
      PrintError(
          "{}: warning: the kept trace ends before the run: it has {} MB; "
          "--observe chooses models, --trace writes all of it to a file\n",
          command.program,
          KeptTrace::kMostBytes >> 20U);
    }
  }

  [[nodiscard]] const Trajectory& Rows(bool /*are_wanted*/) override {
    return result_.outputs;
  }

  void KeepRecords(const RunCommand& command,
                   SavedExperiment& /*saved*/) override {
    if (command.devs.keeps_trace) {
      trace_.Finish(run_->root());
    }
  }

  [[nodiscard]] std::string Json(const RunCommand& /*command*/,
                                 const Course& course) const override {
    return JsonReport(head_, result_, course.run_ms, course.lag);
  }

  [[nodiscard]] std::string Text(const Course& course) const override {
    return DevsTextReport(result_, course.run_ms, course.lag);
  }

  // The trace was written during the run.
  [[nodiscard]] std::vector<std::string> WriteRecords(
      const RunCommand& command) const override {
    return command.devs.trace.empty()
               ? std::vector<std::string>()
               : std::vector<std::string>{command.devs.trace};
  }

 private:
  // Checks the names of a plot as far as possible before a run: signals are the
  // outputs of the outermost model, or fields of the messages there.
  void CheckPlotNames(const PlotSpec& spec) const {
    std::vector<std::string> known;
    for (const DevsPort& port : PortsOf(run_->root())) {
      if (!port.is_input) {
        known.push_back(port.name);
      }
    }
    CheckPlotted(spec, [&](const std::string& name) {
      const std::string port = name.substr(0, name.find('.'));
      return std::ranges::find(known, port) != known.end()
                 ? std::string()
                 : fmt::format("model {} has no output '{}'{}",
                               run_->root().Path(),
                               port,
                               Clause(Suggest(port, known)));
    });
  }

  const DevsModel& model_;
  KeptTrace trace_;  // Grows while the run goes on, which ends before it.
  std::optional<ThreadPool> threads_;
  std::optional<DevsRun> run_;
  std::optional<LiveDevs> live_;
  DevsHead head_;
  DevsRunResult result_;
};

int RunOnce(const RunCommand& asked, const DevsModel& model) {
  DevsEngine engine(model);
  return CarryOutRun(asked, engine);
}

// Prints the messages of the abstract simulators, which have no other results.
int PrintMessages(const RunCommand& command, const DevsModel& model) {
  if (command.devs.replications > 1 || command.devs.jobs > 1 ||
      !command.outputs.empty() || !command.plots.empty() ||
      !command.devs.trace.empty() || command.devs.keeps_trace ||
      !command.until.empty() || command.json || IsLive(command)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take --messages beside options for results, threads, "
                "the end or the pace of a run: it prints the messages of the "
                "abstract simulators, and nothing else; leave them out");
  }
  TellMessages(model, OptionsOfDevs(command), [](const std::string& line) {
    fmt::print("{}\n", line);
  });
  return kSuccess;
}

// Refuses options for a single run.
void CheckReplicable(const RunCommand& command) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take {} for several replications: it is "
                            "for a single run; leave one of them out",
                            option));
  };
  if (!command.plots.empty() || !command.figure.empty() ||
      !command.data.empty()) {
    refuse("--plot, --figure or --data");
  }
  if (!command.devs.trace.empty() || command.devs.keeps_trace ||
      !command.devs.observed.empty()) {
    refuse("--trace, --keep-trace or --observe");
  }
  if (IsLive(command)) {
    refuse("--real-time or --connect");
  }
  for (const std::string& path : command.outputs) {
    CheckReplicationsFile(path);
  }
}

// Returns the results of the runs, by column.
RunBatch BatchOf(std::span<const DevsRunResult> runs,
                 const std::vector<RunColumn>& columns) {
  RunBatch batch;
  for (const DevsRunResult& run : runs) {
    const bool is_completed = run.outcome == DevsOutcome::kCompleted;
    if (!is_completed) {
      batch.failures.push_back(
          {.run = std::ssize(batch.status), .message = run.message});
    }
    batch.status.push_back(is_completed ? RunStatus::kCompleted
                                        : RunStatus::kFailed);
  }
  for (const RunColumn& column : columns) {
    std::vector<double>& values = batch.values.emplace_back();
    for (const DevsRunResult& run : runs) {
      const auto found = std::ranges::find(
          run.values, column.name, &DevsRunResult::Value::name);
      values.push_back(found == run.values.end() ? kNaN : found->value);
    }
  }
  return batch;
}

// Does not save anything if no run has results.
void SaveReplications(const RunCommand& command,
                      const DevsModel& model,
                      std::span<const DevsRunResult> runs) {
  std::vector<RunColumn> columns;
  for (const DevsEstimate& value : EstimateValues(runs)) {
    columns.push_back({.name = value.name});
  }
  if (columns.empty()) {
    return;
  }
  const std::int64_t asked = command.devs.replications;
  const RunBatch batch = BatchOf(runs, columns);
  SavedExperiment saved(command,
                        {.type = kReplications,
                         .model = model.name(),
                         .document = ToJson(DocumentOf(command)),
                         .runs_asked = asked,
                         .columns = columns});
  if (saved.is_saved()) {
    saved.store().AppendRuns(saved.id(), batch);
  }
  saved.Finish(
      {.status = StatusOf(OutcomeOf(runs, asked)),
       .message = batch.failures.empty() ? "" : batch.failures.front().message,
       .summary = ""});
}

int RunReplications(const RunCommand& command, const DevsModel& model) {
  CheckReplicable(command);
  const DevsRunOptions options = OptionsOfDevs(command);
  Stopwatch watch;
  const DevsRun first(model, options);  // Gives the facts that all runs share.
  const DevsHead head = HeadOf(model, first, options, watch.Milliseconds());
  PrintHead(command, DevsHeadLine(head));

  watch = {};
  const std::int64_t count = command.devs.replications;
  const std::vector<DevsRunResult> runs = [&] {
    const InterruptGuard guard;
    ThreadPool threads(static_cast<std::size_t>(command.devs.jobs));
    return Replicate(model, options, count, threads, [](auto, auto) {
      return InterruptGuard::goes_on();
    });
  }();
  const double run_ms = watch.Milliseconds();

  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].outcome != DevsOutcome::kCompleted) {
      PrintError("{}: replication {} (seed {}): {}\n",
                 command.program,
                 i + 1,
                 runs[i].seed,
                 runs[i].message);
    }
  }
  SaveReplications(command, model, runs);
  for (const std::string& path : command.outputs) {
    WriteReplications(path, runs);
  }
  if (command.json) {
    fmt::print("{}", JsonReport(head, runs, count, run_ms));
  } else if (!command.quiet) {
    fmt::print("{}", DevsTextReport(runs, count, run_ms));
  }
  TellWritten(command, command.outputs);
  return OutcomeOf(runs, count) == DevsOutcome::kCompleted ? kSuccess
                                                           : kModelFailed;
}

}  // namespace

int RunDevs(const RunCommand& command, const DevsModel& model) {
  RefuseGiven(command, kOfEquations, "models of equations");
  RefuseGiven(command, kOfTasks, "models of tasks");
  RefuseGiven(
      command, std::array{"--start"}, "models of equations and of tasks");
  if (command.devs.messages) {
    return PrintMessages(command, model);
  }
  return command.devs.replications > 1 ? RunReplications(command, model)
                                       : RunOnce(command, model);
}

int CheckDevs(const CheckCommand& asked, const DevsModel& model) {
  const DevsRun run(model, {.settings = ParameterTexts(asked.settings)});
  if (asked.json) {
    fmt::print("{}", ModelReport(model.name(), run));
    return kSuccess;
  }
  const auto print = [](std::size_t count, const char* one, const char* many) {
    fmt::print("  {:>6} {}\n", count, count == 1 ? one : many);
  };
  fmt::print("{}: correct\n", model.name());
  print(run.size().atomics, "atomic model", "atomic models");
  print(run.size().couplings, "coupling", "couplings");
  for (const DevsPort& port : PortsOf(run.root())) {
    fmt::print("  {} {}{}\n",
               port.is_input ? "input" : "output",
               port.name,
               port.takes_numbers ? ", of numbers" : "");
  }
  PrintEndAndParameters(run.stop(), run.parameters().declared());
  return kSuccess;
}

}  // namespace orrery::cli
