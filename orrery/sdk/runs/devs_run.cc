#include "orrery/sdk/runs/devs_run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/text/number_text.h"
#include "orrery/devs/reference.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/classes/number_ports.h"
#include "orrery/sdk/classes/record_numbers.h"
#include "orrery/sdk/runs/advance.h"
#include "orrery/sdk/runs/end_condition.h"
#include "orrery/sdk/runs/output_recorder.h"
#include "orrery/sdk/runs/shown_states.h"
#include "orrery/sdk/runs/trace_file.h"
#include "orrery/sdk/runs/trace_text.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

[[noreturn]] void RefuseInputs(const Table& table, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot take inputs from " + table.name() + ": " + why);
}

const devs::Port& InputOf(const devs::Coupled& root,
                          const Table& table,
                          const TableColumn& column) {
  const devs::Port* const port = root.FindPort(column.name);
  if (port != nullptr && port->direction() == devs::PortDirection::kIn) {
    if (!internal::TakesNumbers(*port)) {
      RefuseInputs(table,
                   "the messages at input '" + column.name + "' of model " +
                       root.Path() + " are no numbers; leave the column out");
    }
    return *port;
  }
  std::vector<std::string> known;
  for (const DevsPort& input : PortsOf(root)) {
    if (input.is_input && input.takes_numbers) {
      known.push_back(input.name);
    }
  }
  RefuseInputs(table,
               "model " + root.Path() + " has no input '" + column.name +
                   "' of numbers" + Clause(Suggest(column.name, known)));
}

Duration TimeOf(const Table& table, const TableColumn& times, std::size_t row) {
  const double seconds = times.values[row];
  const std::optional<Duration> time = NearestDuration(seconds);
  if (!time || seconds < 0) {
    RefuseInputs(table,
                 "the time in row " + std::to_string(row + 1) + " is " +
                     ShortestText(seconds) +
                     "; give seconds from 0 on, less than 9.2e9");
  }
  return *time;
}

}  // namespace

DevsModelSize SizeOf(const devs::Coupled& root) {
  DevsModelSize size;
  devs::ForEachCoupled(root, [&size](const devs::Coupled& coupled) {
    size.couplings += coupled.couplings().size();
    size.atomics += static_cast<std::size_t>(std::ranges::count_if(
        coupled.parts(),
        [](const auto& part) { return part->ops() != nullptr; }));
  });
  return size;
}

std::vector<DevsPort> PortsOf(const devs::Coupled& root) {
  std::vector<DevsPort> ports;
  for (const devs::Port* port = root.first_port(); port != nullptr;
       port = port->next()) {
    ports.push_back({.name = std::string(port->name()),
                     .is_input = port->direction() == devs::PortDirection::kIn,
                     .takes_numbers = internal::TakesNumbers(*port)});
  }
  return ports;
}

void CheckTraceFile(const std::string& path) {
  internal::TraceFile::Check(path);
}

// Runs ------------------------------------------------------------------------

// The observers of a run.
class DevsRun::Recorders {
 public:
  Recorders(devs::Simulator& simulator,
            const devs::Coupled& root,
            const DevsRunOptions& options)
      : outputs(simulator,
                root,
                options.records_outputs
                    ? internal::OutputRecorder::Memory::kAllValues
                    : internal::OutputRecorder::Memory::kLastValues) {
    if (!options.trace.empty()) {
      trace.emplace(options.trace);
      trace->Observe(simulator, options.observed);
    }
    if (options.trace_text) {
      text.emplace(devs::Trace::Format::kCsv, options.trace_text);
      text->Observe(simulator, options.observed);
    }
  }

  internal::OutputRecorder outputs;
  std::optional<internal::TraceFile> trace;
  std::optional<internal::TraceText> text;
};

// Watches the quantities of the condition that ends a run.
class DevsRun::End {
 public:
  End(devs::Simulator& simulator,
      const devs::Coupled& root,
      const std::string& condition)
      : quantities_(root, simulator),
        condition_(
            condition,
            root.Path(),
            [this](const std::string& name) { return quantities_.Find(name); },
            quantities_.names()) {
    quantities_.Watch(condition_.quantities());
  }

