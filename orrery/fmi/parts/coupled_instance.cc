#include "orrery/fmi/parts/coupled_instance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/exchange/changed_values.h"
#include "orrery/fmi/exchange/communication_step.h"

namespace orrery::fmi {
namespace {

[[noreturn]] void RefusePart(const Fmu& fmu, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot use {} by Co-Simulation as a part of a "
                          "model: {}",
                          fmu.archive->name(),
                          why));
}

}  // namespace

CoupledModel::CoupledModel(const Fmu& fmu,
                           std::span<const ParameterText> texts,
                           std::optional<double> step)
    : fmu_(fmu),
      layout_(description(), InterfaceKind::kCoSimulation),
      texts_(ReadSettings(description(), texts)),
      step_(step.value_or(UsualStep(fmu_))) {
  if (const std::string why = WhyNotStep(fmu_, step_); !why.empty()) {
    RefusePart(fmu_, why);
  }
  if (InterfaceFor(fmu_, InterfaceKind::kCoSimulation).needs_execution_tool) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot run {}: it needs the tool that made it",
                            fmu_.archive->name()));
  }
  if (HasClocks(description())) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot use {} by Co-Simulation as a part of a "
                            "model: it has clocks, which tick where an FMU is "
                            "run by itself",
                            fmu_.archive->name()));
  }
  if (!OnlyDescribes()) {
    library_ =
        std::make_shared<const Library>(fmu_, InterfaceKind::kCoSimulation);
  }
  const auto add = [&](const VariableRow& row) {
    for (const VariableIndex variable : row.variables()) {
      computed_.Add(description(), variable);
    }
  };
  add(layout_.states);
  for (const ResultGroup& group : layout_.results) {
    add(group.row);
  }
}

std::unique_ptr<ForeignInstance> CoupledModel::MakeInstance() const {
  if (library_ == nullptr) {  // Says why there is no code.
    static_cast<void>(Library(fmu_, InterfaceKind::kCoSimulation));
  }
  return std::make_unique<CoupledInstance>(*this);
}

CoupledInstance::CoupledInstance(const CoupledModel& model)
    : model_(model),
      computed_groups_(model.computed().Groups(model.description())),
      values_(model.computed().size()) {
  fmu_.emplace(model.library_, model.name(), nullptr);
  for (const ResultGroup& group : model.layout().results) {
    result_groups_.push_back(group.row.Groups(model.description()));
  }
}

CoupledInstance::~CoupledInstance() {
  if (mode_ == Mode::kStepping && !guard_.failure()) {
    try {
      fmu_->instance().Terminate();
    } catch (const CallFailure&) {  // The run is over.
    }
  }
}

CoupledInstance& CoupledInstance::Of(double handle) {
  auto* const instance =
      static_cast<CoupledInstance*>(ForeignInstance::Of(handle));
  if (instance == nullptr) {
    throw Error(ErrorCode::kInvalidModel, "the FMU has no instance here");
  }
  return *instance;
}

std::string CoupledInstance::EndWords() const {
  return fmu_ && fmu_->has_ended() ? fmu_->instance().log().AsHint()
                                   : std::string();
}

void CoupledInstance::Start(const StartValues& values) {
  const bool is_known =
      mode_ == Mode::kInitial && points_.start() == values.t &&
      points_.step() == values.step &&
      std::ranges::equal(parameters_, values.parameters) &&
      std::ranges::equal(starts_, values.starts) &&
      std::ranges::equal(discrete_inputs_, values.discrete_inputs);
  if (is_known && !guard_.failure()) {
    return;
  }
  if (guard_.failure() && guard_.failure()->status() != CallStatus::kFatal) {
    guard_.Reset();  // Another instance begins.
  }
  guard_.Run([&] { Begin(values); });
}

