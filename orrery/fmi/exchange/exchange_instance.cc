#include "orrery/fmi/exchange/exchange_instance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/exchange/changed_values.h"
#include "orrery/fmi/sizes.h"

namespace orrery::fmi {
namespace {

constexpr int kMostPasses = 100;

}  // namespace

ExchangeModel::ExchangeModel(const Fmu& fmu,
                             std::span<const ParameterText> texts,
                             std::span<const ParameterText> sizes)
    : fmu_(WithSizes(fmu, InterfaceKind::kModelExchange, sizes)),
      interface_(InterfaceFor(fmu_, InterfaceKind::kModelExchange)),
      library_(OnlyDescribes() ? nullptr
                               : std::make_shared<const Library>(
                                     fmu_, InterfaceKind::kModelExchange)),
      layout_(description()),
      texts_(ReadSettings(description(), texts)),
      clocks_(InputClocksOf(description(), name())) {}

std::unique_ptr<ForeignInstance> ExchangeModel::MakeInstance() const {
  if (library_ == nullptr) {  // Says why there is no code.
    static_cast<void>(Library(fmu_, InterfaceKind::kModelExchange));
  }
  return std::make_unique<ExchangeInstance>(*this);
}

ExchangeInstance::ExchangeInstance(const ExchangeModel& model)
    : model_(model),
      instance_(fmi::MakeInstance(model.library_, model.name())),
      calls_(*instance_->continuous()),
      state_groups_(model.layout().states.Groups(model.description())),
      rate_groups_(model.layout().rates.Groups(model.description())),
      rate_references_(model.layout().rates.References(model.description())),
      known_references_(model.layout().states.References(model.description())),
      x_(model.layout().states.size()),
      clocked_values_(model.layout().discrete.size()),
      tick_counts_(model.layout().triggered_clocks.size()) {
  const Description& its = model.description();
  if (instance_->clocks() != nullptr) {
    clocks_.emplace(its, model.clocks_, *instance_->clocks());
  }
  SortDiscrete();
  for (const ResultGroup& group : model.layout().results) {
    result_groups_.push_back(group.row.Groups(its));
    result_references_.push_back(group.row.References(its));
  }
  for (const std::uint32_t reference :
       model.layout().continuous_inputs.References(its)) {
    known_references_.push_back(reference);
  }
}

ExchangeInstance::~ExchangeInstance() {
  if (mode_ != Mode::kNew && mode_ != Mode::kInitial && !guard_.failure()) {
    try {
      instance_->Terminate();
    } catch (const CallFailure&) {  // The run is over.
    }
  }
}

ExchangeInstance& ExchangeInstance::Of(double handle) {
  auto* const instance =
      static_cast<ExchangeInstance*>(ForeignInstance::Of(handle));
  if (instance == nullptr) {
    throw Error(ErrorCode::kInvalidModel, "the FMU has no instance here");
  }
  return *instance;
}

void ExchangeInstance::Start(const StartValues& values) {
  const bool is_known =
      mode_ == Mode::kInitial && t_ == values.t &&
      std::ranges::equal(parameters_, values.parameters) &&
      std::ranges::equal(start_x_, values.x) &&
      std::ranges::equal(discrete_inputs_, values.discrete_inputs);
  if (is_known) {
    return;
  }
  guard_.Run([&] {
    const Description& its = model_.description();
    const ExchangeLayout& layout = model_.layout();
    if (std::exchange(mode_, Mode::kInitial) != Mode::kNew) {
      calls_.Reset();
      instance_->SetSizes();
    }
    for (const FmuSetting& text : model_.texts_) {
      instance_->Set(its.variables[text.variable], text.values);
    }
    parameters_ = layout.parameters.Starts(its);
    SetChanged(
        its, *instance_, layout.parameters, values.parameters, parameters_);
    start_x_.assign(values.x.begin(), values.x.end());
    const std::vector<double> usual = layout.states.Starts(its);
    for (std::size_t k = 0; k < layout.are_starts_exact.size(); ++k) {
      const std::size_t place = layout.states.place(k);
      const std::size_t count = layout.states.count(k);
      if (layout.are_starts_exact[k] != 0 &&
          !std::ranges::equal(
              values.x.subspan(place, count),
              std::span<const double>(usual).subspan(place, count))) {
        instance_->SetNumbers(layout.states.group(k), values.x);
      }
    }
    instance_->EnterInitialization(
        {.start = values.t,
         .stop = std::numeric_limits<double>::infinity(),
         .tolerance = std::nullopt});
    continuous_inputs_ = layout.continuous_inputs.Starts(its);
    discrete_inputs_ = layout.discrete_inputs.Starts(its);
    SetChanged(model_.description(),
               *instance_,
               layout.discrete_inputs,
               values.discrete_inputs,
               discrete_inputs_);
    std::ranges::fill(tick_counts_, 0.0);
    if (clocks_) {
      clocks_->Start(values.t);
    }
    t_ = values.t;
    completed_ = t_;
    passes_ = 0;
    is_updated_ = false;
    is_terminated_ = false;
    ++epoch_;
  });
}

void ExchangeInstance::GetStartStates(std::span<const double> u,
                                      double epoch,
                                      std::span<double> x) {
  guard_.Run([&] {
    CheckEpoch(epoch);
    SetInputs(u);
    for (const ReferenceGroup& group : state_groups_) {
      instance_->GetNumbers(group, x_);
    }
    std::ranges::copy(x_, x.begin());
  });
}

ExchangeInstance::Update ExchangeInstance::UpdateDiscreteStates(
    const Point& at, const EventInputs& inputs) {
  Update result;
  guard_.Run([&] {
    EnterEventMode(at);
    SetTunable(model_.description(),
               *instance_,
               model_.layout().parameters,
               inputs.parameters,
               parameters_);
    const DiscreteUpdate update = UpdateOnce(inputs);
    if (update.has_new_states && !x_.empty()) {
      calls_.GetStates(x_);
    }
    const bool is_due = update.next_time && *update.next_time <= t_;
    const bool ticks = clocks_ && clocks_->next() <= t_;
    passes_ = update.goes_on || is_due || ticks ? passes_ + 1 : 0;
    if (is_due && (*update.next_time < t_ || passes_ > kMostPasses)) {
      throw CallFailure(
          fmt::format("at t = {} s, {} says that its next event is at {} s; it "
                      "has to be later",
                      t_,
                      model_.name(),
                      *update.next_time),
          CallStatus::kError);
    }
    if (passes_ > kMostPasses) {
      throw CallFailure(
          fmt::format("at t = {} s, {} wants to update its discrete states "
                      "without end: it has done so {} times",
                      t_,
                      model_.name(),
                      kMostPasses),
          CallStatus::kError);
    }
    is_updated_ = !update.goes_on;
    result.goes_on = update.goes_on || is_due || ticks;
    is_terminated_ = update.is_terminated || is_terminated_;
    result.is_terminated = is_terminated_;
    if (update.next_time && !is_due) {
      result.next_time = *update.next_time;
    }
    if (clocks_ && !ticks) {
      result.next_time = std::min(result.next_time, clocks_->next());
    }
    ++epoch_;
  });
  return result;
}

// Inputs of clocks are set when these tick, also to what they were.
void ExchangeInstance::SetDiscrete(std::span<const double> inputs) {
  const Description& its = model_.description();
  const VariableRow& row = model_.layout().discrete_inputs;
  std::vector<double> values(inputs.begin(), inputs.end());
  for (std::size_t k = 0; k < row.variables().size(); ++k) {
    const std::vector<VariableIndex>& clocks =
        its.variables[row.variables()[k]].clocks;
    if (clocks.empty()) {
      continue;
    }
    if (clocks_->IsAnyActive(clocks)) {
      CheckFits(
          its, row.variables()[k], inputs.subspan(row.place(k), row.count(k)));
      instance_->SetNumbers(row.group(k), inputs);
    }
    std::copy_n(
        discrete_inputs_.begin() + static_cast<std::ptrdiff_t>(row.place(k)),
        row.count(k),
        values.begin() + static_cast<std::ptrdiff_t>(row.place(k)));
  }
  SetChanged(its, *instance_, row, values, discrete_inputs_);
}

bool ExchangeInstance::CompleteStep(const Point& at, double epoch) {
  bool wants_event = false;
  guard_.Run([&] {
    CheckEpoch(epoch);
    GoTo(at);
    if (mode_ == Mode::kContinuous) {
      completed_ = t_;
      const StepCheck check = calls_.CompleteStep();
      is_terminated_ = check.is_terminated;
      wants_event = check.wants_event || check.is_terminated;
    }
  });
  return wants_event;
}

void ExchangeInstance::Compute(Computed what,
                               const Point& at,
                               double epoch,
                               std::span<double> values) {
  guard_.Run([&] {
    CheckEpoch(epoch);
    GoTo(at);
    if (what.kind == Computed::Kind::kResults) {
      for (const ReferenceGroup& group : result_groups_[what.group]) {
        instance_->GetNumbers(group, values);
      }
    } else if (mode_ == Mode::kInitial) {
      ComputeInitially(what, values);
    } else if (what.kind == Computed::Kind::kDerivatives) {
      calls_.GetDerivatives(values);
    } else {
      calls_.GetIndicators(values);
    }
  });
}

// Not all FMUs take calls for derivatives and indicators in the initialization.
// Derivatives are variables, too; indicators matter from the first event on.
void ExchangeInstance::ComputeInitially(Computed what,
                                        std::span<double> values) {
  if (what.kind == Computed::Kind::kIndicators) {
    std::ranges::fill(values, 1.0);
    return;
  }
  for (const ReferenceGroup& group : rate_groups_) {
    instance_->GetNumbers(group, values);
  }
}

void ExchangeInstance::Differentiate(Computed what,
                                     const Point& at,
                                     double epoch,
                                     const Point& direction,
                                     std::span<double> values) {
  std::ranges::fill(values, 0.0);
  seed_.assign(direction.x.begin(), direction.x.end());
  seed_.insert(seed_.end(), direction.u.begin(), direction.u.end());
  if (std::ranges::any_of(seed_, [](double d) { return d != 0; })) {
    guard_.Run([&] {
      CheckEpoch(epoch);
      GoTo(at);
      calls_.Differentiate(
          {.unknowns = what.kind == Computed::Kind::kDerivatives
                           ? rate_references_
                           : result_references_[what.group],
           .knowns = known_references_,
           .seed = seed_},
          values);
    });
  }
  if (direction.t == 0) {
    return;
  }
  // An FMU may not go back behind a completed step: differences to one side, of
  // second order.
  const double h = std::cbrt(std::numeric_limits<double>::epsilon()) *
                   std::max(1.0, std::abs(at.t));
  std::vector<double> here(values.size());
  std::vector<double> ahead(values.size());
  std::vector<double> twice(values.size());
  Compute(what, {.t = at.t + 2 * h, .x = at.x, .u = at.u}, epoch, twice);
  Compute(what, {.t = at.t + h, .x = at.x, .u = at.u}, epoch, ahead);
  Compute(what, at, epoch, here);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] +=
        direction.t * (4 * ahead[i] - 3 * here[i] - twice[i]) / (2 * h);
  }
}

