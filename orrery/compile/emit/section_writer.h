#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"
#include "orrery/program/schedule.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Appends an assignment, for the tape and for people.
void AddAssignment(TapeAssignment assignment,
                   const Origin& origin,
                   std::vector<TapeAssignment>& assignments,
                   std::vector<ScheduledEquation>& equations);

/// Adds sections to the tape, and their equations for people to the program.
class SectionWriter {
 public:
  SectionWriter(System& system, Program& program)
      : system_(system), program_(program) {}

  /// Keeps assignments; `Finish` writes them as section number `result`.
  std::size_t Add(std::vector<TapeAssignment> assignments,
                  std::vector<ScheduledEquation> equations = {});

  /// Appends the assignments to the end of `schedule`, if there are any.
  /// Without equations they join a section at its end.
  void AddTo(Schedule& schedule,
             std::vector<TapeAssignment> assignments,
             std::vector<ScheduledEquation> equations = {});

  /// Adds sections and blocks that compute `steps`.
  void AddSteps(std::span<const Step> steps, Schedule& schedule);

  /// Builds the tape. Call when every symbol has its place.
  void Finish(const Layout& layout);

 private:
  System& system_;
  Program& program_;
  std::vector<std::vector<TapeAssignment>> sections_;
};

/// Returns the slot of the formula's value after `assignments`. A formula that
/// is no scalar of the system gets an assignment there.
[[nodiscard]] std::uint32_t SlotFor(System& system,
                                    Layout& layout,
                                    Expr formula,
                                    std::string name,
                                    std::vector<TapeAssignment>& assignments);

}  // namespace orrery::compile::internal
