#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/compile/compile.h"
#include "orrery/compile/test/sketch.h"

namespace orrery {

inline constexpr double kTime = 0.75;

inline void RunAll(const Program& program,
                   const Schedule& schedule,
                   std::vector<double>& memory) {
  for (const ScheduleStep& step : schedule) {
    ORRERY_CHECK(step.kind == ScheduleStep::Kind::kSection);
    ORRERY_CHECK(program.tape->Run(step.index, memory.data()) ==
                 Tape::Outcome::kDone);
  }
}

/// Returns the memory after all equations; each state has a different value.
inline std::vector<double> MemoryOf(const Program& program) {
  std::vector<double> memory = program.initial_memory;
  memory[program.time_slot] = kTime;
  RunAll(program, program.initialization, memory);
  for (std::size_t k = 0; k < program.state_slots.size(); ++k) {
    memory[program.state_slots[k]] = std::sin(static_cast<double>(3 * k + 1));
  }
  RunAll(program, program.derivatives, memory);
  RunAll(program, program.outputs, memory);
  return memory;
}

inline double ReadAt(const std::vector<double>& memory, const Reference& at) {
  return static_cast<double>(at.sign) * memory[at.slot];
}

/// All quantities in the order of the model.
inline std::vector<double> QuantitiesOf(const Program& program,
                                        const std::vector<double>& memory) {
  std::vector<double> values;
  for (const Reference& at : program.references) {
    const double value = ReadAt(memory, at);
    values.push_back(std::isnan(value) ? -777 : value);
  }
  return values;
}

/// Returns the start values of the states.
inline std::vector<double> StartsOf(const Program& program) {
  std::vector<double> memory = program.initial_memory;
  RunAll(program, program.initialization, memory);
  std::vector<double> values;
  for (const std::uint32_t slot : program.state_slots) {
    values.push_back(memory[slot]);
  }
  return values;
}

/// Returns d(derivatives)/d(states) by `tangent`: dense, column by column.
inline std::vector<double> JacobianOf(const Program& program) {
  std::vector<double> memory = MemoryOf(program);
  RunAll(program, program.tangent.at_point, memory);
  std::vector<double> matrix;
  const std::size_t n = program.state_slots.size();
  for (std::size_t column = 0; column < n; ++column) {
    memory[program.tangent.seed_slots[column]] = 1;
    RunAll(program, program.tangent.schedule, memory);
    for (const Reference& result : program.tangent.results) {
      matrix.push_back(ReadAt(memory, result));
    }
    memory[program.tangent.seed_slots[column]] = 0;
  }
  return matrix;
}

/// True if all entries of `matrix` outside the pattern are zero.
inline bool IsWithinPattern(const Program& program,
                            const std::vector<double>& matrix) {
  const std::size_t n = program.state_slots.size();
  const SparsityPattern& pattern = program.jacobian_pattern;
  std::vector<bool> may_be_nonzero(n * n);
  for (std::size_t column = 0; column < n; ++column) {
    const auto end =
        static_cast<std::size_t>(pattern.column_starts[column + 1]);
    for (auto k = static_cast<std::size_t>(pattern.column_starts[column]);
         k < end;
         ++k) {
      may_be_nonzero[column * n +
                     static_cast<std::size_t>(pattern.row_indices[k])] = true;
    }
  }
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (matrix[i] != 0 && !may_be_nonzero[i]) {
      return false;
    }
  }
  return true;
}

inline std::size_t InstructionsOf(const Program& program) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < program.tape->num_sections(); ++i) {
    count += program.tape->size(i);
  }
  return count;
}

inline std::shared_ptr<const Program> CompiledAs(LoopForm form,
                                                 const FlatModel& flat) {
  Diagnostics diagnostics;
  auto program = Compile(flat, diagnostics, form);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return program;
}

/// The two forms of a model. All that can be seen of them must agree.
struct BothForms {
  std::shared_ptr<const Program> loops;
  std::shared_ptr<const Program> scalars;
};

inline void ExpectSameValues(const Program& loops, const Program& scalars) {
  EXPECT_EQ(StartsOf(loops), StartsOf(scalars));
  EXPECT_EQ(QuantitiesOf(loops, MemoryOf(loops)),
            QuantitiesOf(scalars, MemoryOf(scalars)));
  const std::vector<double> jacobian = JacobianOf(loops);
  EXPECT_EQ(jacobian, JacobianOf(scalars));
  EXPECT_TRUE(IsWithinPattern(loops, jacobian));
}

inline BothForms Compared(Sketch& sketch) {
  sketch.flat.name = "Sketch";
  BothForms both{.loops = CompiledAs(LoopForm::kKept, sketch.flat),
                 .scalars = CompiledAs(LoopForm::kScalars, sketch.flat)};
  EXPECT_EQ(StateNames(*both.loops), StateNames(*both.scalars));
  EXPECT_EQ(both.loops->num_equations, both.scalars->num_equations);
  EXPECT_EQ(both.loops->is_position, both.scalars->is_position);
  ExpectSameValues(*both.loops, *both.scalars);
  return both;
}

/// Arrays and loops over them.
class LoopSketch : public Sketch {
 public:
  Expr Integer(std::int64_t value) {
    return flat.graph->Constant(static_cast<double>(value),
                                ValueType::kInteger);
  }

  Expr Iterator(std::int64_t first, std::int64_t last, std::int64_t step = 1) {
    return flat.graph->Iterator(
        names_.substr(num_++ % names_.size(), 1),
        {.start = first, .step = step, .count = (last - first) / step + 1});
  }

  Expr At(Expr array, Expr i) {
    return flat.graph->Index(array, std::array{i});
  }

  Expr At(Expr array, Expr i, Expr j) {
    return flat.graph->Index(array, std::array{i, j});
  }

  Expr At(Expr array, std::int64_t i) { return At(array, Integer(i)); }

  Expr Shifted(Expr iterator, std::int64_t by) {
    return by == 0 ? iterator : iterator + Integer(by);
  }

  void ForAll(std::vector<Expr> iterators, Expr left, Expr right) {
    flat.equations.push_back(
        {.left = left, .right = right, .iterators = std::move(iterators)});
  }

 private:
  std::string names_ = "ijk";
  std::size_t num_ = 0;
};

/// der(u[i]) = u[i+1] - 2 u[i] + u[i-1] between fixed ends.
inline LoopSketch Heat(std::int64_t n) {
  LoopSketch s;
  const Expr u = s.Variable("u", {n});
  s.flat.variables.back().start = s.Number(0.25);
  const Expr i = s.Iterator(2, n - 1);
  s.Equal(s.Der(s.At(u, 1)), s.At(u, 2) - 2 * s.At(u, 1) + 1);
  s.ForAll(
      {i},
      s.Der(s.At(u, i)),
      s.At(u, s.Shifted(i, 1)) - 2 * s.At(u, i) + s.At(u, s.Shifted(i, -1)));
  s.Equal(s.Der(s.At(u, n)), s.At(u, n - 1) - 2 * s.At(u, n));
  return s;
}

}  // namespace orrery
