#include "orrery/compile/emit/tangents.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/compile/emit/dependence.h"
#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/states.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/derivatives/point_calls.h"

namespace orrery::compile::internal {
namespace {

using States = std::span<const StateElement>;

// Makes the pattern of a square matrix from the columns in each of its rows.
SparsityPattern SparsityOf(const Incidence& rows) {
  const auto n = static_cast<int>(rows.num_rows());
  SparsityPattern pattern{.rows = n, .columns = n};
  std::vector<int>& starts = pattern.column_starts;
  starts.assign(rows.num_rows() + 1, 0);
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    for (const std::uint32_t column : rows.row(row)) {
      ++starts[column + 1];
    }
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  pattern.row_indices.resize(static_cast<std::size_t>(starts.back()));
  std::vector<int> next(starts.begin(), starts.end() - 1);
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    for (const std::uint32_t column : rows.row(row)) {
      pattern.row_indices[static_cast<std::size_t>(next[column]++)] =
          static_cast<int>(row);
    }
  }
  return pattern;
}

// The quantities along which everything is differentiated.
struct Seeds {
  std::vector<bool> reach;   // By scalar: it depends on a seed.
  std::vector<Expr> knowns;  // Time, inputs and values of delays.
  bool are_known = false;    // `knowns` are the seeds; else the states are.
};

// Writes the tangents of all scalars that depend on the seeds.
class TangentEmitter {
 public:
  TangentEmitter(System& system,
                 std::span<const Step> steps,
                 Layout& layout,
                 SectionWriter& sections,
                 Seeds seeds)
      : system_(system),
        steps_(steps),
        layout_(layout),
        sections_(sections),
        seeds_(std::move(seeds)),
        tangent_of_(system.scalars.size()),
        point_calls_(system.graph) {}

  TangentProgram Run(States states) {
    // More partial derivatives than directions would cost more.
    constexpr std::size_t kMostPartials = 2;
    most_partials_ =
        seeds_.are_known ? 0 : std::min(states.size(), kMostPartials);
    DeclareTangents();
    WriteSteps();
    WriteSections();
    const Expr zero = NewScalar("zero");
    program_.results.reserve(states.size());
    if (!seeds_.are_known) {
      program_.seed_slots.reserve(states.size());
    }
    for (const auto& [scalar, element] : states) {
      const std::uint32_t offset = element - system_.scalars[scalar].element;
      if (!seeds_.are_known) {
        program_.seed_slots.push_back(tangent_of_[scalar].slot + offset);
      }
      const Alias derivative =
          system_.aliases[system_.scalars[scalar].derivative];
      const Place& result = tangent_of_[derivative.scalar];
      program_.results.push_back(
          {.slot = result.key ? result.slot + offset : layout_.Place(zero),
           .sign = derivative.sign > 0 ? 1.0F : -1.0F});
    }
    return std::move(program_);
  }

 private:
  struct Place {
    Expr key;
    std::uint32_t slot = 0;
  };

  Expr NewScalar(const char* name) {
    return system_.graph.Symbol(
        {.name = name, .type = ValueType::kReal, .shape = {}});
  }

  void DeclareTangents() {
    NodeIndex symbols;  // Ids of tangents by variable's symbol.
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (!seeds_.reach[i]) {
        continue;
      }
      const Scalar& scalar = system_.scalars[i];
      const Expr own = scalar.symbol;
      if (symbols.Find(own.id()) == NodeIndex::kNone) {
        const Expr symbol =
            system_.graph.Symbol({.name = "tangent", .shape = own.shape()});
        symbols.Insert(own.id(), symbol.id());
        point_calls_.AddDirection(symbol);
      }
      const Expr symbol = system_.graph.At(symbols.Find(own.id()));
      tangent_of_[i] = {.key = system_.PartOf(symbol, i),
                        .slot = layout_.Place(symbol) + scalar.element};
    }
    for (const Expr& known : seeds_.knowns) {
      const Expr tangent = NewScalar("tangent of a known");
      known_seeds_.emplace_back(known, tangent);
      program_.seed_slots.push_back(layout_.Place(tangent));
    }
  }

  // Returns the seeds for time and inputs, if those are the seeds.
  [[nodiscard]] Tangent AlongKnowns() const {
    Tangent tangent(system_.graph);
    tangent.TakePartials(most_partials_);
    for (const auto& [known, seed] : known_seeds_) {
      tangent.Seed(known, seed);
    }
    return tangent;
  }

  void WriteSteps() {
    Tangent all = AlongKnowns();
    for (std::uint32_t i = 0; i < tangent_of_.size(); ++i) {
      if (tangent_of_[i].key) {
        Seed(all, i);
      }
    }
    std::vector<TapeAssignment> assignments;
    assignments.reserve(steps_.size());
    const auto close_section = [&] {
      if (!assignments.empty()) {
        program_.schedule.push_back(
            {.kind = ScheduleStep::Kind::kSection, .index = pending_.size()});
        pending_.push_back(std::exchange(assignments, {}));
      }
    };
    for (const Step& step : steps_) {
      if (step.equation != nullptr) {
        const Expr target = tangent_of_[step.equation->scalar].key;
        if (target) {
          assignments.push_back(
              {.target = target,
               .value = all.Of(step.equation->value),
               .iterators = system_.IteratorsOf(step.equation->scalar)});
        }
        continue;
      }
      if (!tangent_of_[step.loop->torn.front()].key) {
        continue;
      }
      close_section();
      WriteBlock(step);
    }
    close_section();
  }