void ExchangeInstance::GetDiscrete(double epoch, std::span<double> values) {
  guard_.Run([&] {
    CheckEpoch(epoch);
    if (mode_ == Mode::kInitial) {
      GetClocked(/*are_all_active=*/true);
    }
    std::ranges::copy(clocked_values_, values.begin());
    for (const ReferenceGroup& group : discrete_groups_) {
      instance_->GetNumbers(group, values);
    }
  });
}

void ExchangeInstance::GetTickCounts(double epoch, std::span<double> counts) {
  guard_.Run([&] {
    CheckEpoch(epoch);
    std::ranges::copy(clocks_->counts(), counts.begin());
  });
}

void ExchangeInstance::CheckEpoch(double epoch) const {
  if (epoch != epoch_) {
    throw CallFailure(
        fmt::format("{} cannot go back to its discrete states of before an "
                    "event",
                    model_.name()),
        CallStatus::kDiscard);
  }
}

// Makes the values at a point those of the instance. In the initialization,
// time and states are those of the start. In event mode they stand still:
// another point is for continuous time.
void ExchangeInstance::GoTo(const Point& at) {
  if (mode_ == Mode::kInitial) {
    SetInputs(at.u);
    return;
  }
  if (mode_ == Mode::kEvent && (at.t != t_ || !std::ranges::equal(at.x, x_))) {
    LeaveEventMode();
  }
  if (mode_ == Mode::kContinuous) {
    SetTime(at.t);
    if (!std::ranges::equal(at.x, x_)) {
      calls_.SetStates(at.x);
      x_.assign(at.x.begin(), at.x.end());
    }
  }
  SetInputs(at.u);
}

