#include "orrery/fmi/runtime/program_component.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/number_text.h"
#include "orrery/sim/machine/settings.h"

namespace orrery::fmi {
namespace {

// The full nanosecond within `rounding` of the end, if there is one, so that
// what takes place at the end of a step takes place in it.
double EndOfStep(double end, double rounding) {
  const std::optional<Duration> nearest = NearestDuration(end);
  const double full = nearest ? Seconds(*nearest).value : end;
  return std::abs(full - end) <= rounding ? full : end;
}

}  // namespace

ProgramComponent::ProgramComponent(std::shared_ptr<const ExportedModel> model,
                                   Use use)
    : model_(std::move(model)), use_(use) {
  ProgramComponent::Reset();
}

void ProgramComponent::Reset() {
  run_.reset();
  point_.reset();
  set_.clear();
  given_.clear();
  changes_.clear();
  is_started_ = false;
  const double start = model_->program->experiment.start;
  start_ = std::isnan(start) ? 0 : start;
  stop_.reset();
  tolerance_.reset();
  for (const auto& [reference, value] : model_->settings) {
    given_[reference] = SettingOf(reference, value);
  }
}

void ProgramComponent::Setup(double start,
                             std::optional<double> stop,
                             std::optional<double> tolerance) {
  run_.reset();
  point_.reset();
  start_ = start;
  stop_ = stop;
  tolerance_ = tolerance;
}

SimulationOptions ProgramComponent::Options() const {
  const Program& program = *model_->program;
  SimulationOptions options;
  options.start = Seconds(start_);
  const double own = program.experiment.stop;
  const double stop =
      stop_.value_or(!std::isnan(own) && own > start_ ? own : start_ + 1);
  options.stop = Seconds(stop);
  options.tolerance = tolerance_ ? tolerance_ : model_->tolerance;
  options.method = model_->method;
  if (HasFixedStep(model_->method)) {
    options.step = Seconds(model_->step);
  }
  // Values are read from memory: rows are of no use.
  if (stop > start_) {
    options.interval = Seconds(stop - start_);
  }
  options.max_steps = std::numeric_limits<std::int64_t>::max();
  options.code = CodeChoice::kInterpreted;
  for (const ProgramVariable& variable : program.variables) {
    if (!variable.is_protected && variable.shape.empty()) {
      options.record = {variable.name};
      break;
    }
  }
  options.settings = GivenSettings();
  return options;
}

std::vector<Setting> ProgramComponent::GivenSettings() const {
  std::vector<Setting> settings;
  for (const auto& [reference, setting] : given_) {
    settings.push_back(setting);
  }
  return settings;
}

// The run as it stands, with all that was set.
Simulator& ProgramComponent::Run() {
  if (!run_) {
    run_.emplace(model_->program, Options());
    ThrowIfFailed();
  }
  if (!changes_.empty()) {
    std::vector<Setting> settings;
    for (auto& [reference, setting] : std::exchange(changes_, {})) {
      settings.push_back(setting);
    }
    run_->Set(settings);
    ThrowIfFailed();
  }
  return *run_;
}

void ProgramComponent::ThrowIfFailed() {
  if (run_->has_ended()) {
    const Summary summary = run_->Result().summary;
    if (!summary.completed()) {
      throw Error(ErrorCode::kInvalidModel, summary.message);
    }
  }
}

void ProgramComponent::Start() {
  if (use_ == Use::kModelExchange) {
    Point();
  } else {
    Run();
  }
  is_started_ = true;
}

// The point as it stands, with all that was set.
OperatingPoint& ProgramComponent::Point() {
  if (!point_) {
    point_.emplace(model_->program, start_, GivenSettings());
    Moved();
  }
  if (!changes_.empty()) {
    changes_.clear();
    std::vector<Setting> settings;
    for (const auto& [reference, setting] : set_) {
      settings.push_back(setting);
    }
    point_->Change(settings);
    Moved();
  }
  return *point_;
}

void ProgramComponent::Moved() noexcept {
  are_derivatives_new_ = true;
  are_outputs_new_ = true;
  are_indicators_new_ = true;
}

void ProgramComponent::Evaluate(bool with_outputs) {
  OperatingPoint& point = Point();
  if (with_outputs ? !are_outputs_new_ : !are_derivatives_new_) {
    return;
  }
  if (!point.EvaluateBetweenEvents(with_outputs)) {
    throw point.ExplainFailure();
  }
  are_derivatives_new_ = false;
  are_outputs_new_ = !with_outputs;
}

ProgramComponent::EventEnd ProgramComponent::UpdateDiscrete() {
  OperatingPoint& point = Point();
  EventEnd end;
  if (std::exchange(has_event_, false)) {
    const std::optional<std::vector<double>> before = Motion();
    if (!point.HandleEvent() && !point.has_terminated()) {
      throw point.ExplainFailure();
    }
    Moved();
    end.is_terminated = point.has_terminated();
    if (end.is_terminated) {
      end.message = point.EndMessage();
    }
    end.has_new_states = !before || before != Motion();
  }
  end.next_time = point.next_time();
  return end;
}

// The states and their derivatives; nothing if these cannot be evaluated.
// Importers go on with steps of several points where states have not changed: a
// jump of the derivatives alone has to make them begin anew, too.
std::optional<std::vector<double>> ProgramComponent::Motion() {
  const std::size_t count = num_states();
  std::vector<double> motion(2 * count);
  Point().GetStates(std::span(motion).first(count));
  try {
    GetDerivatives(std::span(motion).last(count));
  } catch (const Error&) {
    return std::nullopt;
  }
  return motion;
}

void ProgramComponent::SetTime(double t) {
  Point().SetTime(t);
  Moved();
}

void ProgramComponent::CheckSize(std::size_t size, std::size_t wanted) const {
  if (size != wanted) {
    throw Error(ErrorCode::kInvalidArgument,
                std::to_string(size) + " values are given, and " +
                    model_->program->name + " has " + std::to_string(wanted));
  }
}

void ProgramComponent::SetStates(std::span<const double> x) {
  CheckSize(x.size(), num_states());
  Point().SetStates(x);
  Moved();
}

void ProgramComponent::GetStates(std::span<double> x) {
  CheckSize(x.size(), num_states());
  Point().GetStates(x);
}

void ProgramComponent::GetDerivatives(std::span<double> dx) {
  CheckSize(dx.size(), num_states());
  Evaluate(false);
  for (std::size_t i = 0; i < dx.size(); ++i) {
    dx[i] = point_->Value(model_->program->derivatives_at[i]);
  }
}

void ProgramComponent::GetNominals(std::span<double> nominals) const {
  CheckSize(nominals.size(), num_states());
  std::ranges::copy(model_->program->nominal, nominals.begin());
}

void ProgramComponent::GetIndicators(std::span<double> indicators) {
  CheckSize(indicators.size(), num_indicators());
  if (!Point().GetIndicators(indicators)) {
    throw Error(ErrorCode::kInvalidModel,
                "the relations cannot be evaluated at this point");
  }
  // Their operands are in the memory of the values.
  are_derivatives_new_ = true;
  are_outputs_new_ = true;
}

double ProgramComponent::Indicator(std::size_t number) {
  if (use_ != Use::kModelExchange) {
    return 0;  // Nobody integrates.
  }
  if (are_indicators_new_) {
    indicators_.resize(num_indicators());
    GetIndicators(indicators_);
    are_indicators_new_ = false;
  }
  return indicators_[number];
}

// Checks that these are states or inputs: all others follow from them.
void ProgramComponent::CheckMoves(std::span<const std::uint32_t> knowns) const {
  const Program& program = *model_->program;
  for (const std::uint32_t known : knowns) {
    const std::uint32_t slot = program.references[known].slot;
    const auto has = [slot](const std::vector<std::uint32_t>& slots) {
      return std::ranges::find(slots, slot) != slots.end();
    };
    if (!has(program.state_slots) && !has(program.input_slots)) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot differentiate along " +
                      NameOf(program, ScalarOf(program, known)) +
                      ": it is neither a state nor a continuous input");
    }
  }
}

