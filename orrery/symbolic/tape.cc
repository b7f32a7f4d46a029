#include "orrery/symbolic/tape.h"

#include <algorithm>

#include "orrery/symbolic/internal/tape_run.h"

namespace orrery {

std::vector<double> Tape::NewMemory() const {
  std::vector<double> memory(memory_size_);
  std::ranges::copy(constants_,
                    memory.begin() + static_cast<std::ptrdiff_t>(num_slots_));
  return memory;
}

namespace {

// Sees nothing, costs nothing.
struct NoWatch {
  void Elementwise(const Tape::Instruction& /*instruction*/,
                   const double* /*memory*/,
                   double /*result*/) const noexcept {}

  void Copied(const Tape::Instruction& /*instruction*/,
              std::size_t /*target*/,
              std::size_t /*source*/,
              double /*value*/) const noexcept {}

  void Counted(const Tape::Instruction& /*instruction*/) const noexcept {}

  void Moved(std::size_t /*target*/,
             std::size_t /*source*/,
             std::size_t /*count*/) const noexcept {}

  void Called(const Tape::Instruction& /*instruction*/,
              const double* /*memory*/) const noexcept {}

  void Enter(const Tape::Instruction& /*instruction*/) const noexcept {}

  void Leave() const noexcept {}

  void Ended(const Tape::Instruction& /*instruction*/,
             const double* /*memory*/) const noexcept {}

  void Threw(const char* /*what*/) const noexcept {}
};

}  // namespace

Tape::Outcome Tape::Run(std::size_t section, double* memory) const noexcept {
  if (stack_ != 0) {
    internal::SetIndex(memory[stack_], 0);
  }
  NoWatch watch;
  return internal::TapeRunner<NoWatch>(*this, memory, watch)
      .Run(CodeOf(section).data());
}

}  // namespace orrery
