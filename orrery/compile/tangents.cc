#include <algorithm>
#include <cstdint>
#include <iterator>
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

class TangentEmitter {
 public:
  TangentEmitter(System& system,
                 std::span<const Step> steps,
                 Layout& layout,
                 SectionWriter& sections,
                 Program& program)
      : system_(system),
        steps_(steps),
        layout_(layout),
        sections_(sections),
        program_(program),
        states_of_(system.scalars.size()),
        tangent_of_(system.scalars.size()) {}

  void Run() {
    NumberStates();
    if (states_.empty() || !FindStructure()) {
      return;
    }
    DeclareTangents();
    WriteSteps();
    WriteResults();
  }

 private:
  void NumberStates() {
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.scalars[i].derivative != kNone &&
          system_.aliases[i].scalar == i) {
        states_of_[i].push_back(static_cast<std::uint32_t>(states_.size()));
        states_.push_back(i);
      }
    }
  }

  // The states that the formulas depend on, through all that was computed
  // before; `except` are unknowns of the loop itself.
  std::vector<std::uint32_t> StatesIn(std::span<const Expr> formulas) {
    std::vector<std::uint32_t> result;
    std::vector<std::uint32_t> merged;
    for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
      merged.clear();
      std::ranges::set_union(
          result, states_of_[scalar], std::back_inserter(merged));
      std::swap(result, merged);
    }
    return result;
  }

  bool FindStructure() {
    std::size_t entries = 0;
    for (const Step& step : steps_) {
      if (step.equation != nullptr) {
        auto& states = states_of_[step.equation->scalar];
        states = StatesIn(std::span(&step.equation->value, 1));
        entries += states.size();
      } else {
        const auto states = StatesIn(step.loop->residuals);
        for (const std::uint32_t scalar : step.loop->torn) {
          states_of_[scalar] = states;
          entries += states.size();
        }
      }
      if (entries > kMaxEntries) {
        return false;
      }
    }
    return true;
  }

  void DeclareTangents() {
    std::unordered_map<std::uint32_t, Expr> symbols;  // By variable's symbol.
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (states_of_[i].empty()) {
        continue;
      }
      const Scalar& scalar = system_.scalars[i];
      const Expr own = scalar.derivative_of == kNone
                           ? system_.model.variables[scalar.variable].symbol
                           : system_.derivative_symbols[scalar.variable];
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
  }

  [[nodiscard]] std::unordered_map<std::uint32_t, Expr> AllSeeds() const {
    std::unordered_map<std::uint32_t, Expr> seeds;
    for (std::uint32_t i = 0; i < tangent_of_.size(); ++i) {
      if (tangent_of_[i].key) {
        seeds.emplace(system_.scalars[i].key.id(), tangent_of_[i].key);
      }
    }
    return seeds;
  }

  void WriteSteps() {
    TangentProgram& tangent = program_.tangent;
    Tangent all(system_.graph, AllSeeds());
    std::vector<TapeAssignment> assignments;
    const auto close_section = [&] {
      if (!assignments.empty()) {
        tangent.schedule.push_back(
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
    std::unordered_map<std::uint32_t, Expr> seeds;
    for (const std::uint32_t scalar :
         system_.walk.Scalars(step.loop->residuals)) {
      const bool is_torn =
          std::ranges::find(step.loop->torn, scalar) != step.loop->torn.end();
      if (!is_torn && tangent_of_[scalar].key) {
        seeds.emplace(system_.scalars[scalar].key.id(),
                      tangent_of_[scalar].key);
      }
    }
    Tangent others(system_.graph, std::move(seeds));
    TangentProgram::Block block{.block = step.block};
    std::vector<TapeAssignment> assignments;
    for (std::size_t i = 0; i < step.loop->torn.size(); ++i) {
      const Expr target = system_.graph.Symbol(
          {.name = "loop tangent", .type = ValueType::kReal, .shape = {}});
      block.rhs_slots.push_back(layout_.Place(target));
      block.tangent_slots.push_back(tangent_of_[step.loop->torn[i]].slot);
      assignments.push_back({.target = target,
                             .value = -others.Of(step.loop->residuals[i]),
                             .iterators = {}});
    }
    block.rhs_section = sections_.Add(std::move(assignments));
    program_.tangent.schedule.push_back(
        {.kind = ScheduleStep::Kind::kBlock,
         .index = program_.tangent.blocks.size()});
    program_.tangent.blocks.push_back(std::move(block));
  }

  void WriteResults() {
    TangentProgram& tangent = program_.tangent;
    std::vector<std::vector<std::int32_t>> rows(states_.size());
    const Expr zero = system_.graph.Symbol(
        {.name = "zero", .type = ValueType::kReal, .shape = {}});
    for (std::size_t i = 0; i < states_.size(); ++i) {
      tangent.seed_slots.push_back(tangent_of_[states_[i]].slot);
      const Alias derivative =
          system_.aliases[system_.scalars[states_[i]].derivative];
      for (const std::uint32_t state : states_of_[derivative.scalar]) {
        rows[state].push_back(static_cast<std::int32_t>(i));
      }
      const auto& result = tangent_of_[derivative.scalar];
      tangent.results.push_back(
          {.slot = result.key ? result.slot : layout_.Place(zero),
           .sign = derivative.sign > 0 ? 1.0F : -1.0F});
    }
    tangent.column_starts.push_back(0);
    for (const auto& column : rows) {
      tangent.row_indices.insert(
          tangent.row_indices.end(), column.begin(), column.end());
      tangent.column_starts.push_back(
          static_cast<std::int32_t>(tangent.row_indices.size()));
    }
  }

  struct Place {
    Expr key;
    std::uint32_t slot = 0;
  };

  System& system_;
  std::span<const Step> steps_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  std::vector<std::uint32_t> states_;
  std::vector<std::vector<std::uint32_t>> states_of_;  // By scalar, ascending.
  std::vector<Place> tangent_of_;                      // By scalar.
};

}  // namespace

void EmitTangents(System& system,
                  std::span<const Step> steps,
                  Layout& layout,
                  SectionWriter& sections,
                  Program& program) {
  TangentEmitter(system, steps, layout, sections, program).Run();
}

}  // namespace orrery::internal
