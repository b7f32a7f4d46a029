#include "orrery/sim/explain/start_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/explain/explain_loops.h"

namespace orrery::sim::internal {
namespace {

// Findings beyond this number are only counted.
constexpr std::size_t kMaxFindings = 20;

class StartChecker {
 public:
  enum class Scope : std::uint8_t { kAll, kParameters };

  StartChecker(const ProgramEvaluator& evaluator,
               const Settings& settings,
               Scope scope)
      : program_(evaluator.program()),
        evaluator_(evaluator),
        settings_(settings),
        scope_(scope) {}

  std::optional<Explanation> Run() {
    CheckNumbers();
    if (findings_.empty()) {
      result_.outcome = RunOutcome::kAssertion;
      for (const Limits& limits : program_.limits) {
        CheckLimits(limits);
      }
    }
    if (findings_.empty()) {
      return std::nullopt;
    }
    if (result_.outcome == RunOutcome::kNotFinite) {
      if (auto cause = ExplainFirstFault(
              evaluator_, SectionsOfBindings(program_, settings_))) {
        return cause;
      }
    }
    result_.message = findings_.front().message;
    if (count_ > 1) {
      result_.message += fmt::format(" (and {} more)", count_ - 1);
    }
    result_.diagnostics = std::move(findings_);
    return std::move(result_);
  }

 private:
  // A parameter's value, or the start value of a variable.
  struct Item {
    NamedScalar scalar;
    std::uint32_t slot = 0;
    double value = 0;
    bool is_start = false;
    bool is_set = false;  // For this run; else the model gives it.
  };

  [[nodiscard]] std::optional<Item> ItemOf(NamedScalar scalar) const {
    const Reference at = ReferenceOf(program_, scalar);
    const ProgramVariable& variable = program_.variables[scalar.variable];
    if (variable.kind <= VariableKind::kParameter) {
      return Item{.scalar = scalar,
                  .slot = at.slot,
                  .value = evaluator_.Value(at),
                  .is_set = settings_.Gives(at.slot)};
    }
    const StartValue* const start = FindStart(program_, at.slot);
    if (start == nullptr || scope_ == Scope::kParameters) {
      return std::nullopt;
    }
    return Item{
        .scalar = scalar,
        .slot = start->slot,
        .value = evaluator_.Value({.slot = start->slot, .sign = at.sign}),
        .is_start = true,
        .is_set = settings_.Gives(start->slot)};
  }

  // True if there is nothing to be found: then no value is examined singly.
  [[nodiscard]] bool AreNumbersFine() const {
    const auto is_finite = [this](const StartValue& start) {
      return std::isfinite(evaluator_.memory()[start.slot]);
    };
    return !program_.has_integers &&
           AllFinite(evaluator_.memory(), program_.constant_slots) &&
           std::ranges::all_of(program_.starts, is_finite);
  }

  void CheckNumbers() {
    if (AreNumbersFine()) {
      return;
    }
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ProgramVariable& variable = program_.variables[v];
      if (variable.kind == VariableKind::kInput ||
          variable.kind == VariableKind::kDerivative) {
        continue;
      }
      const auto count = static_cast<std::size_t>(NumElements(variable.shape));
      for (std::size_t i = 0; i < count; ++i) {
        CheckNumber(variable, ItemOf({.variable = v, .element = i}));
      }
    }
  }

  void CheckNumber(const ProgramVariable& variable,
                   const std::optional<Item>& item) {
    if (!item) {
      return;
    }
    if (!std::isfinite(item->value)) {
      Add(*item, "which is not a finite number", "");
    } else if (variable.type == ValueType::kInteger &&
               std::abs(item->value) > kMaxInteger) {
      Add(*item,
          "which is beyond the Integers, between -2^53 and 2^53",
          "make it Real, or smaller");
    }
  }

  // Parameters that the model gives so get a warning at the end of the run.
  void CheckLimits(const Limits& limits) {
    const ProgramVariable& variable = program_.variables[limits.variable];
    const auto count = static_cast<std::size_t>(NumElements(variable.shape));
    for (std::size_t i = 0; i < count; ++i) {
      const auto item = ItemOf({.variable = limits.variable, .element = i});
      if (!item || !item->is_set) {
        continue;
      }
      const auto min = Bound(limits.min, i);
      const auto max = Bound(limits.max, i);
      const std::string hint =
          min && max ? fmt::format("give it a value from {} to {}", *min, *max)
          : min      ? fmt::format("give it a value of {} or more", *min)
          : max      ? fmt::format("give it a value of {} or less", *max)
                     : "";
      if (min && item->value < *min) {
        Add(*item, fmt::format("below its minimum, {}", *min), hint);
      } else if (max && item->value > *max) {
        Add(*item, fmt::format("above its maximum, {}", *max), hint);
      }
    }
  }

  [[nodiscard]] std::optional<double> Bound(const Limits::Bound& bound,
                                            std::size_t element) const {
    if (bound.slot == Limits::kNone) {
      return std::nullopt;
    }
    return evaluator_.memory()[bound.slot + bound.stride * element];
  }

  void Add(const Item& item, const std::string& why, std::string hint) {
    if (++count_ > kMaxFindings) {
      return;
    }
    const ProgramVariable& variable = program_.variables[item.scalar.variable];
    const std::string what = item.is_start ? "the start value of "
                             : variable.kind == VariableKind::kConstant
                                 ? "constant "
                                 : "parameter ";
    findings_.push_back(MakeDiagnostic(
        Severity::kError,
        variable.notes->span,
        fmt::format(
            "{}: {}'{}' is {}{}, {}",
            scope_ == Scope::kAll ? "cannot start" : "cannot go on so",
            what,
            NameOf(program_, item.scalar),
            std::isnan(item.value) ? std::abs(item.value) : item.value,
            item.is_set ? ", as set for this run" : ", as the model gives it",
            why),
        std::move(hint)));
  }

  const Program& program_;
  const ProgramEvaluator& evaluator_;
  const Settings& settings_;
  Scope scope_;
  Explanation result_{.outcome = RunOutcome::kNotFinite};
  std::vector<Diagnostic> findings_;
  std::size_t count_ = 0;
};

std::optional<Explanation> CheckIn(ProgramEvaluator& evaluator,
                                   const Settings& settings,
                                   StartChecker::Scope scope) {
  const Program& program = evaluator.program();
  if (program.limit_section && evaluator.RunSection(*program.limit_section)) {
    return ExplainNotFinite(
        evaluator, std::array{*program.limit_section}, std::nullopt);
  }
  if (auto refusal = StartChecker(evaluator, settings, scope).Run()) {
    return refusal;
  }
  return ExplainIfSingular(evaluator, scope == StartChecker::Scope::kAll);
}

}  // namespace

std::optional<Explanation> CheckStart(ProgramEvaluator& evaluator,
                                      const Settings& settings) {
  return CheckIn(evaluator, settings, StartChecker::Scope::kAll);
}

std::optional<Explanation> CheckParameters(ProgramEvaluator& evaluator,
                                           const Settings& settings) {
  return CheckIn(evaluator, settings, StartChecker::Scope::kParameters);
}

}  // namespace orrery::sim::internal
