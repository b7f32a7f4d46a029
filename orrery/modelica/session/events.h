#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/symbolic/graph.h"

namespace orrery {
struct FlatModel;
struct Variable;
}  // namespace orrery

namespace orrery::modelica::internal {

struct Component;
struct Instance;
struct Session;

/// The when-clauses and event operators of a model. They are checked once all
/// equations are known.
class EventTable {
 public:
  explicit EventTable(Session& session) : session_(session) {}

  /// The path of the next when-clause of an instance: "tank.when2".
  std::string NewWhen(Instance& instance);

  /// Adds a Boolean to the flat model that no text declares: `name` at `span`.
  Expr AddHidden(std::string name, const SourceSpan& span);

  /// Adds a Real that nothing reads, in the same way.
  Expr AddUnused(std::string name, const SourceSpan& span);

  /// A variable's elements, numbered row-major, are assigned in one branch of
  /// when-clause `clause`, a number of `NewClause()`. Reports elements that the
  /// branch or another clause assigns too, and throws Abandoned.
  struct Target {
    Component* component = nullptr;
    std::span<const std::int64_t> elements;
    std::size_t clause = 0;
    std::size_t branch = 0;
    SourceSpan span;
  };

  [[nodiscard]] std::size_t NewClause() noexcept { return num_clauses_++; }

  void AddTarget(const Target& target);

  /// Notes that an algorithm assigns `component` outside of its
  /// when-statements.
  void AddOther(const Component& component) { others_.insert(&component); }

  /// True if only when-clauses assign it.
  [[nodiscard]] bool IsOfWhens(const Component& component) const {
    return assigned_.contains(&component) && !others_.contains(&component);
  }

  /// Notes pre() outside of when-clauses.
  void AddPre(Component& component, const SourceSpan& span);
  void AddReinit(Component& component, const SourceSpan& span);

  /// Notes der() of a variable or of a formula of it.
  void AddDer(Component& component, const SourceSpan& span, bool is_variable);

  /// The ticks of a clock give `component` its values, and a solver of the
  /// clock gives its derivatives their meaning.
  void TakeClocked(const Component& component);

  /// Makes the variables discrete that when-clauses assign. Reports operators
  /// on variables that they do not fit.
  void Finish();

 private:
  struct Assigned {
    std::size_t clause = 0;
    std::size_t branch = 0;
    SourceSpan span;
  };

  struct Use {
    Component* component = nullptr;
    SourceSpan span;
    bool is_variable = true;  ///< Itself, not a formula of it.
  };

  Expr AddMadeUp(std::string name, ValueType type, const SourceSpan& span);
  void CheckDiscrete();
  void MakeDiscrete();
  void CheckPre();
  void CheckDers();
  void CheckReinits();
  bool MakeState(const Component& component, const SourceSpan& span);

  Session& session_;
  std::size_t num_clauses_ = 0;
  std::unordered_map<const Instance*, std::size_t> whens_;
  std::vector<Component*> targets_;  // In the order of assignments.
  std::unordered_map<const Component*, std::map<std::int64_t, Assigned>>
      assigned_;
  std::unordered_set<const Component*> others_;
  std::vector<Use> pres_;
  std::vector<Use> ders_;
  std::vector<Use> reinits_;
  std::unordered_set<const Component*> clocked_;
};

/// "file.mo:12"
[[nodiscard]] std::string PlaceOf(const SourceSpan& span);

/// A variable of the flat model that no text declares: a Real is continuous,
/// all else discrete. It stays where it is until another one is added.
Variable& AddMadeUp(FlatModel& flat, Expr symbol, const SourceSpan& span);

/// The variables that a reference is lowered to: those whose elements it
/// consists of, not those in subscripts. Empty if it is another formula.
[[nodiscard]] std::vector<Expr> SymbolsOf(Expr reference);

/// The first variable in a formula that is no constant or parameter; empty if
/// there is none.
[[nodiscard]] std::string VaryingIn(const Session& session, Expr expr);

/// The conjunction; an empty condition always holds.
[[nodiscard]] Expr AndThen(Expr a, Expr b);

}  // namespace orrery::modelica::internal
