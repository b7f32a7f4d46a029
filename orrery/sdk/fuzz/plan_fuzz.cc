#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "orrery/base/error.h"
#include "orrery/process/model/model.h"
#include "orrery/process/plan/activity.h"
#include "orrery/sdk/plan/plan_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

struct Rover : orrery::process::Model {
  orrery::process::Activity drive{
      this, "Drive", "Goes", [this](orrery::Parameters& p) {
        const double metres = p.Get("metres", 10.0, "Way", {.unit = "m"});
        const bool fast = p.Get("fast", false, "In haste");
        return Do(metres, fast, p.Get("rest", orrery::Duration(0), "After"));
      }};

  orrery::process::Task<> Do(double /*metres*/,
                             bool /*fast*/,
                             orrery::Duration /*rest*/) {
    co_return;
  }
};

}  // namespace

/// Any text is a plan or gives errors, which can be rendered. Runs accept each
/// plan that is read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const Rover rover;
  const auto source = std::make_shared<const orrery::SourceFile>(
      "fuzz.json", std::string(data, data + size));
  try {
    const orrery::PlanFile file = orrery::ReadPlan(source, rover);
    ORRERY_CHECK(orrery::process::FindProblems(file.plan, rover).empty());
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidModel);
    ORRERY_CHECK(!Render(error.diagnostics()).empty());
  }
  return 0;
}
