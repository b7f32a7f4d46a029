#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"
#include "orrery/program/schedule.h"
#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Writes start values into a program, and the ranges (min, max) of variables
/// and parameters.
class StartWriter {
 public:
  StartWriter(System& system,
              Layout& layout,
              SectionWriter& sections,
              Program& program,
              Diagnostics& diagnostics)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program),
        diagnostics_(diagnostics) {}

  /// Writes start values of states, of all that have one, and of the unknowns
  /// of loops. Call when all quantities have their places.
  void WriteStarts(StartTable& starts);

  /// Writes the ranges that the model gives. Call after `WriteStarts` and after
  /// the variables are listed.
  void WriteLimits();

  /// Completes the initial memory, which has the parameters already.
  void Evaluate();

 private:
  struct Formulas {
    std::vector<TapeAssignment> assignments;
    std::vector<ScheduledEquation> equations;
  };

  void WriteStart(StartTable& starts, std::uint32_t scalar);
  void FinishBinding();
  void CheckVaries(std::uint32_t variable, Expr value, std::string_view what);
  void AddLimits(std::uint32_t v);
  Limits::Bound WriteBound(std::uint32_t variable,
                           Expr value,
                           std::string_view what);

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::uint32_t binding_variable_ = 0;
  Formulas binding_;
  Formulas bounds_;
  std::unordered_map<double, std::uint32_t> constant_slots_;

  struct Constants {
    std::uint32_t slot = 0;
    std::uint32_t count = 1;  // Slots in a row.
    double value = 0;
  };

  std::vector<Constants> constants_;
};

}  // namespace orrery::compile::internal
