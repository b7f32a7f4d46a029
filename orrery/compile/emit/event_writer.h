#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/compile/emit/delay_writer.h"
#include "orrery/compile/emit/emit.h"
#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/event_parts.h"
#include "orrery/compile/system/system.h"
#include "orrery/model/flat_model.h"
#include "orrery/program/event_program.h"
#include "orrery/program/program.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// The discrete scalars that `steps` read.
[[nodiscard]] std::vector<std::uint32_t> HeldScalars(
    System& system, std::span<const Step> steps);

/// Writes events and their actions into `Program::events`.
class EventWriter {
 public:
  EventWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program),
        events_(program.events) {}

  /// Writes the times of sample(), after the equations of the initialization.
  void WriteTicks();

  /// Writes the actions at the end of a microstep. Call after its equations.
  void WriteActions();

  /// Writes the operands of relations with the steps that compute them: a
  /// section, or a schedule if a loop or a delay with a varying time is needed.
  void WriteWatches(std::span<const Step> steps, const DelayWriter& delays);

  /// Writes the conditions of events after steps, with the steps that compute
  /// them.
  void WriteAfterStep(std::span<const Step> steps);

  /// Finds the relations that re-arm, by the `steps` of an event. Call after
  /// `WriteWatches`.
  void WriteRearming(std::span<const Step> steps);

  /// Finds the relations that act, with arguments as of `FindActing`. Call
  /// after `WriteWatches`.
  void WriteActing(const CompiledSystem& compiled,
                   std::span<const Step> in_event,
                   std::span<const Step> of_derivatives);

  /// Writes the slots of the discrete quantities that `steps` read.
  void WriteHeld(std::span<const Step> steps);

  void WriteDiscrete(const CompiledSystem& compiled);

  /// Finds the handlers that see the effects of earlier ones, by the `steps` of
  /// an event. Call last.
  void FindOrderOfHandlers(std::span<const Step> steps);

 private:
  [[nodiscard]] std::optional<WatchedRelation::Hold> HoldOf(
      const Watch& watch) const;
  std::uint32_t SlotFor(Expr formula,
                        std::string name,
                        std::vector<TapeAssignment>& assignments);
  RunMessage MessageOf(const Message& message,
                       std::span<const Expr> values,
                       std::vector<TapeAssignment>& assignments);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  EventProgram& events_;
};

}  // namespace orrery::compile::internal
