#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct Component;
struct Session;

/// One use of an operator on clocks or clocked variables, or of a constructor
/// of clocks (specification 3.6, sections 16.3 to 16.10).
struct ClockUse {
  enum class Kind : std::uint8_t {
    kInferred,  ///< Clock()
    kRational,  ///< Clock(counter, resolution)
    kPeriodic,  ///< Clock(interval)
    /// One of the above with a variable argument, which is on that clock
    /// itself.
    kVarying,
    kEvent,   ///< Clock(condition, startInterval)
    kSolver,  ///< Clock(c, solverMethod)
    /// Conversions of clocks and variables; `counter` is 0 if it must be
    /// inferred.
    kSubSample,
    kSuperSample,
    kShiftSample,
    kBackSample,
    kNoClock,
    kPrevious,
    kSample,
    kHold,
    kInterval,
    kFirstTick,
    kWhen  ///< A when-clause with clock `argument`; no operator.
  };

  Kind kind = Kind::kInferred;
  Expr result;    ///< The symbol of a clock or of a variable of the flat model.
  Expr argument;  ///< The operand: a clock, a variable or an element.
  Expr formula;   ///< The formula that a made-up `argument` stands for.
  Expr clock;     ///< The clock given to sample(u, clock).
  Expr interval;  ///< s: for kPeriodic, or before an event clock's first tick.
  Expr condition;            ///< A Boolean variable; event clocks only.
  std::int64_t counter = 0;  ///< A factor, or a shift in parts of an interval.
  std::int64_t resolution = 1;  ///< 1/s, for kRational and kVarying.
  std::string method;           ///< For kSolver.
  // For kWhen: the range of its equations in the flat model.
  std::size_t first_equation = 0;
  std::size_t last_equation = 0;
  SourceSpan span;
  SharedText path;  ///< The component that contains the use.
};

/// The clocks and clocked operators of a model (specification, chapter 16),
/// collected during flattening. A clock is a symbol of type Integer; its value
/// is the number of its ticks so far.
class ClockTable {
 public:
  explicit ClockTable(Session& session) : session_(session) {}

  /// A symbol for a clock that is no component.
  Expr NewClock();

  /// A symbol for a variable that no text declares.
  Expr NewVariable(std::string name, ValueType type, const Shape& shape);

  void Add(ClockUse use) { uses_.push_back(std::move(use)); }

  /// True if NewVariable() made the symbol.
  [[nodiscard]] bool IsVariable(Expr symbol) const {
    return variables_.contains(symbol.id());
  }

  /// The result of an earlier use of this operator on the variable; empty if
  /// there was none.
  [[nodiscard]] Expr Find(ClockUse::Kind kind, Expr argument) const;

  [[nodiscard]] std::size_t size() const noexcept { return uses_.size(); }

  /// The variable whose previous value a symbol is; empty if it is none.
  [[nodiscard]] Expr PreviousArgument(Expr symbol) const;

  /// Forgets all uses after the first `size`.
  void GoBack(std::size_t size) { uses_.resize(size); }

  /// True if a formula is a clock: a component, an element of one or a made-up
  /// clock.
  [[nodiscard]] bool IsClock(Expr expr) const;

  /// Those whose results equations or other uses name, in their order: lowering
  /// may give up what it has begun.
  [[nodiscard]] std::vector<const ClockUse*> UsesThatMatter() const;

 private:
  Session& session_;
  std::vector<ClockUse> uses_;
  std::unordered_set<std::uint32_t> clocks_;  // Made-up clocks.
  std::unordered_set<std::uint32_t> variables_;
  std::map<std::string, std::size_t> names_;
};

}  // namespace orrery::modelica::internal
