#include "orrery/sdk/runs/joint_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/element_units.h"
#include "orrery/base/error.h"
#include "orrery/base/values/setting.h"
#include "orrery/sdk/model/setting_parts.h"
#include "orrery/sdk/plan/plan_file.h"
#include "orrery/sdk/runs/advance.h"
#include "orrery/sdk/runs/joint_rows.h"
#include "orrery/sdk/runs/readings.h"
#include "orrery/sdk/runs/run_end.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

[[noreturn]] void RefuseSetting(const std::string& name,
                                const std::string& model,
                                const Program& program,
                                const Parameters& parameters) {
  std::vector<std::string> known;
  for (const ParameterInfo& info : parameters.declared()) {
    known.push_back(info.name);
  }
  for (const ProgramVariable& variable : program.variables) {
    known.push_back(variable.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot set '" + name + "': model " + model +
                  " has no such parameter, and its equations " + program.name +
                  " have no such quantity" + Clause(Suggest(name, known)));
}

[[noreturn]] void RefuseName(const std::string& name) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot record '" + name +
                  "': a resource is called as a quantity of the equations is; "
                  "choose another name for it");
}

}  // namespace

JointModelSize SizeOf(const Simulation& simulation) {
  JointModelSize size{.equations = {},
                      .devs = SizeOf(simulation.devs_models()),
                      .tasks = SizeOf(simulation.task_models())};
  if (const Program* const program = simulation.equations()) {
    size.equations = program->name;
    size.states = program->state_slots.size();
    size.inputs = program->input_slots.size();
  }
  return size;
}

JointRun::JointRun(const JointModel& model, JointRunOptions options)
    : model_(model),
      options_(std::move(options)),
      parameters_(options_.settings),
      root_(model_.Make(parameters_)),
      size_(SizeOf(*root_)) {
  options_.timeline.tasks.records.profiles = true;
  options_.timeline.max_instants =
      std::min(options_.timeline.max_instants, kMaxInstantsWithoutStop);
  TakeSettings();
  TakePlan();
  TakeSignals();
}

JointRun::~JointRun() = default;

// Settings that the class has not declared go to the equations.
void JointRun::TakeSettings() {
  const Program* const program = root_->equations();
  if (program == nullptr) {
    parameters_.CheckAllDeclared(model_.name());
    return;
  }
  std::vector<Setting>& settings = options_.timeline.equations.settings;
  const auto declared = parameters_.declared();
  const NameTable names(*program);
  for (const ParameterText& text : options_.settings) {
    if (std::ranges::find(declared, text.name, &ParameterInfo::name) !=
        declared.end()) {
      continue;
    }
    const std::optional<NamedScalar> scalar = names.Find(text.name);
    if (!scalar) {
      RefuseSetting(text.name, model_.name(), *program, parameters_);
    }
    settings.push_back(internal::ToSetting(
        text,
        UnitOfElement(program->variables[scalar->variable].notes->unit.str(),
                      scalar->element)));
  }
  warnings_ = CheckSettings(*program, settings);
}

void JointRun::TakePlan() {
  TimelineOptions& timeline = options_.timeline;
  PlanFile file;
  if (options_.plan != nullptr) {
    file = ReadPlan(options_.plan, root_->task_models());
  }
  LeaveOut(file, options_.without);
  if (file.start.value_or(Duration::zero()) != Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot start at " + ToText(*file.start) + ", as " +
                    options_.plan->name() +
                    " says: what is on one timeline begins at 0 s; leave "
                    "\"start\" out");
  }
  for (const auto& stop : {file.stop, parameters_.default_stop()}) {
    if (!timeline.stop && stop) {
      timeline.stop = Seconds(*stop);
    }
  }
  stop_ = timeline.stop;
  if (stop_ && stop_->value < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot stop at " + ToText(ToDuration(stop_->value)) +
                    ": the run starts at 0 s; give a later time");
  }
  if (const Program* const program = root_->equations()) {
    SimulationOptions equations = timeline.equations;
    equations.start = 0;
    equations.stop = stop_ ? stop_ : equations.stop;
    const ResolvedOptions resolved = Resolve(equations, program->experiment);
    CheckTimes(equations, resolved);
    CheckSteps(*program, equations, resolved);
    stop_ = resolved.stop;
    told_ = WhereInputsAreHeld(*program, equations);
  }
  std::ranges::move(
      FindLeftOut(file,
                  Duration::zero(),
                  stop_ ? NearestDuration(stop_->value) : std::nullopt),
      std::back_inserter(told_));
  warnings_.insert(warnings_.end(), told_.begin(), told_.end());
  timeline.plan = std::move(file.plan);
}

void JointRun::TakeSignals() {
  std::vector<SignalInfo> signals;
  if (const Program* const program = root_->equations()) {
    signals = RecordedSignals(*program, options_.timeline.equations)->signals();
  }
  const std::size_t num_quantities = signals.size();
  for (const auto& resource : PartsOf(root_->task_models()).resources) {
    const auto end =
        signals.begin() + static_cast<std::ptrdiff_t>(num_quantities);
    if (std::find_if(signals.begin(), end, [&](const SignalInfo& signal) {
          return signal.name == resource.path;
        }) != end) {
      RefuseName(resource.path);
    }
    signals.push_back({.name = resource.path,
                       .unit = resource.unit,
                       .variability = SignalVariability::kConstant});
  }
  signals_ = std::make_shared<const SignalTable>(std::move(signals));
}

JointRunResult JointRun::Run(const Observer& observer) {
  CheckHasNotRun();
  return Finish(root_->Run(options_.timeline, observer));
}

void JointRun::CheckHasNotRun() const {
  internal::RequireFirstRun(has_run_, model_.name(), "a JointRun");
}

JointRunResult JointRun::Finish(TimelineResult run) {
  CheckHasNotRun();
  has_run_ = true;
  JointRunResult result{
      .run = std::move(run), .seed = options_.timeline.seed, .values = {}};
  Summary& summary = result.run.summary;
  summary.diagnostics.insert(
      summary.diagnostics.begin(), told_.begin(), told_.end());
  result.values =
      internal::ReadingsAt(result.run.recording.profiles, result.run.end);
  if (summary.completed() || summary.outcome == RunOutcome::kInterrupted) {
    AddResults(result);
  }
  return result;
}

// If the model fails to compute its results, the others are kept.
void JointRun::AddResults(JointRunResult& result) const {
  try {
    const Record record = model_.ResultsOf(*root_, result.run);
    for (const Record::Field& field : record.fields()) {
      result.values.push_back(
          {.name = field.name, .value = field.value, .unit = {}});
    }
  } catch (const Error& error) {
    Summary& summary = result.run.summary;
    summary.outcome = RunOutcome::kModelFailed;
    summary.message = error.what();
    summary.diagnostics.push_back({.message = summary.message});
  }
}

Trajectory ToTrajectory(const TimelineResult& run) {
  Trajectory resources =
      ToTrajectory(run.recording.profiles, Duration::zero(), run.end);
  if (run.trajectory.signals().empty()) {
    return resources;
  }
  return resources.signals().empty()
             ? run.trajectory
             : internal::Join(run.trajectory, resources);
}

}  // namespace orrery
