#pragma once

#include <cmath>
#include <numbers>

#include "orrery/plot/timeline.h"

namespace orrery {

/// A day of a rover: ten tasks, one of each kind of end, its mode, and its
/// battery and speed.
inline Timeline RoverDay() {
  using enum TimelineSpan::State;
  constexpr double kHour = 3600;
  Timeline day{
      .title = "A rover's day on Mars",
      .begin = 0,
      .end = 24 * kHour,
      .spans = {{"sol 41", {}, 0, {}, kOpen, {}},
                {"wake up", 0, 6 * kHour, 6.5 * kHour, kCompleted, {}},
                {"drive to crater", 0, 6.5 * kHour, 11 * kHour, kCompleted, {}},
                {"leg", 2, 6.5 * kHour, 8.2 * kHour, kCompleted, {}},
                {"leg", 2, 8.5 * kHour, 11 * kHour, kCompleted, {}},
                {"look around", 2, 8.2 * kHour, 8.2 * kHour, kCompleted, {}},
                {"drill a sample", 0, 11 * kHour, 13.4 * kHour, kFailed, {}},
                {"heat the drill", 6, 11 * kHour, 12 * kHour, kCompleted, {}},
                {"take panorama", 0, 13.5 * kHour, 15 * kHour, kCancelled, {}},
                {"relay to orbiter", 0, 21 * kHour, {}, kOpen, {}}},
      .bands = {{"mode",
                 {{0, "asleep"},
                  {6 * kHour, "awake"},
                  {6.5 * kHour, "driving"},
                  {11 * kHour, "drilling"},
                  {13.4 * kHour, "safe"},
                  {13.5 * kHour, "imaging"},
                  {15 * kHour, "charging"},
                  {21 * kHour, "relaying"}}}},
      .panels = {}};
  Series battery{.label = "battery", .x = {}, .y = {}};
  Series sun{.label = "sunlight", .x = {}, .y = {}};
  double charge = 60;
  for (int i = 0; i <= 240; ++i) {
    const double hour = 0.1 * i;
    const double light =
        std::max(0.0, std::sin((hour - 6) / 12 * std::numbers::pi));
    const bool works = hour > 6 && hour < 13.4;
    charge += 0.1 * (14 * light - (works ? 11 : 2));
    battery.x.push_back(hour * kHour);
    battery.y.push_back(charge);
    sun.x.push_back(hour * kHour);
    sun.y.push_back(100 * light);
  }
  day.panels.push_back(
      {.title = {}, .x = {}, .y = {"energy", "%"}, .series = {battery, sun}});
  day.panels.push_back({.title = {},
                        .x = {},
                        .y = {"speed", "cm/s"},
                        .series = {{.label = "speed",
                                    .x = {0,
                                          6.5 * kHour,
                                          8.2 * kHour,
                                          8.5 * kHour,
                                          11 * kHour,
                                          24 * kHour},
                                    .y = {0, 4, 0, 3, 0, 0},
                                    .style = SeriesStyle::kStep}}});
  return day;
}

}  // namespace orrery
