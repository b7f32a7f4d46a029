#include "orrery/experiment/calibration/remembered_residuals.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace orrery {
namespace {

// Shared by the threads of a fit.
struct Memory {
  KnownResiduals known;
  ResidualNote note;
  std::mutex mutex;  // Guards the note.

  [[nodiscard]] const KnownResiduals::Table& TableOf(ResidualKind kind) const {
    return kind == ResidualKind::kResiduals ? known.residuals : known.jacobians;
  }

  // Writes what is known to `numbers`; false: nothing is.
  [[nodiscard]] bool Recall(ResidualKind kind,
                            std::span<const double> values,
                            std::span<double> numbers) const {
    const KnownResiduals::Table& table = TableOf(kind);
    const auto found =
        table.find(std::vector<double>(values.begin(), values.end()));
    if (found == table.end() || found->second.size() != numbers.size()) {
      return false;
    }
    std::ranges::copy(found->second, numbers.begin());
    return true;
  }

  void Tell(ResidualKind kind,
            std::span<const double> values,
            std::span<const double> numbers) {
    const std::scoped_lock lock(mutex);
    note(kind, values, numbers);
  }
};

using Function = std::function<std::string(std::span<const double> values,
                                           std::span<double> numbers)>;

Function Remembering(const std::shared_ptr<Memory>& memory,
                     ResidualKind kind,
                     const Function& function) {
  return [memory, kind, function](std::span<const double> values,
                                  std::span<double> numbers) {
    if (memory->Recall(kind, values, numbers)) {
      return std::string();
    }
    std::string why = function(values, numbers);
    if (why.empty()) {
      memory->Tell(kind, values, numbers);
    }
    return why;
  };
}

}  // namespace

ResidualFunction Remembering(const ResidualFunction& function,
                             KnownResiduals known,
                             ResidualNote note) {
  const auto memory = std::make_shared<Memory>();
  memory->known = std::move(known);
  memory->note = std::move(note);
  ResidualFunction remembering = function;
  remembering.residuals =
      Remembering(memory, ResidualKind::kResiduals, function.residuals);
  if (function.jacobian) {
    remembering.jacobian =
        Remembering(memory, ResidualKind::kJacobian, function.jacobian);
  }
  return remembering;
}

}  // namespace orrery