  [[nodiscard]] std::optional<Duration> Find(Duration now, Duration until) {
    return condition_.First(now, until, quantities_.values());
  }

 private:
  internal::ShownStates quantities_;
  internal::EndCondition condition_;
};

DevsRun::DevsRun(const DevsModel& model, DevsRunOptions options)
    : model_(model),
      options_(std::move(options)),
      parameters_(options_.settings),
      root_(model_.Make(parameters_)),
      size_(SizeOf(*root_)),
      stop_(options_.stop ? options_.stop : parameters_.default_stop()) {
  if (stop_ && *stop_ < Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot stop at " + ToText(*stop_) +
                    ": the run starts at 0 s; give a later time");
  }
  options_.engine.priority =
      internal::ModelsCalled(options_.priority, *root_, options_.engine);
  simulator_.emplace(*root_, options_.engine);
  if (options_.inputs != nullptr) {
    TakeInputs(*options_.inputs);
  }
  recorders_ = std::make_unique<Recorders>(*simulator_, *root_, options_);
  if (!options_.until.empty()) {
    end_ = std::make_unique<End>(*simulator_, *root_, options_.until);
  }
}

DevsRun::~DevsRun() = default;

void DevsRun::TakeInputs(const Table& table) {
  if (table.rows() == 0) {
    RefuseInputs(table, "it has no rows");
  }
  const TableColumn* const times = &table.times();
  for (const TableColumn& column : table.columns()) {
    if (&column == times) {
      continue;
    }
    const devs::Port& port = InputOf(*root_, table, column);
    const std::vector<double> values =
        ValuesIn(internal::UnitOf(port), table, column);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const Duration at = TimeOf(table, *times, row);
      const double value = values[row];
      if (std::isnan(value)) {
        continue;
      }
      const std::string why = internal::WhyNoMessage(port, value);
      if (!why.empty()) {
        RefuseInputs(table,
                     "column '" + column.name + "' has " + ShortestText(value) +
                         " in row " + std::to_string(row + 1) + "; " + why);
      }
      internal::InjectNumber(*simulator_, port, value, at);
    }
  }
}

DevsRunResult DevsRun::Run(const Watch& watch) {
  CheckHasNotRun();
  internal::Course course{.stop = stop_, .watch = watch, .ends = {}};
  if (end_ != nullptr) {
    course.ends = [this](Duration now, Duration until) {
      return end_->Find(now, until);
    };
  }
  const auto [outcome, message] =
      internal::AdvanceToEnd(*simulator_, root_->Path(), course);
  return Finish(outcome, message);
}

void DevsRun::CheckHasNotRun() const {
  internal::RequireFirstRun(has_run_, model_.name(), "a DevsRun");
}

NewRows DevsRun::TakeNewRows() {
  return options_.records_outputs ? recorders_->outputs.TakeNewRows()
                                  : NewRows{};
}

DevsRunResult DevsRun::Finish(DevsOutcome outcome, const std::string& message) {
  CheckHasNotRun();
  has_run_ = true;
  DevsRunResult result{.outcome = outcome,
                       .message = message,
                       .end = simulator_->now(),
                       .seed = options_.engine.seed,
                       .statistics = simulator_->statistics()};
  const internal::OutputRecorder& outputs = recorders_->outputs;
  for (const auto& output : outputs.Outputs()) {
    result.values.push_back(
        {.name = output.name, .value = output.value, .time = output.time});
  }
  if (options_.records_outputs) {
    result.outputs = outputs.Build(result.end);
  }
  if (recorders_->trace) {
    recorders_->trace->Commit();
  }
  if (outcome != DevsOutcome::kFailed) {
    const Record record = model_.ResultsOf(*root_, *simulator_);
    for (const Record::Field& field : record.fields()) {
      result.values.push_back(
          {.name = field.name,
           .value = internal::NumberIn(field.value)
                        .value_or(std::numeric_limits<double>::quiet_NaN())});
    }
  }
  return result;
}

// Messages --------------------------------------------------------------------