  // An array that loops read gets an array of tangents. Tangents of elements
  // that depend on no seed stay zero in it.
  void Seed(Tangent& tangent, std::uint32_t scalar) const {
    if (!system_.IsSlice(scalar)) {
      tangent.Seed(system_.scalars[scalar].key, tangent_of_[scalar].key);
    }
    if (system_.IsInArray(scalar)) {
      tangent.Seed(system_.scalars[scalar].symbol,
                   tangent_of_[scalar].key.operand(0));
    }
  }

  // dr/dz * dz = -dr/d(others) * d(others)
  void WriteBlock(const Step& step) {
    Tangent others = AlongKnowns();
    std::vector<std::uint32_t> torn = step.loop->torn;
    std::ranges::sort(torn);
    for (const std::uint32_t scalar : torn) {
      if (system_.IsInArray(scalar)) {
        others.Seed(system_.scalars[scalar].key, system_.graph.Constant(0));
      }
    }
    for (const std::uint32_t scalar :
         system_.walk.Scalars(step.loop->residuals)) {
      if (tangent_of_[scalar].key &&
          !std::ranges::binary_search(torn, scalar)) {
        Seed(others, scalar);
      }
    }
    TangentProgram::Block block{.block = step.block};
    std::vector<TapeAssignment> assignments;
    for (std::size_t i = 0; i < step.loop->torn.size(); ++i) {
      const Expr target = NewScalar("loop tangent");
      block.rhs_slots.push_back(layout_.Place(target));
      block.tangent_slots.push_back(tangent_of_[step.loop->torn[i]].slot);
      assignments.push_back({.target = target,
                             .value = -others.Of(step.loop->residuals[i]),
                             .iterators = {}});
    }
    block.rhs_section = pending_.size();
    pending_.push_back(std::move(assignments));
    program_.schedule.push_back(
        {.kind = ScheduleStep::Kind::kBlock, .index = program_.blocks.size()});
    program_.blocks.push_back(std::move(block));
  }

  // Computes what depends on the point only once, for all directions.
  void TakeOutPointCalls() {
    std::vector<Expr> values;
    for (const std::vector<TapeAssignment>& section : pending_) {
      for (const TapeAssignment& assignment : section) {
        values.push_back(assignment.value);
      }
    }
    std::vector<TapeAssignment> at_point;
    for (const auto& [symbol, output] : point_calls_.TakeOut(values)) {
      layout_.Place(symbol);
      at_point.push_back({.target = symbol, .value = output, .iterators = {}});
    }
    if (at_point.empty()) {
      return;
    }
    auto value = values.begin();
    for (std::vector<TapeAssignment>& section : pending_) {
      for (TapeAssignment& assignment : section) {
        assignment.value = *value++;
      }
    }
    program_.at_point.push_back({.kind = ScheduleStep::Kind::kSection,
                                 .index = sections_.Add(std::move(at_point))});
  }

  void WriteSections() {
    if (!seeds_.are_known) {
      TakeOutPointCalls();
    }
    std::vector<std::size_t> numbers;
    for (std::vector<TapeAssignment>& assignments : pending_) {
      numbers.push_back(sections_.Add(std::move(assignments)));
    }
    for (ScheduleStep& step : program_.schedule) {
      if (step.kind == ScheduleStep::Kind::kSection) {
        step.index = numbers[step.index];
      }
    }
    for (TangentProgram::Block& block : program_.blocks) {
      block.rhs_section = numbers[block.rhs_section];
    }
  }

  System& system_;
  std::span<const Step> steps_;
  Layout& layout_;
  SectionWriter& sections_;
  Seeds seeds_;
  TangentProgram program_;
  std::vector<Place> tangent_of_;  // By scalar.
  std::vector<std::pair<Expr, Expr>> known_seeds_;
  std::size_t most_partials_ = 0;
  PointCalls point_calls_;
  /// Sections; until they are written, steps have their numbers here.
  std::vector<std::vector<TapeAssignment>> pending_;
};

Dependence OnStates(System& system, States states) {
  Dependence dependence(system);
  for (std::uint32_t k = 0; k < states.size(); ++k) {
    dependence.SetColumn(states[k], k);
  }
  return dependence;
}

// Finds the states that each scalar depends on; nothing if they are too many.
std::optional<Dependence> FollowStates(System& system,
                                       States states,
                                       std::span<const Step> steps) {
  Dependence dependence = OnStates(system, states);
  for (const Step& step : steps) {
    if (step.equation != nullptr) {
      dependence.Follow(*step.equation);
    } else {
      const Dependence::List columns = dependence.Of(FormulasOf(step));
      for (const std::uint32_t scalar : step.loop->torn) {
        dependence.Set(scalar, columns);
      }
    }
    if (dependence.is_too_dense()) {
      return std::nullopt;
    }
  }
  return dependence;
}

