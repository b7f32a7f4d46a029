#include "orrery/fmi/exchange/communication_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "orrery/fmi/library.h"

namespace orrery::fmi {
namespace {

// The nearest whole number of inner steps, at least one.
double NearestMultiple(double step, double inner) {
  return std::max(1.0, std::round(step / inner)) * inner;
}

// The step that the FMU itself has.
double OwnStep(const Fmu& fmu) {
  constexpr double kStepsOfRun = 500;
  const DefaultExperiment& its = fmu.description->experiment;
  if (its.step && *its.step > 0 && std::isfinite(*its.step)) {
    return *its.step;
  }
  const double start = its.start.value_or(0);
  const double length = its.stop.value_or(start + 1) - start;
  return (length > 0 && std::isfinite(length) ? length : 1) / kStepsOfRun;
}

// The inner step that communication steps are multiples of; 0: any will do.
double InnerStep(const Fmu& fmu) {
  const Interface& its = InterfaceFor(fmu, InterfaceKind::kCoSimulation);
  return its.can_handle_variable_step ? 0 : its.fixed_internal_step.value_or(0);
}

}  // namespace

bool HasCommunicationParameter(const Description& its) {
  return std::ranges::find(its.variables, kCommunication, &Variable::name) ==
         its.variables.end();
}

double UsualStep(const Fmu& fmu) {
  const double inner = InnerStep(fmu);
  const double step = OwnStep(fmu);
  return inner > 0 ? NearestMultiple(step, inner) : step;
}

std::string WhyNotStep(const Fmu& fmu, double step) {
  constexpr double kRounding = 1e-9;
  if (!(step > 0) || !std::isfinite(step)) {
    return fmt::format("the communication step is {} s; it must be positive",
                       step);
  }
  const double inner = InnerStep(fmu);
  const double nearest = inner > 0 ? NearestMultiple(step, inner) : step;
  return std::abs(step - nearest) > kRounding * step
             ? fmt::format(
                   "the communication step of {} s is no multiple of "
                   "its inner step of {} s; take {} s",
                   step,
                   inner,
                   nearest)
             : std::string();
}

}  // namespace orrery::fmi