// Evaluates all quantities where they are to be differentiated: by
// Co-Simulation where the run is.
void ProgramComponent::LinearPoint() {
  if (use_ == Use::kModelExchange) {
    Evaluate(true);
    return;
  }
  const Context& context = Run().context();
  if (!point_) {
    point_.emplace(model_->program, start_, GivenSettings());
  }
  point_->Restore(context);
  if (!point_->Evaluate()) {
    throw point_->ExplainFailure();
  }
}

void ProgramComponent::Differentiate(std::span<const std::uint32_t> unknowns,
                                     std::span<const std::uint32_t> knowns,
                                     std::span<const double> seeds,
                                     std::span<double> derivatives) {
  CheckSize(seeds.size(), knowns.size());
  CheckSize(derivatives.size(), unknowns.size());
  for (const auto& references : {unknowns, knowns}) {
    for (const std::uint32_t reference : references) {
      CheckType(reference, NumberType::kReal);
    }
  }
  CheckMoves(knowns);
  LinearPoint();
  const std::vector<Reference>& places = model_->program->references;
  std::ranges::fill(derivatives, 0.0);
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    const Reference known = places[knowns[k]];
    if (seeds[k] == 0) {
      continue;
    }
    if (!point_->Differentiate(known.slot)) {
      throw point_->ExplainFailure();
    }
    const double seed = static_cast<double>(known.sign) * seeds[k];
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      derivatives[i] += seed * point_->Tangent(places[unknowns[i]]);
    }
  }
}