void CoupledInstance::Begin(const StartValues& values) {
  if (const std::string why = WhyNotStep(model_.fmu_, values.step);
      !why.empty()) {
    throw CallFailure("cannot run " + model_.name() + ": " + why,
                      CallStatus::kError);
  }
  const Description& its = model_.description();
  const ExchangeLayout& layout = model_.layout();
  if (std::exchange(mode_, Mode::kInitial) != Mode::kNew) {
    fmu_.reset();  // An FMU may allow one instance only.
    fmu_.emplace(model_.library_, model_.name(), nullptr);
  }
  Instance& instance = fmu_->instance();
  parameters_ = layout.parameters.Starts(its);
  SetChanged(its, instance, layout.parameters, values.parameters, parameters_);
  starts_ = layout.states.Starts(its);
  SetChanged(its, instance, layout.states, values.starts, starts_);
  fmu_->EnterInitialization({.start = values.t,
                             .stop = std::numeric_limits<double>::infinity(),
                             .tolerance = std::nullopt},
                            model_.texts_);
  continuous_inputs_ = layout.continuous_inputs.Starts(its);
  discrete_inputs_ = layout.discrete_inputs.Starts(its);
  SetChanged(its,
             instance,
             layout.discrete_inputs,
             values.discrete_inputs,
             discrete_inputs_);
  points_ = DecimalGrid(values.t, values.step);
  point_ = 0;
  ++epoch_;
}

void CoupledInstance::GetAtStart(std::size_t group,
                                 std::span<const double> u,
                                 double epoch,
                                 std::span<double> values) {
  guard_.Run([&] {
    CheckIsAt(epoch);
    inputs_.assign(u.begin(), u.end());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (std::isnan(inputs_[i])) {
        inputs_[i] = continuous_inputs_[i];
      }
    }
    SetInputs(
        {.continuous_inputs = inputs_, .discrete_inputs = {}, .parameters = {}},
        /*jump=*/false);
    for (const ReferenceGroup& its : result_groups_[group]) {
      fmu_->instance().GetNumbers(its, values);
    }
  });
}

CoupledInstance::StepResult CoupledInstance::GoOn(const Given& given,
                                                  double epoch) {
  guard_.Run([&] {
    if (mode_ == Mode::kStepping && epoch == epoch_ - 1) {
      return;  // Asked once more.
    }
    CheckIsAt(epoch);
    Step(given);
    TakeResults();
    ++epoch_;
  });
  return {.next_time = points_.At(point_ + 1),
          .is_terminated = fmu_->has_ended(),
          .values = values_};
}

void CoupledInstance::Step(const Given& given) {
  const double t = points_.At(point_);
  const auto set = [&](bool jump) {
    SetInputs(given, jump);
  };
  if (mode_ == Mode::kInitial) {
    set(/*jump=*/false);
    set(/*jump=*/true);
    fmu_->ExitInitialization(t);
    mode_ = Mode::kStepping;
    return;
  }
  SetTunable(model_.description(),
             fmu_->instance(),
             model_.layout().parameters,
             given.parameters,
             parameters_);
  fmu_->TakeInputs(
      t, !std::ranges::equal(given.discrete_inputs, discrete_inputs_), set);
  fmu_->StepTo(t, points_.At(++point_), points_.step(), set);
}

void CoupledInstance::SetInputs(const Given& given, bool jump) {
  const ExchangeLayout& layout = model_.layout();
  if (jump) {
    SetChanged(model_.description(),
               fmu_->instance(),
               layout.discrete_inputs,
               given.discrete_inputs,
               discrete_inputs_);
  } else {
    SetChanged(model_.description(),
               fmu_->instance(),
               layout.continuous_inputs,
               given.continuous_inputs,
               continuous_inputs_);
  }
}

// Reads all that the FMU computes. Other variables than outputs may be unused.
void CoupledInstance::TakeResults() {
  for (const ReferenceGroup& group : computed_groups_) {
    fmu_->instance().GetNumbers(group, values_);
  }
  const VariableRow& row = model_.computed();
  for (std::size_t k = 0; k < row.variables().size(); ++k) {
    const Variable& variable =
        model_.description().variables[row.variables()[k]];
    for (std::size_t i = 0;
         variable.causality == Causality::kOutput && i < row.count(k);
         ++i) {
      const double value = values_[row.place(k) + i];
      if (!std::isfinite(value)) {
        throw CallFailure(
            fmt::format("output '{}{}' of {} became {} at t = {} s{}",
                        variable.name,
                        Subscripts(variable, i),
                        model_.name(),
                        value,
                        fmu_->t(),
                        fmu_->instance().log().AsHint()),
            CallStatus::kError);
      }
    }
  }
}

void CoupledInstance::CheckIsAt(double epoch) const {
  if (epoch != epoch_) {
    throw CallFailure(
        fmt::format("{} cannot go back to before a communication point",
                    model_.name()),
        CallStatus::kDiscard);
  }
}

}  // namespace orrery::fmi
