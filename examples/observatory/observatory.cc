// The observatory of docs/start/planner.md, whose code is taken from here: a
// small telescope in the mountains that lives on a battery and on its panels.

#include <chrono>

#include "orrery/cli/main.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/queueing/queueing.h"

namespace process = orrery::process;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Parameters;
using process::Cell;
using process::Task;

class Observatory : public process::Model {
 public:
  Cell<process::Accumulator> battery{this, "battery", 20.0};  // kWh
  Cell<process::Accumulator> images{this, "images", 0.0};

  process::Resource charge{this, "charge", battery, "kWh"};
  process::Resource stored{this, "stored", images};

  process::Activity open{
      this, "Open", "Opens the dome and cools the camera", [this](Parameters&) {
        return Open();
      }};
  process::Activity observe{
      this, "Observe", "Takes images of one object", [this](Parameters& p) {
        return Observe(p.Get("images", 10, "How many", {.min = 1}),
                       p.Get("exposure", 5min, "Of each image", {.min = 1s}));
      }};
  process::Activity send{
      this, "Send", "Sends all images to the valley", [this](Parameters&) {
        return Send();
      }};

  explicit Observatory(Parameters& p)
      : panels_(p.Get("panels",
                      2.0,
                      "Power in sunlight",
                      {.min = 0.0, .unit = "kW"}) /
                kHour) {}

  void Start() override {
    battery.AddRate(-kStandby);
    Spawn(Sun());
  }

 private:
  static constexpr double kHour = 3600;            // s
  static constexpr double kStandby = 0.3 / kHour;  // kW, as kWh/s
  static constexpr double kCamera = 1.2 / kHour;
  static constexpr double kLink = 0.8 / kHour;

  // From noon to noon: the sun sets after 6 hours and rises after 18.
  Task<> Sun() {
    for (;;) {
      battery.AddRate(panels_);
      co_await Delay(6h);
      battery.AddRate(-panels_);
      co_await Delay(12h);
      battery.AddRate(panels_);
      co_await Delay(6h);
      battery.AddRate(-panels_);
    }
  }

  Task<> Open() {
    battery.Add(-0.5);
    co_await Delay(20min);
  }

  Task<> Observe(int count, Duration exposure) {
    auto camera = co_await telescope_.Acquire();
    battery.AddRate(-kCamera);
    for (int i = 0; i < count; ++i) {
      co_await Delay(exposure);
      images.Add(1);
    }
    battery.AddRate(kCamera);
  }

  Task<> Send() {
    co_await Until(battery >= 12.0);
    battery.AddRate(-kLink);
    images.AddRate(-1.0 / 30);  // An image in half a minute.
    co_await Until(images <= 0.0);
    images.AddRate(1.0 / 30);
    battery.AddRate(kLink);
  }

  double panels_;
  orrery::queueing::Resource telescope_{this, "telescope", 1};
};

ORRERY_MAIN(Observatory);
