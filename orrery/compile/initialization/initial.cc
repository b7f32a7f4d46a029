#include "orrery/compile/initialization/initial.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orrery/compile/initialization/agreement.h"
#include "orrery/compile/initialization/chosen_solutions.h"
#include "orrery/compile/initialization/implied_starts.h"
#include "orrery/compile/initialization/surplus_conditions.h"
#include "orrery/compile/initialization/values_before.h"
#include "orrery/compile/sorting/discrete.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

// Finds the start values that have to hold beside the initial equations.
class InitialProblem {
 public:
  InitialProblem(System& system, StartTable& starts, Diagnostics& diagnostics)
      : system_(system), starts_(starts), diagnostics_(diagnostics) {}

  SortedStart Sort() {
    if (!IsNeeded()) {
      for (std::uint32_t i = 0; i < starts_.size(); ++i) {
        starts_[i].holds = system_.IsState(i);
      }
      return {.initial = {}, .homotopy = SortHomotopyOfStarts()};
    }
    problem_.is_of_start = true;
    problem_.equations = system_.equations;
    TakeComputedStarts();
    AddInitialEquations();
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.aliases[i].scalar == i && !system_.IsLeftLimit(i)) {
        problem_.unknowns.push_back(i);
        if (starts_[i].is_fixed && system_.StartsAt(i) != kNone) {
          AddStart(i);
        }
      }
    }
    AddConstraints();
    TakeValuesBefore(system_, problem_.equations);
    MatchedProblem matched = MatchAll();
    if (!CheckMatched(system_, matched, diagnostics_)) {
      return {};
    }
    const SortProblem whole = HasHomotopies() ? matched.problem : SortProblem{};
    SortedStart sorted;
    sorted.initial.iterated = BreakLoopsAtRelations(system_, matched);
    sorted.initial.equations =
        compile::internal::Sort(system_, matched, diagnostics_);
    if (HasHomotopies()) {
      sorted.homotopy = SortHomotopy(whole);
    }
    AddAgreements(system_, surplus_, sorted.initial.equations);
    return sorted;
  }

 private:
  // Leaves out conditions that others imply and lets states keep their start
  // values, until there are as many equations as unknowns.
  MatchedProblem MatchAll() {
    if (problem_.equations.size() < problem_.unknowns.size()) {
      SortProblem given = problem_;
      AddFreeStarts();
      MatchedProblem matched = Match(system_, std::move(problem_));
      if (matched.matching.is_perfect()) {
        return matched;
      }
      problem_ = std::move(given);
      for (const std::uint32_t scalar : std::exchange(free_starts_, {})) {
        starts_[scalar].holds = false;
      }
    }
    MatchedProblem matched = Match(system_, std::move(problem_));
    if (matched.matching.is_perfect()) {
      return matched;
    }
    problem_ = std::move(matched.problem);
    LeaveOutImpliedStarts();
    matched = Match(system_, std::move(problem_));
    if (!system_.has_loops &&
        std::ranges::find(matched.matching.column_of_row, kNone) !=
            matched.matching.column_of_row.end()) {
      LeaveOutSurplus(matched);
    }
    problem_ = std::move(matched.problem);
    if (leaves_initial_out_) {
      AddOtherConstraints();
    }
    AddFreeStarts();
    return Match(system_, std::move(problem_));
  }

  // A start value that depends on held parameters is not known before the
  // start. It becomes a formula in the equations.
  void TakeComputedStarts() {
    if (!system_.has_held) {
      return;
    }
    computed_.resize(starts_.size());
    for (std::uint32_t i = 0; i < starts_.size(); ++i) {
      Expr& value = starts_[i].value;
      if (!value || !FollowsFromHeld(value)) {
        continue;
      }
      if (system_.IsSlice(i)) {
        throw Retry{.reason = Retry::Reason::kFewerLoops,
                    .variables = {system_.scalars[i].variable}};
      }
      computed_[i] = system_.elements.All(value).front();
      value = {};
    }
  }

  [[nodiscard]] bool FollowsFromHeld(Expr value) const {
    const std::array formulas = {
        value.is_scalar() ? system_.elements.All(value).front() : value};
    const auto scalars = system_.walk.Scalars(formulas);
    return !scalars.empty() &&
           std::ranges::all_of(scalars,
                               [this](std::uint32_t scalar) {
                                 return system_.IsHeld(scalar);
                               }) &&
           !system_.walk.ContainKnown(formulas);
  }

  [[nodiscard]] bool IsComputed(std::uint32_t scalar) const {
    return scalar < computed_.size() && computed_[scalar];
  }

  // Without further conditions every state starts at its start value.
  [[nodiscard]] bool IsNeeded() const {
    if (!system_.initial_equations.empty() || system_.has_held ||
        !system_.events.delays.empty()) {
      return true;
    }
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.IsUnknown(i) &&
          (system_.scalars[i].is_discrete ||
           (i < starts_.size() && starts_[i].is_fixed))) {
        return true;
      }
    }
    return false;
  }

  // Adds equal conditions on one quantity once: two blocks at one signal may
  // each have a parameter for its value before the start.
  void AddInitialEquations() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (const ScalarEquation& equation : system_.initial_equations) {
      if (known.emplace(equation.left.id(), BoundTo(equation.right).id())
              .second) {
        problem_.equations.push_back(equation);
      }
    }
  }

  // A constraint normally corrects the states after they have their start
  // values. But if everything else leaves at most one of them open, the
  // constraint determines that one, as for a quaternion whose rotation is
  // given. It determines a parameter, too, as the length of a rod between two
  // points whose places are given.
  void AddConstraints() {
    if (system_.constraints.empty() ||
        (system_.initial_equations.empty() && !system_.has_held)) {
      return;
    }
    SortProblem all = problem_;
    for (const BoundStates& bound : system_.constraints) {
      all.equations.push_back(bound.equation);
    }
    const Incidence incidence = FindIncidence(system_, all);
    const auto narrowed = FindCandidates(system_, all, incidence);
    const Incidence& candidates = narrowed ? *narrowed : incidence;
    const Matching matching =
        MaximumMatching(candidates,
                        all.unknowns.size(),
                        FindDefinitions(system_, all, incidence));
    std::set<std::uint32_t> open;
    for (const Part& part : UnderdeterminedParts(candidates, matching)) {
      for (const std::uint32_t column : part.columns) {
        open.insert(all.unknowns[column]);
      }
    }
    std::size_t row = problem_.equations.size();
    for (const BoundStates& bound : system_.constraints) {
      const std::array sides = {bound.equation.left, bound.equation.right};
      const auto states = system_.walk.Scalars(sides);
      if (matching.column_of_row[row++] == kNone) {
        continue;
      }
      const bool has_held = std::ranges::any_of(
          states, [&](std::uint32_t scalar) { return system_.IsHeld(scalar); });
      if (has_held || std::ranges::all_of(states, [&](std::uint32_t scalar) {
            return system_.IsState(scalar) && !starts_[scalar].is_fixed &&
                   !open.contains(scalar);
          })) {
        problem_.equations.push_back(bound.equation);
        taken_constraints_.insert(bound.residual);
      }
    }
  }

  // Lets further constraints determine states, as far as initial equations
  // leave any open: their derivatives may be what made these surplus.
  void AddOtherConstraints() {
    std::vector<ScalarEquation> others;
    for (const BoundStates& bound : system_.constraints) {
      if (!taken_constraints_.contains(bound.residual)) {
        others.push_back(bound.equation);
      }
    }
    TakeValuesBefore(system_, others);
    SortProblem all = problem_;
    all.equations.insert(all.equations.end(), others.begin(), others.end());
    const std::size_t known = problem_.equations.size();
    const MatchedProblem matched = Match(system_, std::move(all));
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (matched.matching.column_of_row[known + i] != kNone) {
        problem_.equations.push_back(others[i]);
      }
    }
  }

  // Returns the number that a parameter is bound to; else the formula.
  Expr BoundTo(Expr formula) {
    if (bindings_.empty()) {
      for (const Variable& variable : system_.model.variables) {
        if (IsParameter(variable) && variable.binding &&
            variable.binding.is_scalar()) {
          bindings_.emplace(variable.symbol.id(), variable.binding);
        }
      }
    }
    Expr bound = formula;
    for (std::size_t i = 0; i < bindings_.size(); ++i) {  // Bounded by the
                                                          // number of bindings.
      const auto at = bindings_.find(bound.id());
      if (at == bindings_.end()) {
        break;
      }
      bound = at->second;
    }
    return bound.is_constant() ? bound : formula;
  }

  [[nodiscard]] bool HasHomotopies() const {
    return !system_.homotopies.empty();
  }

  // The way to a start at which the states have their start values.
  SortedSystem SortHomotopyOfStarts() {
    if (!HasHomotopies()) {
      return {};
    }
    problem_.is_of_start = true;
    problem_.equations = system_.equations;
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.aliases[i].scalar == i) {
        problem_.unknowns.push_back(i);
        if (system_.IsState(i)) {
          AddStart(i);
        }
      }
    }
    TakeValuesBefore(system_, problem_.equations);
    return SortHomotopy(std::move(problem_));
  }

  // An error in this problem alone is no error of the model: a run then
  // solves its actual equations.
  SortedSystem SortHomotopy(SortProblem problem) {
    std::vector<ScalarEquation> ways = system_.homotopies;
    TakeValuesBefore(system_, ways);
    for (ScalarEquation& equation : problem.equations) {
      if (equation.homotopy != kNone) {
        equation.left = ways[equation.homotopy].left;
        equation.right = ways[equation.homotopy].right;
      }
    }
    MatchedProblem matched = Match(system_, std::move(problem));
    if (!matched.matching.is_perfect()) {
      return {};
    }
    const auto num_loops =
        static_cast<std::ptrdiff_t>(system_.parameter_loops.size());
    const bool was_singular = system_.has_singular_loop;
    Diagnostics found;
    SortedSystem sorted;
    sorted.iterated = BreakLoopsAtRelations(system_, matched);
    sorted.equations = compile::internal::Sort(system_, matched, found);
    system_.parameter_loops.erase(system_.parameter_loops.begin() + num_loops,
                                  system_.parameter_loops.end());
    system_.has_singular_loop = was_singular;
    const bool is_of_use =
        !found.has_errors() &&
        ChoosesSolution(system_, sorted, system_.model.homotopy->part);
    return is_of_use ? sorted : SortedSystem{};
  }

  void AddStart(std::uint32_t scalar) {
    problem_.equations.push_back(StartEquation(scalar));
    starts_[scalar].holds = !IsComputed(scalar);
  }

  void LeaveOutImpliedStarts() {
    LeaveOut(FindImpliedStarts(system_, starts_, problem_.equations));
  }

  // The agreement of what is left out with the other equations is checked when
  // a run starts, for the values at that time. What is known to contradict them
  // stays, to be reported.
  void LeaveOutSurplus(MatchedProblem& matched) {
    const Replacements numbers = PresentNumbers(system_);
    std::vector<ScalarEquation>& equations = matched.problem.equations;
    const auto surplus = FindSurplusConditions(system_, matched, numbers);
    if (surplus.empty() ||
        ContradictEachOther(system_, starts_, equations, numbers)) {
      return;
    }
    for (const std::uint32_t row : surplus) {
      const ScalarEquation& equation = equations[row];
      const bool is_start =
          system_.origins[equation.origin].kind == OriginKind::kStart;
      const std::uint32_t scalar = system_.ScalarAt(equation.left);
      const std::uint32_t of = is_start ? NameOfStart(scalar) : kNone;
      leaves_initial_out_ = leaves_initial_out_ || !is_start;
      if (is_start) {
        starts_[of].holds = false;
      }
      std::string both = ToText(equation.left, 40);
      both += " = ";
      both += ToText(
          is_start && starts_[of].value ? starts_[of].value : equation.right,
          40);
      diagnostics_.Add(system_.About(
          Severity::kWarning,
          equation.origin,
          "the start does not need " + both +
              ": the other equations determine it",
          "leave it out; whether it agrees is checked when a run starts"));
      surplus_.push_back(equation);
    }
    for (auto row = surplus.rbegin(); row != surplus.rend(); ++row) {
      equations.erase(equations.begin() + *row);
    }
  }

  // The scalar whose start value is for `scalar`, x for pre(x).
  [[nodiscard]] std::uint32_t NameOfStart(std::uint32_t scalar) const {
    const std::uint32_t of = system_.scalars[scalar].pre_of;
    return of == kNone ? scalar : of;
  }

  void LeaveOut(const ImpliedStarts& implied) {
    leaves_initial_out_ = leaves_initial_out_ || !implied.equations.empty();
    std::set<std::uint32_t> keys;
    for (const std::uint32_t scalar : implied.scalars) {
      keys.insert(system_.scalars[scalar].key.id());
      starts_[NameOfStart(scalar)].holds = false;
    }
    const auto stays = [&](const ScalarEquation& equation) {
      switch (system_.origins[equation.origin].kind) {
        case OriginKind::kStart:
          return !keys.contains(equation.left.id());
        case OriginKind::kInitialEquation:
          return std::ranges::find(implied.equations, equation.number) ==
                 implied.equations.end();
        default:
          return true;
      }
    };
    std::erase_if(problem_.equations, [&](const ScalarEquation& equation) {
      return !stays(equation);
    });
  }

  ScalarEquation StartEquation(std::uint32_t scalar) {
    const Variable& variable =
        system_.model.variables[system_.scalars[scalar].variable];
    return {
        .left = system_.scalars[system_.StartsAt(scalar)].key,
        .right = IsComputed(scalar) ? computed_[scalar]
                                    : starts_.KeyOf(system_, scalar),
        .origin = system_.AddOrigin(OriginKind::kStart, variable.notes->span),
        .has_loops = system_.IsSlice(scalar)};
  }

  // By scalar: it is the derivative of a state, if equations were
  // differentiated.
  [[nodiscard]] std::vector<bool> FindRates() const {
    std::vector<bool> are_rates(system_.scalars.size());
    if (std::ranges::none_of(system_.equations, [](const auto& equation) {
          return equation.order > 0;
        })) {
      return are_rates;
    }
    for (std::uint32_t i = 0; i < are_rates.size(); ++i) {
      if (system_.IsState(i)) {
        are_rates[system_.aliases[system_.scalars[i].derivative].scalar] = true;
      }
    }
    return are_rates;
  }

  // Lets states keep their start values until everything is determined. Given
  // start values come first, derivatives of other states last: so an equation
  // determines a state, and its derivative the rate of that state.
  void AddFreeStarts() {
    std::vector<std::uint32_t> free;
    for (const std::uint32_t scalar : problem_.unknowns) {
      const std::uint32_t at = system_.StartsAt(scalar);
      if ((system_.IsState(scalar) || at != scalar) && at != kNone &&
          !starts_[scalar].is_fixed &&
          system_.scalars[scalar].variable != kNone) {
        free.push_back(scalar);
      }
    }
    std::stable_partition(free.begin(),
                          free.end(),
                          [are_rates = FindRates()](std::uint32_t scalar) {
                            return !are_rates[scalar];
                          });
    std::stable_partition(
        free.begin(), free.end(), [this](std::uint32_t scalar) {
          return starts_[scalar].value || IsComputed(scalar) ||
                 system_.StartsAt(scalar) != scalar;
        });
    const std::size_t known = problem_.equations.size();
    SortProblem all = problem_;
    for (const std::uint32_t scalar : free) {
      all.equations.push_back(StartEquation(scalar));
    }
    const Incidence incidence = FindIncidence(system_, all);
    auto preferred = FindDefinitions(system_, all, incidence);
    std::fill(preferred.begin() + static_cast<std::ptrdiff_t>(known),
              preferred.end(),
              kNone);
    const auto candidates = FindCandidates(system_, all, incidence);
    const Matching matching = MaximumMatching(
        candidates ? *candidates : incidence, all.unknowns.size(), preferred);
    for (std::size_t row = known; row < all.equations.size(); ++row) {
      if (matching.column_of_row[row] != kNone) {
        AddStart(free[row - known]);
        free_starts_.push_back(free[row - known]);
      }
    }
  }

  System& system_;
  StartTable& starts_;
  Diagnostics& diagnostics_;
  SortProblem problem_;
  std::vector<std::uint32_t> free_starts_;  // They hold, though not fixed.
  std::vector<ScalarEquation> surplus_;     // Conditions that are left out.
  bool leaves_initial_out_ = false;         // An initial equation is left out.
  std::set<std::uint32_t> taken_constraints_;  // Their residuals.
  Replacements bindings_;                      // Bindings of parameters.
  std::vector<Expr> computed_;  // By scalar: its start value, if it depends on
                                // held parameters.
};

}  // namespace

SortedStart SortInitialEquations(System& system,
                                 StartTable& starts,
                                 Diagnostics& diagnostics) {
  return InitialProblem(system, starts, diagnostics).Sort();
}

}  // namespace orrery::compile::internal
