#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"
#include "orrery/program/schedule.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Writes algebraic loops into `Program::blocks`.
class BlockWriter {
 public:
  BlockWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program) {}

  /// Notes the relations that `sorted` iterates. Blocks that are written later
  /// may compute their values.
  void NoteRelations(const SortedSystem& sorted);

  /// Writes `Program::homotopy`, unless `sorted` is empty.
  void WriteHomotopy(const SortedSystem& sorted);

  /// Returns the steps; every loop becomes a block, followed by its inner
  /// equations.
  [[nodiscard]] std::vector<Step> StepsOf(
      const std::vector<SortedEquation>& sorted);

 private:
  std::size_t BlockOf(const AlgebraicLoop& loop);
  std::size_t WriteBlock(const AlgebraicLoop& loop);
  void WriteResiduals(const AlgebraicLoop& loop, ResidualBlock& block);
  void WriteTruths(const AlgebraicLoop& loop, ResidualBlock& block);
  void WriteJacobian(const AlgebraicLoop& loop, ResidualBlock& block);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  std::map<std::vector<std::uint32_t>, std::size_t> blocks_;  // By loop.
  std::unordered_map<std::uint32_t, Expr> relations_;         // By key.
};

}  // namespace orrery::compile::internal