std::span<const std::uint32_t> ColumnsOfDerivative(
    const System& system,
    const StateElement& state,
    const Dependence& dependence) {
  const Scalar& quantity = system.scalars[state.scalar];
  return dependence.Of(system.aliases[quantity.derivative].scalar,
                       state.element);
}

Incidence RowsOfDerivatives(const System& system,
                            States states,
                            const Dependence& dependence) {
  Incidence rows;
  for (const StateElement& state : states) {
    rows.AddRow(ColumnsOfDerivative(system, state, dependence));
  }
  return rows;
}

// Returns the pattern of the implicit form, in which the iteration variables of
// loops that depend on states are unknowns beside the states; empty if too
// dense.
SparsityPattern ImplicitPattern(System& system,
                                States states,
                                std::span<const Step> steps,
                                const Dependence& on_states) {
  Dependence dependence = OnStates(system, states);
  auto next = static_cast<std::uint32_t>(states.size());
  std::vector<Dependence::List> residuals;
  for (const Step& step : steps) {
    if (step.equation != nullptr) {
      dependence.Follow(*step.equation);
    } else if (on_states.HasAny(step.loop->torn.front())) {
      for (const std::uint32_t scalar : step.loop->torn) {
        dependence.SetColumn(scalar, next++);
      }
      for (const Expr& residual : step.loop->residuals) {
        residuals.push_back(dependence.Of(std::span(&residual, 1)));
      }
    }
    if (dependence.is_too_dense()) {
      return {};
    }
  }
  Incidence rows;
  std::vector<std::uint32_t> row;
  for (std::uint32_t k = 0; k < states.size(); ++k) {
    const auto columns = ColumnsOfDerivative(system, states[k], dependence);
    row.assign(columns.begin(), columns.end());
    const auto place = std::ranges::lower_bound(row, k);
    if (place == row.end() || *place != k) {
      row.insert(place, k);
    }
    rows.AddRow(row);
  }
  for (const Dependence::List list : residuals) {
    rows.AddRow(dependence.Columns(list));
  }
  return SparsityOf(rows);
}

std::vector<Expr> KnownsOf(System& system) {
  std::vector<Expr> knowns = {system.model.time};
  for (const Variable& variable : system.model.variables) {
    if (system.varying_symbols.Find(variable.symbol.id()) == kNone) {
      continue;
    }
    const auto count =
        static_cast<std::uint32_t>(NumElements(variable.symbol.shape()));
    for (std::uint32_t i = 0; i < count; ++i) {
      knowns.push_back(system.ElementOf(variable.symbol, i));
    }
  }
  for (const DelayPart& delay : system.events.delays) {
    knowns.push_back(delay.value);
  }
  return knowns;
}

// Marks scalars that depend on time or inputs; empty if none does.
std::vector<bool> FollowKnowns(System& system, std::span<const Step> steps) {
  std::vector<Expr> formulas;
  for (const Step& step : steps) {
    std::ranges::copy(FormulasOf(step), std::back_inserter(formulas));
  }
  if (!system.walk.ContainKnown(formulas)) {
    return {};
  }
  std::vector<bool> reach(system.scalars.size());
  for (const Step& step : steps) {
    const std::span<const Expr> own = FormulasOf(step);
    const bool is_reached = std::ranges::any_of(system.walk.Scalars(own),
                                                [&](std::uint32_t scalar) {
                                                  return reach[scalar];
                                                }) ||
                            system.walk.ContainKnown(own);
    if (step.equation != nullptr) {
      reach[step.equation->scalar] = is_reached;
    } else {
      for (const std::uint32_t scalar : step.loop->torn) {
        reach[scalar] = is_reached;
      }
    }
  }
  return reach;
}

}  // namespace

void EmitTangents(System& system,
                  std::span<const StateElement> states,
                  std::span<const Step> steps,
                  Layout& layout,
                  SectionWriter& sections,
                  Program& program) {
  if (states.empty()) {
    return;
  }
  const auto on_states = FollowStates(system, states, steps);
  if (!on_states) {
    return;
  }
  program.jacobian_pattern =
      SparsityOf(RowsOfDerivatives(system, states, *on_states));
  Seeds seeds{.reach = std::vector<bool>(system.scalars.size())};
  for (std::uint32_t i = 0; i < seeds.reach.size(); ++i) {
    seeds.reach[i] = on_states->HasAny(i);
  }
  program.tangent =
      TangentEmitter(system, steps, layout, sections, std::move(seeds))
          .Run(states);
  if (!program.tangent.blocks.empty()) {
    program.implicit_pattern =
        ImplicitPattern(system, states, steps, *on_states);
  }
  if (std::vector<bool> reach = FollowKnowns(system, steps); !reach.empty()) {
    program.time_tangent = TangentEmitter(system,
                                          steps,
                                          layout,
                                          sections,
                                          {.reach = std::move(reach),
                                           .knowns = KnownsOf(system),
                                           .are_known = true})
                               .Run(states);
  }
}

}  // namespace orrery::compile::internal
