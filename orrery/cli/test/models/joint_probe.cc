// A simulation for the tests of the command: equations in its own text, a task
// that waits for them, and ways to go wrong.

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "orrery/cli/main.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/sdk/beside.h"
#include "orrery/sdk/orrery.h"

namespace joint_probe {

namespace process = orrery::process;
using namespace std::chrono_literals;

constexpr const char* kRamp = R"(
model Ramp
  parameter Real slope = 1;
  parameter Real gain = 1 "Of nothing: the class has one, too";
  input Real push(start = 0);
  output Real x(unit = "m", start = 0, fixed = true);
equation
  der(x) = slope + push;
end Ramp;
)";

class Watch : public process::Model {
 public:
  process::Cell<process::Register<bool>> cell{this, "cell", false};
  process::Resource seen{this, "seen", [this] {
                           return cell.Get();
                         }};

  process::Task<> Wait(orrery::SystemVariable x, std::string mode) {
    co_await Until(x >= 2.0);
    cell.Set(true);
    if (mode == "task fails") {
      co_await Delay(500ms);
      throw std::runtime_error("the watch is broken");
    }
  }

  process::Task<> Tick() {
    for (;;) {
      co_await Delay(1s);
    }
  }
};

class JointProbe : public orrery::Simulation {
 public:
  explicit JointProbe(orrery::Parameters& p) {
    mode_ = p.Get("mode",
                  "runs",
                  "How it goes wrong",
                  {.choices = {"runs",
                               "ticks",
                               "two systems",
                               "no file",
                               "task fails",
                               "results fail"}});
    gain_ = p.Get("gain", 2.0, "Of the class, as one of the equations is");
    auto& watch = Add<Watch>("watch");
    if (mode_ == "ticks") {
      Start(watch.Tick());
      return;
    }
    if (mode_ == "no file") {
      Add(orrery::Compile(
          orrery::LoadFile(orrery::PathBeside<JointProbe>("missing.mo"))));
    }
    orrery::System& ramp = Add(Compile());
    if (mode_ == "two systems") {
      Add(Compile());
    }
    Start(watch.Wait(ramp["x"], mode_));
    p.SetDefaultStop(4s);
  }

  void Results(const orrery::TimelineResult& run,
               orrery::Record& results) const {
    if (mode_ == "results fail") {
      throw std::runtime_error("there is nothing to tell");
    }
    results.Add("gained", gain_ * run.summary.end_time);
  }

 private:
  static std::shared_ptr<const orrery::Program> Compile() {
    return orrery::Compile(orrery::LoadText(
        std::make_shared<const orrery::SourceFile>("ramp", kRamp)));
  }

  std::string mode_;
  double gain_ = 0;
};

}  // namespace joint_probe

ORRERY_MAIN(joint_probe::JointProbe);
