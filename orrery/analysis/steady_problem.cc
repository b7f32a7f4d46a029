#include "orrery/analysis/steady_problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::analysis::internal {
namespace {

constexpr const char* kTask = "find a steady state";

[[noreturn]] void Refuse(const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot {}: {}", kTask, why));
}

Quantity FindOne(const Program& program, const std::string& name) {
  std::vector<Quantity> found =
      FindQuantities(program, std::span(&name, 1), kTask);
  if (found.size() != 1) {
    Refuse(fmt::format("'{}' is an array; name its elements, as in '{}'",
                       name,
                       found.empty() ? name : found.front().name));
  }
  return std::move(found.front());
}

// Refuses contradictory ranges for a quantity.
void RefuseIfEmpty(const QuantityRange& range) {
  if (range.lower > range.upper) {
    Refuse(fmt::format("'{}' is to be at least {} and at most {}",
                       range.name,
                       range.lower,
                       range.upper));
  }
}

VariableKind KindOf(const Program& program, const Quantity& quantity) {
  return program.variables[quantity.scalar.variable].kind;
}

}  // namespace

SteadyProblem::SteadyProblem(OperatingPoint& point,
                             const SteadyStateOptions& options)
    : point_(point) {
  const Program& program = point.program();
  TakeGuesses(options);
  const std::vector<Quantity> states = StatesOf(program);
  AddUnknowns(states, program.nominal);
  AddUnknowns(InputsOf(program),
              std::vector<double>(program.input_slots.size(), 1));
  for (const QuantityRange& range : options.ranges) {
    AddRange(range);
  }
  AddSteadiness(options, states);
  AddConstraints();
  TakeObjective(options);
  FixUnknowns();
  if (conditions_.empty() && !has_objective()) {
    Refuse(
        "there is nothing to be found: no derivative is to be 0 and no "
        "quantity is asked for");
  }
}

void SteadyProblem::TakeGuesses(const SteadyStateOptions& options) {
  const Program& program = point_.program();
  for (const Setting& guess : options.guesses) {
    const Quantity quantity = FindOne(program, guess.name);
    const auto is_in = [&](const std::vector<std::uint32_t>& slots) {
      return std::ranges::find(slots, quantity.at.slot) != slots.end();
    };
    if (!is_in(program.state_slots) && !is_in(program.input_slots)) {
      Refuse(
          fmt::format("'{}' is neither a state nor an input, so that there "
                      "is nothing to guess",
                      guess.name));
    }
    point_.Set(quantity.at, guess.value);
  }
}

void SteadyProblem::AddUnknowns(std::vector<Quantity> quantities,
                                const std::vector<double>& nominal) {
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const double scale =
        std::max(nominal[i], std::abs(point_.Value(quantities[i].at)));
    unknowns_.push_back({.quantity = std::move(quantities[i]),
                         .scale = std::isfinite(scale) ? scale : nominal[i]});
  }
}

void SteadyProblem::AddRange(const QuantityRange& range) {
  if (!(range.lower <= range.upper)) {
    Refuse(fmt::format("nothing lies between {} and {}, where '{}' is to be",
                       range.lower,
                       range.upper,
                       range.name));
  }
  if (range.is_value() && !std::isfinite(range.lower)) {
    Refuse(fmt::format("'{}' cannot be {}", range.name, range.lower));
  }
  const Quantity quantity = FindOne(point_.program(), range.name);
  switch (KindOf(point_.program(), quantity)) {
    case VariableKind::kConstant:
    case VariableKind::kParameter:
      Refuse(
          fmt::format("'{}' is a parameter, which is known; set it, or make "
                      "it an input",
                      range.name));
    case VariableKind::kDerivative:
      break;
    default:
      if (BoundUnknown(quantity, range)) {
        return;
      }
  }
  const auto known =
      std::ranges::find_if(conditions_, [&](const Condition& condition) {
        return condition.quantity.name == quantity.name;
      });
  if (known == conditions_.end()) {
    conditions_.push_back({.quantity = quantity, .range = range});
    return;
  }
  known->range.lower = std::max(known->range.lower, range.lower);
  known->range.upper = std::min(known->range.upper, range.upper);
  RefuseIfEmpty(known->range);
}

// Bounds an unknown; false if the quantity is no state or input, under any
// name.
bool SteadyProblem::BoundUnknown(const Quantity& quantity,
                                 const QuantityRange& range) {
  const auto unknown =
      std::ranges::find_if(unknowns_, [&](const Unknown& candidate) {
        return candidate.quantity.at.slot == quantity.at.slot;
      });
  if (unknown == unknowns_.end()) {
    return false;
  }
  const bool is_same = quantity.at.sign > 0;
  unknown->lower =
      std::max(unknown->lower, is_same ? range.lower : -range.upper);
  unknown->upper =
      std::min(unknown->upper, is_same ? range.upper : -range.lower);
  RefuseIfEmpty({.name = unknown->quantity.name,
                 .lower = unknown->lower,
                 .upper = unknown->upper});
  return true;
}

// der(x) = 0, unless a range was given for it or x may move.
void SteadyProblem::AddSteadiness(const SteadyStateOptions& options,
                                  const std::vector<Quantity>& states) {
  const Program& program = point_.program();
  std::vector<bool> is_steady(states.size(), true);
  for (const Quantity& moving :
       FindQuantities(program, options.moving, kTask)) {
    const auto state = std::ranges::find(program.state_slots, moving.at.slot);
    if (state == program.state_slots.end()) {
      Refuse(fmt::format("'{}' is not a state{}",
                         moving.name,
                         Clause(Suggest(moving.name, StateNames(program)))));
    }
    is_steady[static_cast<std::size_t>(state - program.state_slots.begin())] =
        false;
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::string name = "der(" + states[i].name + ")";
    const bool is_given =
        std::ranges::any_of(conditions_, [&](const Condition& condition) {
          return condition.quantity.name == name;
        });
    if (is_steady[i] && !is_given) {
      conditions_.push_back({.quantity = {.scalar = states[i].scalar,
                                          .name = name,
                                          .at = program.derivatives_at[i]},
                             .range = {.name = name, .lower = 0, .upper = 0}});
    }
  }
}

