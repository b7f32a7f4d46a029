// A rover's day: its activities are a plan.
//
//     orrery run librover.so --plan day.json --plot charge,memory
//     orrery check librover.so --plan day.json

#include <chrono>
#include <string>

#include "orrery/cli/main.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"

namespace {

namespace process = orrery::process;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Parameters;
using orrery::Record;
using process::Cell;
using process::Task;

// In kW.
constexpr double kStandby = 0.0625;
constexpr double kPanels = 0.1875;
constexpr double kWheels = 0.25;
constexpr double kCamera = 0.125;
constexpr double kAntenna = 0.5;
constexpr double kHeater = 0.125;

constexpr double kSpeed = 0.0625;    // m/s
constexpr double kImage = 8.0;       // MB
constexpr double kDownlink = 0.5;    // MB/s
constexpr Duration kExposure = 10s;  // Exposure of an image.

class Rover : public process::Model {
 public:
  Cell<process::Accumulator> battery{this, "battery", 5000.0};  // kJ
  Cell<process::Accumulator> images{this, "images", 0.0};       // MB
  Cell<process::Accumulator> way{this, "way", 0.0};             // m
  Cell<process::Register<bool>> antenna{this, "antenna", false};
  Cell<process::Register<std::string>> doing{this, "doing", "nothing"};

  process::Resource charge{this, "charge", battery, "kJ"};
  process::Resource memory{this, "memory", images, "MB"};
  process::Resource odometer{this, "odometer", way, "m"};
  process::Resource talks{this, "talks", [this] {
                            return antenna.Get();
                          }};
  process::Resource mode{this, "mode", [this] {
                           return doing.Get();
                         }};

  process::Activity drive{
      this, "Drive", "Goes straight on", [this](Parameters& p) {
        return Drive(
            p.Get("metres", 60.0, "Way to go", {.min = 0.0, .unit = "m"}));
      }};
  process::Activity panorama{
      this, "Panorama", "Takes images all around", [this](Parameters& p) {
        return Panorama(p.Get("images", 12, "How many", {.min = 1}));
      }};
  process::Activity downlink{
      this, "Downlink", "Sends the images home", [this](Parameters& p) {
        return Downlink(p.Get("window", 1h, "At most so long", {.min = 0s}));
      }};
  process::Activity heat{
      this, "Heat", "Keeps warm", [this](Parameters& p) {
        return Heat(p.Get("time", 30min, "How long", {.min = 0s}));
      }};
  process::Activity charge_up{
      this,
      "Charge",
      "Waits until the battery has enough",
      [this](Parameters& p) {
        return Charge(
            p.Get("level", 3500.0, "Enough", {.min = 0.0, .unit = "kJ"}));
      }};

  void Start() override {
    battery.AddRate(-kStandby);
    Spawn(Sun());
  }

  void Results(const process::Simulator& run, Record& results) const {
    results.Add("images_left", run.Get(images) / kImage);
  }

 private:
  Task<> Sun() {
    for (;;) {
      co_await Delay(6h);
      battery.AddRate(kPanels);
      co_await Delay(12h);
      battery.AddRate(-kPanels);
      co_await Delay(6h);
    }
  }

  Task<> Drive(double metres) {
    doing.Set("driving");
    battery.AddRate(-kWheels);
    way.AddRate(kSpeed);
    co_await Delay(metres / kSpeed * 1s);
    way.AddRate(-kSpeed);
    battery.AddRate(kWheels);
    doing.Set("nothing");
  }

  Task<> TakeImage() {
    battery.AddRate(-kCamera);
    co_await Delay(kExposure);
    battery.AddRate(kCamera);
    images.Add(kImage);
  }

  Task<> Panorama(int count) {
    for (int i = 0; i < count; ++i) {
      co_await Call(TakeImage());
    }
  }

  Task<> Downlink(Duration window) {
    antenna.Set(true);
    battery.AddRate(-kAntenna);
    images.AddRate(-kDownlink);
    co_await AnyOf(Until(images <= 0.0), Delay(window));
    images.AddRate(kDownlink);
    battery.AddRate(kAntenna);
    antenna.Set(false);
  }

  Task<> Heat(Duration time) {
    battery.AddRate(-kHeater);
    co_await Delay(time);
    battery.AddRate(kHeater);
  }

  Task<> Charge(double level) const { co_await Until(battery >= level); }
};

}  // namespace

ORRERY_MAIN(Rover);
