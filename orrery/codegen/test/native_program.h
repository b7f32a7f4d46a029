#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "orrery/codegen/native_code.h"
#include "orrery/sim/ensemble/ensemble.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {

/// The program of a model with this body, with native code.
inline std::shared_ptr<Program> ProgramOf(const std::string& model) {
  std::shared_ptr<Program> program = CompileBody(model + "\n");
  program->native = MakeNativeCode(program->tape);
  return program;
}

/// A hash of all numbers of a run.
inline std::uint64_t BitsOf(const RunResult& run) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&](double number) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 1099511628211U;
  };
  for (std::size_t i = 0; i < run.trajectory.signals().size(); ++i) {
    const Signal signal = run.trajectory.signal(i);
    for (std::size_t row = 0; row < signal.size(); ++row) {
      add(signal[row]);
    }
  }
  return hash;
}

/// Counts the runs of an ensemble of `count`, with the same options, for which
/// `is_so` holds.
inline int CountRuns(const std::shared_ptr<const Program>& program,
                     const SimulationOptions& options,
                     std::size_t count,
                     const std::function<bool(const RunResult&)>& is_so) {
  int so = 0;
  Simulate(program,
           options,
           {.count = count,
            .prepare = [](std::size_t, SimulationOptions&) {},
            .take =
                [&](std::size_t, const EnsembleRun& run) {
                  so += is_so(run.result) ? 1 : 0;
                }});
  return so;
}

}  // namespace orrery