void TellMessages(const DevsModel& model,
                  const DevsRunOptions& options,
                  const std::function<void(const std::string& line)>& tell) {
  if (options.inputs != nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "cannot show the messages of a run with inputs over time; let "
                "the model make them");
  }
  Parameters parameters(options.settings);
  const std::unique_ptr<devs::Coupled> root = model.Make(parameters);
  const auto stop = options.stop ? options.stop : parameters.default_stop();
  if (!stop) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot show the messages of a run without an end; give a time "
                "to stop at");
  }
  devs::Options engine = options.engine;
  engine.priority = internal::ModelsCalled(options.priority, *root, engine);
  devs::ReferenceSimulator run(*root, engine);
  run.Tell([&tell](const devs::SimulatorMessage& message) {
    tell(devs::TextOf(message));
  });
  run.RunUntil(*stop);
}

// Replications ----------------------------------------------------------------

std::vector<DevsRunResult> Replicate(const DevsModel& model,
                                     const DevsRunOptions& options,
                                     std::int64_t count,
                                     Executor& executor,
                                     const DevsRun::Watch& watch) {
  const auto size = static_cast<std::size_t>(count);
  std::vector<std::optional<DevsRunResult>> results(size);
  std::atomic<bool> is_interrupted = false;
  executor.ForEachThatMayThrow(size, [&](std::size_t i) {
    if (is_interrupted) {
      return;
    }
    DevsRunOptions its = options;
    its.engine.seed =
        ReplicationSeed(options.engine.seed, static_cast<std::int64_t>(i));
    results[i] = DevsRun(model, std::move(its)).Run(watch);
    if (results[i]->outcome == DevsOutcome::kInterrupted) {
      is_interrupted = true;
    }
  });
  std::vector<DevsRunResult> done;
  for (std::optional<DevsRunResult>& result : results) {
    if (result) {
      done.push_back(std::move(*result));
    }
  }
  return done;
}

std::vector<DevsEstimate> EstimateValues(std::span<const DevsRunResult> runs) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  for (const DevsRunResult& run : runs) {
    if (run.outcome != DevsOutcome::kCompleted) {
      continue;
    }
    for (const DevsRunResult::Value& value : run.values) {
      const auto found = std::ranges::find(names, value.name);
      const auto i = static_cast<std::size_t>(found - names.begin());
      if (found == names.end()) {
        names.push_back(value.name);
        values.emplace_back();
      }
      values[i].push_back(value.value);
    }
  }
  std::vector<DevsEstimate> estimates;
  for (std::size_t i = 0; i < names.size(); ++i) {
    estimates.push_back(
        {.name = names[i], .estimate = EstimateMean(values[i])});
  }
  return estimates;
}

void CheckReplicationsFile(const std::string& path) {
  if (FormatEnding(path) != ".csv") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot write the numbers of replications to " + path +
                    ": they are a table with a row for each; give a name that "
                    "ends in .csv");
  }
  OutputFile::Check(path);
}

void WriteReplications(const std::string& path,
                       std::span<const DevsRunResult> runs) {
  CheckReplicationsFile(path);
  std::vector<std::string> names;
  for (const DevsRunResult& run : runs) {
    for (const DevsRunResult::Value& value : run.values) {
      if (std::ranges::find(names, value.name) == names.end()) {
        names.push_back(value.name);
      }
    }
  }
  OutputFile file(path);
  std::string text = "replication,seed,outcome,time";
  for (const std::string& name : names) {
    text += "," + name;
  }
  file.Write(text + "\n");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const DevsRunResult& run = runs[i];
    text = std::to_string(i + 1) + "," + std::to_string(run.seed) + "," +
           std::string(Describe(run.outcome)) + "," + SecondsText(run.end);
    for (const std::string& name : names) {
      const auto found =
          std::ranges::find(run.values, name, &DevsRunResult::Value::name);
      text += "," +
              (found == run.values.end() ? "nan" : ShortestText(found->value));
    }
    file.Write(text + "\n");
  }
  file.Commit();
}

}  // namespace orrery
