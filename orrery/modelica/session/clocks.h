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
    kInferred,     ///< Clock()
    kRational,     ///< Clock(counter, resolution)
    kPeriodic,     ///< Clock(interval)
    kVarying,      ///< These two of a variable, which is of that clock itself.
    kEvent,        ///< Clock(condition, startInterval)
    kSolver,       ///< Clock(c, solverMethod)
    kSubSample,    ///< These of clocks and of variables; `counter` is 0 where
    kSuperSample,  ///< a factor is to be inferred.
    kShiftSample,
    kBackSample,
    kNoClock,
    kPrevious,
    kSample,
    kHold,
    kInterval,
    kFirstTick,
    kWhen  ///< A when-clause of clock `argument`, no operator.
  };

  Kind kind = Kind::kInferred;
  Expr result;    ///< A symbol: of a clock, or of a variable of the flat model.
  Expr argument;  ///< What it is applied to: a clock, a variable or an element.
  Expr formula;   ///< What `argument` stands for, if it was made up for that.
  Expr clock;     ///< The one given to sample(u, clock).
  Expr interval;  ///< s: of kPeriodic; the one before an event clock's first.
  Expr condition;            ///< Of an event clock: a Boolean variable.
  std::int64_t counter = 0;  ///< A factor, or a shift in parts of an interval.
  std::int64_t resolution = 1;  ///< 1/s of kRational and kVarying.
  std::string method;           ///< Of kSolver.
  // Of kWhen: those of the flat model's equations that are in it.
  std::size_t first_equation = 0;
  std::size_t last_equation = 0;
  SourceSpan span;
  SharedText path;  ///< Of the component whose text it is.
};

/// Clocks and what is clocked in a model (specification, chapter 16), collected
/// while it is flattened. A clock's values are symbols of type Integer: how
/// often it has ticked.
class ClockTable {
 public:
  explicit ClockTable(Session& session) : session_(session) {}

  /// A symbol for a clock that is no component.
  Expr NewClock();

  /// A symbol for a variable that no text declares.
  Expr NewVariable(std::string name, ValueType type, const Shape& shape);

  void Add(ClockUse use) { uses_.push_back(std::move(use)); }

  /// Whether a symbol is one of NewVariable().
  [[nodiscard]] bool IsVariable(Expr symbol) const {
    return variables_.contains(symbol.id());
  }

  /// The result of an operator on a variable that was asked for before; empty
  /// if it was not.
  [[nodiscard]] Expr Find(ClockUse::Kind kind, Expr argument) const;

  [[nodiscard]] std::size_t size() const noexcept { return uses_.size(); }

  /// Forgets what was added after there were so many.
  void GoBack(std::size_t size) { uses_.resize(size); }

  /// Whether a formula is a clock: a component, an element of one or a made up
  /// one.
  [[nodiscard]] bool IsClock(Expr expr) const;

  /// Those whose results equations or other uses name, in their order: lowering
  /// may give up what it has begun.
  [[nodiscard]] std::vector<const ClockUse*> UsesThatMatter() const;

 private:
  Session& session_;
  std::vector<ClockUse> uses_;
  std::unordered_set<std::uint32_t> clocks_;  // Those made up.
  std::unordered_set<std::uint32_t> variables_;
  std::map<std::string, std::size_t> names_;
};

}  // namespace orrery::modelica::internal
