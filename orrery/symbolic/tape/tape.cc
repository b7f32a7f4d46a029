#include "orrery/symbolic/tape/tape.h"

#include <algorithm>

#include "orrery/symbolic/tape/tape_run.h"

namespace orrery {

namespace internal = symbolic::internal;

std::vector<double> Tape::NewMemory() const {
  std::vector<double> memory(memory_size_);
  std::ranges::copy(constants_,
                    memory.begin() + static_cast<std::ptrdiff_t>(num_slots_));
  return memory;
}

Tape::Outcome Tape::Run(std::size_t section, double* memory) const noexcept {
  if (stack_ != 0) {
    internal::SetIndex(memory[stack_], 0);
  }
  internal::NoWatch watch;
  return internal::TapeRunner<internal::NoWatch>(*this, memory, watch)
      .Run(CodeOf(section).data());
}

std::size_t Tape::AssignmentOf(std::size_t section,
                               std::size_t instruction) const noexcept {
  const std::vector<std::size_t>& begins = sections_[section].assignments;
  const auto next = std::ranges::upper_bound(begins, instruction);
  return static_cast<std::size_t>(next - begins.begin() - 1);
}

}  // namespace orrery