// The derivatives preserve the constraints only if these hold.
void SteadyProblem::AddConstraints() {
  for (const StateConstraint& constraint :
       point_.program().constraints.constraints) {
    const std::string name = ToText(constraint.equation.target) + " - (" +
                             ToText(constraint.equation.value) + ")";
    conditions_.push_back(
        {.quantity = {.name = name, .at = {.slot = constraint.residual_slot}},
         .range = {.name = name, .lower = 0, .upper = 0}});
  }
}

void SteadyProblem::TakeObjective(const SteadyStateOptions& options) {
  if (!options.minimize.empty() && !options.maximize.empty()) {
    Refuse("one quantity can be minimised or maximised, not two");
  }
  const std::string& name =
      options.minimize.empty() ? options.maximize : options.minimize;
  if (!name.empty()) {
    objective_ = FindOne(point_.program(), name);
    objective_sign_ = options.minimize.empty() ? -1 : 1;
  }
}

// Sets unknowns with a single possible value.
void SteadyProblem::FixUnknowns() {
  for (const Unknown& unknown : unknowns_) {
    if (unknown.lower == unknown.upper) {
      point_.Set(unknown.quantity.at, unknown.lower);
    }
  }
  std::erase_if(unknowns_, [](const Unknown& unknown) {
    return unknown.lower == unknown.upper;
  });
}

Eigen::VectorXd SteadyProblem::Start() const {
  Eigen::VectorXd z(static_cast<Eigen::Index>(unknowns_.size()));
  Eigen::Index j = 0;
  for (const Unknown& unknown : unknowns_) {
    z[j++] = point_.Value(unknown.quantity.at) / unknown.scale;
  }
  return z;
}

Eigen::VectorXd SteadyProblem::Lower() const {
  Eigen::VectorXd z(static_cast<Eigen::Index>(unknowns_.size()));
  Eigen::Index j = 0;
  for (const Unknown& unknown : unknowns_) {
    z[j++] = unknown.lower / unknown.scale;
  }
  return z;
}

Eigen::VectorXd SteadyProblem::Upper() const {
  Eigen::VectorXd z(static_cast<Eigen::Index>(unknowns_.size()));
  Eigen::Index j = 0;
  for (const Unknown& unknown : unknowns_) {
    z[j++] = unknown.upper / unknown.scale;
  }
  return z;
}

bool SteadyProblem::MoveTo(const Eigen::VectorXd& z) {
  Eigen::Index j = 0;
  for (const Unknown& unknown : unknowns_) {
    // Scaling back must not leave the bounds by rounding.
    point_.Set(
        unknown.quantity.at,
        std::clamp(z[j++] * unknown.scale, unknown.lower, unknown.upper));
  }
  return point_.Evaluate() &&
         std::ranges::all_of(conditions_,
                             [this](const Condition& condition) {
                               return std::isfinite(ValueOf(condition));
                             }) &&
         (!has_objective() || std::isfinite(objective()));
}

bool SteadyProblem::Differentiate(Eigen::MatrixXd& slopes) {
  const auto rows = static_cast<Eigen::Index>(conditions_.size());
  slopes.resize(rows + (has_objective() ? 1 : 0),
                static_cast<Eigen::Index>(unknowns_.size()));
  Eigen::Index j = 0;
  for (const Unknown& unknown : unknowns_) {
    if (!point_.Differentiate(unknown.quantity.at.slot)) {
      return false;
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
      slopes(i, j) =
          unknown.scale *
          point_.Tangent(conditions_[static_cast<std::size_t>(i)].quantity.at);
    }
    if (has_objective()) {
      slopes(rows, j) = unknown.scale * point_.Tangent(objective_.at);
    }
    ++j;
  }
  return slopes.allFinite();
}

LeastSquaresProblem SteadyProblem::AsLeastSquares() {
  return {.residual =
              [this](const Eigen::VectorXd& z, Eigen::VectorXd& r) {
                if (!MoveTo(z)) {
                  return false;
                }
                r.resize(static_cast<Eigen::Index>(conditions_.size()));
                Eigen::Index i = 0;
                for (const Condition& condition : conditions_) {
                  const double value = ValueOf(condition);
                  r[i++] = value - std::clamp(value,
                                              condition.range.lower,
                                              condition.range.upper);
                }
                return true;
              },
          .jacobian =
              [this](Eigen::MatrixXd& jacobian) {
                if (!Differentiate(jacobian)) {
                  return false;
                }
                jacobian.conservativeResize(
                    static_cast<Eigen::Index>(conditions_.size()),
                    Eigen::NoChange);
                Eigen::Index i = 0;
                for (const Condition& condition : conditions_) {
                  const double value = ValueOf(condition);
                  if (!condition.range.is_value() &&
                      value >= condition.range.lower &&
                      value <= condition.range.upper) {
                    jacobian.row(i).setZero();
                  }
                  ++i;
                }
                return true;
              },
          .lower = Lower(),
          .upper = Upper(),
          .goes_on =
              [this] {
                return point_.goes_on();
              }};
}

}  // namespace orrery::analysis::internal