void ExchangeInstance::SetInputs(std::span<const double> inputs) {
  inputs_.assign(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (std::isnan(inputs_[i])) {
      inputs_[i] = continuous_inputs_[i];
    }
  }
  SetChanged(model_.description(),
             *instance_,
             model_.layout().continuous_inputs,
             inputs_,
             continuous_inputs_);
}

void ExchangeInstance::SetTime(double t) {
  if (t != t_) {
    calls_.SetTime(t);
    t_ = t;
  }
}

// Completes the discrete iteration if nobody has.
void ExchangeInstance::LeaveEventMode() {
  for (int pass = 0; !is_updated_ && pass < kMostPasses; ++pass) {
    const DiscreteUpdate update = calls_.UpdateDiscreteStates();
    is_updated_ = !update.goes_on;
    if (update.has_new_states && !x_.empty()) {
      calls_.GetStates(x_);
    }
  }
  calls_.EnterContinuousTime();
  mode_ = Mode::kContinuous;
}

void ExchangeInstance::EnterEventMode(const Point& at) {
  GoTo(at);
  if (mode_ == Mode::kInitial) {
    GetClocked(/*are_all_active=*/true);
    instance_->ExitInitialization();
    mode_ = Mode::kEvent;
    if (!x_.empty()) {
      calls_.GetStates(x_);
    }
  } else if (mode_ == Mode::kContinuous) {
    TellStep(at.t);
    calls_.EnterEventMode();
    mode_ = Mode::kEvent;
    passes_ = 0;
    is_updated_ = false;
  }
}

// A step ends where an event is.
void ExchangeInstance::TellStep(double t) {
  if (model_.interface().needs_completed_step && t > completed_) {
    completed_ = t;
    is_terminated_ = calls_.CompleteStep().is_terminated || is_terminated_;
  }
}

}  // namespace orrery::fmi
