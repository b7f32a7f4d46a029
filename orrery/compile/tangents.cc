#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/compile/internal/emit.h"
#include "orrery/symbolic/derivative.h"

namespace orrery::internal {
namespace {

// More structural entries than this many per state, and in all, are not worth
// following: a model so dense is better served by differences.
constexpr std::size_t kMaxEntries = 40'000'000;

using Numbers = std::vector<std::uint32_t>;

// Which columns of a matrix each scalar depends on, through all that was
// computed before it.
class Dependence {
 public:
  explicit Dependence(System& system)
      : system_(system), columns_of_(system.scalars.size()) {}

  [[nodiscard]] const Numbers& operator[](std::uint32_t scalar) const {
    return columns_of_[scalar];
  }

  void Set(std::uint32_t scalar, Numbers columns) {
    num_entries_ += columns.size();
    columns_of_[scalar] = std::move(columns);
  }

  [[nodiscard]] Numbers Of(std::span<const Expr> formulas) const {
    Numbers result;
    Numbers merged;
    for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
      merged.clear();
      std::ranges::set_union(
          result, columns_of_[scalar], std::back_inserter(merged));
      std::swap(result, merged);
    }
    return result;
  }

  [[nodiscard]] bool is_too_dense() const noexcept {
    return num_entries_ > kMaxEntries;
  }

 private:
  System& system_;
  std::vector<Numbers> columns_of_;  // By scalar, ascending.
  std::size_t num_entries_ = 0;
};

// The structure of a square matrix from the columns in each of its rows.
MatrixStructure StructureOf(std::span<const Numbers> rows) {
  std::vector<std::vector<std::int32_t>> columns(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const std::uint32_t column : rows[row]) {
      columns[column].push_back(static_cast<std::int32_t>(row));
    }
  }
  MatrixStructure structure;
  structure.column_starts.push_back(0);
  for (const auto& column : columns) {
    structure.row_indices.insert(
        structure.row_indices.end(), column.begin(), column.end());
    structure.column_starts.push_back(
        static_cast<std::int32_t>(structure.row_indices.size()));
  }
  return structure;
}

Numbers StatesOf(const System& system) {
  Numbers states;
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    if (system.scalars[i].derivative != kNone &&
        system.aliases[i].scalar == i) {
      states.push_back(i);
    }
  }
  return states;
}

// What all is differentiated along.
struct Seeds {
  std::vector<bool> reach;   // By scalar: whether it depends on a seed.
  std::vector<Expr> knowns;  // Time and inputs.
  bool are_known = false;    // Those are the seeds; else the states are.
};

