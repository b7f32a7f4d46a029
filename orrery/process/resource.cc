#include "orrery/process/resource.h"

#include <exception>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/process/internal/run.h"

namespace orrery::process {

Polynomial Resource::Dynamics() const {
  const Reading reading = Read();
  const auto* const curve = std::get_if<Polynomial>(&reading);
  if (curve == nullptr) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot compare resource '" + Path() +
                    "' as a number: it is a truth or a text; wait for a "
                    "function of the cells instead");
  }
  return *curve;
}

void Resource::Bind(internal::Run& run) {
  takes_samples = true;
  index_ = run.AddResource(*this);
}

void Resource::Relink(internal::Run& run) {
  BeginReads();
  static_cast<void>(run.Evaluating(*this, [this] { return Read(); }));
  EndReads();
}

void Resource::Evaluate(internal::Run& run) {
  BeginReads();
  try {
    run.AddSample(index_, run.Evaluating(*this, [this] { return Read(); }));
  } catch (const std::exception& exception) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot sample resource '" + Path() + "': " + exception.what());
  }
  EndReads();
  run.SampleLater(index_, expiry());
}

}  // namespace orrery::process
