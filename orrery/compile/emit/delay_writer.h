#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Writes `Program::delays` and the sections for their operands and delay
/// times.
class DelayWriter {
 public:
  DelayWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program,
              Diagnostics& diagnostics)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program),
        diagnostics_(diagnostics) {}

  void PlaceSymbols();

  /// Writes the values and delay times at the start, after all else is known.
  void WriteStart();

  /// Sorts the delays so that no delay time depends on a later delay.
  /// @param steps the equations between events.
  void Sort(std::span<const Step> steps);

  /// Writes the delays. Call after `Sort`, with the same steps.
  void Write(std::span<const Step> steps);

  /// True if `formulas` contain a delay whose time varies between events.
  [[nodiscard]] bool AnyVaries(std::span<const Expr> formulas) const;

 private:
  using Numbers = std::vector<std::uint32_t>;

  struct Needs {
    std::vector<Step> steps;
    std::vector<Expr> formulas;  ///< The given ones and those of the steps.
  };

  struct Slots {
    std::uint32_t time = 0;
    std::uint32_t most = 0;
    std::vector<TapeAssignment> time_assignments;  ///< None for a quantity.
    std::optional<Delay::Way> way;
  };

  Delay::Way WayAtStart(const DelayPart::Way& way,
                        std::vector<TapeAssignment>& assignments);
  Needs NeedsOf(StepSearch& search, std::span<const Expr> formulas);
  void Number();
  [[nodiscard]] Numbers ValuesIn(std::span<const Expr> formulas) const;
  void WriteOperands(StepSearch& search);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::uint32_t, Slots> slots_;  // By the value's symbol.
  NodeMap number_of_;  // By the value's symbol: the position of the delay.
};

}  // namespace orrery::compile::internal