// Writes the tangents of all that depends on the seeds.
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
        tangent_of_(system.scalars.size()) {}

  TangentProgram Run(const Numbers& states) {
    DeclareTangents();
    WriteSteps();
    const Expr zero = NewScalar("zero");
    for (const std::uint32_t state : states) {
      if (!seeds_.are_known) {
        program_.seed_slots.push_back(tangent_of_[state].slot);
      }
      const Alias derivative =
          system_.aliases[system_.scalars[state].derivative];
      const Place& result = tangent_of_[derivative.scalar];
      program_.results.push_back(
          {.slot = result.key ? result.slot : layout_.Place(zero),
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
    std::unordered_map<std::uint32_t, Expr> symbols;  // By variable's symbol.
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (!seeds_.reach[i]) {
        continue;
      }
      const Scalar& scalar = system_.scalars[i];
      const Expr own = scalar.symbol;
      Expr& symbol = symbols[own.id()];
      if (!symbol) {
        symbol = system_.graph.Symbol(
            {.name = "tangent of " + system_.graph.InfoOf(own).name,
             .type = ValueType::kReal,
             .shape = own.shape()});
      }
      tangent_of_[i] = {.key = system_.ElementOf(symbol, scalar.element),
                        .slot = layout_.Place(symbol) + scalar.element};
    }
    for (const Expr& known : seeds_.knowns) {
      const Expr tangent = NewScalar("tangent of a known");
      known_seeds_.emplace(known.id(), tangent);
      program_.seed_slots.push_back(layout_.Place(tangent));
    }
  }

  [[nodiscard]] std::unordered_map<std::uint32_t, Expr> AllSeeds() const {
    auto seeds = known_seeds_;
    for (std::uint32_t i = 0; i < tangent_of_.size(); ++i) {
      if (tangent_of_[i].key) {
        seeds.emplace(system_.scalars[i].key.id(), tangent_of_[i].key);
      }
    }
    return seeds;
  }

  void WriteSteps() {
    Tangent all(system_.graph, AllSeeds());
    std::vector<TapeAssignment> assignments;
    const auto close_section = [&] {
      if (!assignments.empty()) {
        program_.schedule.push_back(
            {.kind = ScheduleStep::Kind::kSection,
             .index = sections_.Add(std::exchange(assignments, {}))});
      }
    };
    for (const Step& step : steps_) {
      if (step.equation != nullptr) {
        const Expr target = tangent_of_[step.equation->scalar].key;
        if (target) {
          assignments.push_back({.target = target,
                                 .value = all.Of(step.equation->value),
                                 .iterators = {}});
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

  // dr/dz * dz = -dr/d(others) * d(others)
  void WriteBlock(const Step& step) {
    auto seeds = known_seeds_;
    for (const std::uint32_t scalar :
         system_.walk.Scalars(step.loop->residuals)) {
      if (tangent_of_[scalar].key) {
        seeds.emplace(system_.scalars[scalar].key.id(),
                      tangent_of_[scalar].key);
      }
    }
    for (const std::uint32_t scalar : step.loop->torn) {
      seeds.erase(system_.scalars[scalar].key.id());
    }
    Tangent others(system_.graph, std::move(seeds));
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
    block.rhs_section = sections_.Add(std::move(assignments));
    program_.schedule.push_back(
        {.kind = ScheduleStep::Kind::kBlock, .index = program_.blocks.size()});
    program_.blocks.push_back(std::move(block));
  }

  System& system_;
  std::span<const Step> steps_;
  Layout& layout_;
  SectionWriter& sections_;
  Seeds seeds_;
  TangentProgram program_;
  std::vector<Place> tangent_of_;  // By scalar.
  std::unordered_map<std::uint32_t, Expr> known_seeds_;
};

Dependence OnStates(System& system, const Numbers& states) {
  Dependence dependence(system);
  for (std::uint32_t k = 0; k < states.size(); ++k) {
    dependence.Set(states[k], {k});
  }
  return dependence;
}

// What each scalar depends on; nothing if that is too much.
std::optional<Dependence> FollowStates(System& system,
                                       const Numbers& states,
                                       std::span<const Step> steps) {
  Dependence dependence = OnStates(system, states);
  for (const Step& step : steps) {
    const Numbers columns = dependence.Of(FormulasOf(step));
    if (step.equation != nullptr) {
      dependence.Set(step.equation->scalar, columns);
    } else {
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

std::vector<Numbers> RowsOfDerivatives(const System& system,
                                       const Numbers& states,
                                       const Dependence& dependence) {
  std::vector<Numbers> rows;
  rows.reserve(states.size());
  for (const std::uint32_t state : states) {
    rows.push_back(
        dependence[system.aliases[system.scalars[state].derivative].scalar]);
  }
  return rows;
}

// The structure of the implicit form, in which the unknowns of those loops that
// depend on states are unknowns beside them; not known if it is too dense.
MatrixStructure ImplicitStructure(System& system,
                                  const Numbers& states,
                                  std::span<const Step> steps,
                                  const Dependence& on_states) {
  Dependence dependence = OnStates(system, states);
  auto next = static_cast<std::uint32_t>(states.size());
  std::vector<Numbers> residuals;
  for (const Step& step : steps) {
    if (step.equation != nullptr) {
      dependence.Set(step.equation->scalar, dependence.Of(FormulasOf(step)));
    } else if (!on_states[step.loop->torn.front()].empty()) {
      for (const std::uint32_t scalar : step.loop->torn) {
        dependence.Set(scalar, {next++});
      }
      for (const Expr& residual : step.loop->residuals) {
        residuals.push_back(dependence.Of(std::span(&residual, 1)));
      }
    }
    if (dependence.is_too_dense()) {
      return {};
    }
  }
  std::vector<Numbers> rows = RowsOfDerivatives(system, states, dependence);
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const auto place = std::ranges::lower_bound(rows[k], k);
    if (place == rows[k].end() || *place != k) {
      rows[k].insert(place, k);
    }
  }
  std::ranges::move(residuals, std::back_inserter(rows));
  return StructureOf(rows);
}

std::vector<Expr> KnownsOf(System& system) {
  std::vector<Expr> knowns = {system.model.time};
  for (const Variable& variable : system.model.variables) {
    if (system.varying_symbols[variable.symbol.id()] == kNone) {
      continue;
    }
    const auto count =
        static_cast<std::uint32_t>(NumElements(variable.symbol.shape()));
    for (std::uint32_t i = 0; i < count; ++i) {
      knowns.push_back(system.ElementOf(variable.symbol, i));
    }
  }
  return knowns;
}

// Which scalars depend on time or inputs; empty if none does.
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
                  std::span<const Step> steps,
                  Layout& layout,
                  SectionWriter& sections,
                  Program& program) {
  const Numbers states = StatesOf(system);
  if (states.empty()) {
    return;
  }
  const auto on_states = FollowStates(system, states, steps);
  if (!on_states) {
    return;
  }
  program.jacobian_structure =
      StructureOf(RowsOfDerivatives(system, states, *on_states));
  Seeds seeds{.reach = std::vector<bool>(system.scalars.size())};
  for (std::uint32_t i = 0; i < seeds.reach.size(); ++i) {
    seeds.reach[i] = !(*on_states)[i].empty();
  }
  program.tangent =
      TangentEmitter(system, steps, layout, sections, std::move(seeds))
          .Run(states);
  if (!program.tangent.blocks.empty()) {
    program.implicit_structure =
        ImplicitStructure(system, states, steps, *on_states);
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

}  // namespace orrery::internal
