#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/results/trajectory.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/formula.h"

namespace orrery::experiment::internal {

/// The functionals of a formula over a run; see Measure.
enum class Functional : std::uint8_t {
  kFinal,
  kInitial,
  kAt,
  kMax,
  kMin,
  kTimeOfMax,
  kTimeOfMin,
  kIntegral,
  kMean,
  kRms,
  kFirst,
  kDuration,
  kCount,
  kSettlingTime,
  kRiseTime,
  kOvershoot
};

/// A functional of a formula over a run. Further arguments are numbers that are
/// constant during the run.
struct Taken {
  Functional functional = Functional::kFinal;
  Expr formula;
  std::vector<Expr> arguments;
  Expr value;  ///< A symbol.
};

struct FunctionalInfo;

/// `2%` is written (2/100).
[[nodiscard]] std::string WithoutPercents(std::string_view text);

/// Reads a measure. Formulas over signals and formulas over functionals share
/// one graph.
class MeasureReader : public modelica::FormulaReader {
 public:
  MeasureReader(ExprGraph& graph,
                std::string_view text,
                const SignalTable& signals);

  [[nodiscard]] Expr time() const noexcept { return time_; }

  /// The functionals to be computed, each after those that it needs.
  [[nodiscard]] const std::vector<Taken>& taken() const noexcept {
    return taken_;
  }

  /// Symbols of signals, with their numbers in the table.
  [[nodiscard]] const std::vector<std::pair<std::size_t, Expr>>& symbols()
      const noexcept {
    return symbols_;
  }

  /// The unit of a functional, if it is that of a signal or of time; else
  /// empty.
  [[nodiscard]] std::string UnitOf(const Taken& taken) const;

 private:
  Expr Find(const modelica::ast::ComponentReference& reference) override;
  Expr Apply(const modelica::ast::Call& call,
             const modelica::ast::Span& span) override;
  [[nodiscard]] bool IsTruth(Expr number) const override;
  [[nodiscard]] const SignalInfo* SignalOf(Expr symbol) const;
  Expr FindSignal(const std::string& name, const modelica::ast::Span& span);
  Expr SymbolOf(std::size_t signal);
  Expr Take(Taken what);
  Expr Apply(const FunctionalInfo& info,
             const modelica::ast::Call& call,
             const modelica::ast::Span& span);

  const SignalTable& signals_;
  Expr time_;
  std::vector<Taken> taken_;
  std::vector<std::pair<std::size_t, Expr>> symbols_;
  int depth_ = 0;  // In functionals.
};

}  // namespace orrery::experiment::internal