bool ProgramComponent::CompleteStep() {
  const bool has_event = Point().CompleteStep();
  Moved();
  return has_event;
}

void ProgramComponent::CheckType(std::uint32_t reference,
                                 NumberType type) const {
  const Program& program = *model_->program;
  if (reference >= program.references.size()) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "no variable has the value reference " + std::to_string(reference));
  }
  const NamedScalar scalar = ScalarOf(program, reference);
  if (program.variables[scalar.variable].type != type) {
    throw Error(ErrorCode::kInvalidArgument,
                "variable " + NameOf(program, scalar) + ", value reference " +
                    std::to_string(reference) + ", is of another type");
  }
}

double ProgramComponent::Get(std::uint32_t reference, NumberType type) {
  const Program& program = *model_->program;
  const bool is_exchange = use_ == Use::kModelExchange;
  const std::size_t time = program.references.size();
  const bool is_indicator = type == NumberType::kReal && reference > time &&
                            reference - time <= num_indicators();
  if (is_indicator) {
    return Indicator(reference - time - 1);
  }
  if (is_exchange) {
    Evaluate(true);
  }
  if (reference == time && type == NumberType::kReal) {
    return is_exchange ? point_->Value({.slot = program.time_slot}) : Run().t();
  }
  CheckType(reference, type);
  const Reference at = program.references[reference];
  return is_exchange
             ? point_->Value(at)
             : static_cast<double>(at.sign) * Run().context().memory[at.slot];
}

Setting ProgramComponent::SettingOf(std::uint32_t reference,
                                    double value) const {
  const Program& program = *model_->program;
  return {.name = NameOf(program, ScalarOf(program, reference)),
          .value = value};
}

Setting ProgramComponent::SettingOf(std::uint32_t reference,
                                    NumberType type,
                                    double value) const {
  CheckType(reference, type);
  return SettingOf(reference, value);
}

void ProgramComponent::Set(std::uint32_t reference,
                           NumberType type,
                           double value) {
  Setting setting = SettingOf(reference, type, value);
  const Program& program = *model_->program;
  const NamedScalar scalar = ScalarOf(program, reference);
  sim::internal::CheckSetting(program, setting, scalar, is_started_);
  if (!is_started_) {
    given_[reference] = std::move(setting);
    run_.reset();
    point_.reset();
    return;
  }
  if (use_ == Use::kCoSimulation) {
    changes_[reference] = std::move(setting);
    return;
  }
  set_[reference] = setting;
  if (program.variables[scalar.variable].kind == VariableKind::kInput) {
    Point().Set(program.references[reference], value);
  } else {
    changes_[reference] = std::move(setting);
  }
  Moved();
}

ProgramComponent::StepEnd ProgramComponent::DoStep(double t, double step) {
  Simulator& run = Run();
  const double rounding = CheckStep(t, step, run.t());
  const double end = EndOfStep(t + step, std::min(rounding, step / 1000));
  if (end > run.t() && run.AdvanceTo(Seconds(end))) {
    // Outputs are those after what takes place at this time.
    run.Set({});
  }
  ThrowIfFailed();
  if (!run.has_ended()) {
    return {.reached = run.t() == end ? t + step : run.t()};
  }
  return {.reached = run.t(),
          .is_terminated = true,
          .message = run.Result().summary.message};
}

std::unique_ptr<Component> MakeComponent(const std::string& folder,
                                         std::string_view token,
                                         Component::Use use) {
  const std::string path =
      folder + (folder.ends_with('/') ? "" : "/") + std::string(kModelFile);
  auto model = std::make_shared<const ExportedModel>(
      ModelFromBytes(SourceFile::Read(path)->text()));
  CheckToken(token, model->token, path);
  return std::make_unique<ProgramComponent>(std::move(model), use);
}

}  // namespace orrery::fmi
