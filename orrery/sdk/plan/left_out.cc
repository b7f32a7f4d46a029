// Activities of a plan that a run leaves out.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/sdk/plan/plan_file.h"

namespace orrery {
namespace {

using process::Anchor;
using process::Directive;

constexpr std::size_t kMaxShown = 20;

// The beginning of an activity.
struct Beginning {
  Duration time{};             // The earliest time.
  bool is_exact = true;        // If false, it waits for the end of another.
  std::string missed;          // The anchor that never ends; empty: none.
  bool is_before_run = false;  // Also if its anchor begins before the run.
};

Duration Sum(Duration a, Duration b) {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(a.count(), b.count(), &sum)) {
    return b < Duration::zero() ? Duration::min() : Duration::max();
  }
  return Duration(sum);
}

class Beginnings {
 public:
  Beginnings(std::span<const Directive> directives, Duration start)
      : directives_(directives), start_(start), known_(directives.size()) {
    for (std::size_t i = 0; i < directives.size(); ++i) {
      numbers_[directives[i].id] = i;
    }
  }

  const Beginning& Of(std::size_t directive) {
    std::vector<std::size_t> way = {directive};
    while (!known_[way.back()] && directives_[way.back()].anchor) {
      way.push_back(numbers_.at(directives_[way.back()].anchor->id));
    }
    for (; !way.empty(); way.pop_back()) {
      if (!known_[way.back()]) {
        known_[way.back()] = Place(directives_[way.back()]);
      }
    }
    return *known_[directive];
  }

 private:
  [[nodiscard]] Beginning Place(const Directive& directive) const {
    Beginning beginning;
    if (!directive.anchor) {
      beginning.time = directive.start;
    } else {
      beginning = *known_[numbers_.at(directive.anchor->id)];
      beginning.time = Sum(beginning.time, directive.start);
      if (directive.anchor->point == Anchor::Point::kEnd) {
        beginning.is_exact = false;
        if (beginning.is_before_run) {
          beginning.missed = directive.anchor->id;
        }
      }
    }
    beginning.is_before_run = beginning.is_exact ? beginning.time < start_
                                                 : !beginning.missed.empty();
    return beginning;
  }

  std::span<const Directive> directives_;
  Duration start_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::optional<Beginning>> known_;
};

}  // namespace

void LeaveOut(PlanFile& file, std::span<const std::string> names) {
  const process::Plan rest = process::Without(file.plan, names);
  std::vector<SourceSpan> times;
  for (std::size_t i = 0; i < file.plan.directives.size(); ++i) {
    const Directive& directive = file.plan.directives[i];
    const std::size_t kept = times.size();
    if (kept < rest.directives.size() &&
        rest.directives[kept].id == directive.id) {
      times.push_back(file.times[i]);
      continue;
    }
    const bool is_named =
        std::ranges::find(names, directive.id) != names.end() ||
        std::ranges::find(names, directive.type) != names.end();
    if (!is_named) {
      file.left_out.push_back(MakeDiagnostic(
          Severity::kWarning,
          file.times[i],
          "activity '" + directive.id + "' is left out: '" +
              directive.anchor->id + "', which it comes after, is",
          "give it another time, or that one"));
    }
  }
  file.plan = rest;
  file.times = std::move(times);
}

std::vector<Diagnostic> FindLeftOut(const PlanFile& file,
                                    Duration start,
                                    std::optional<Duration> stop) {
  const std::span<const Directive> directives = file.plan.directives;
  Beginnings beginnings(directives, start);
  std::vector<Diagnostic> found = file.left_out;
  std::size_t count = found.size();
  found.resize(std::min(count, kMaxShown));
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const Beginning& beginning = beginnings.Of(i);
    const std::string name = "activity '" + directives[i].id + "'";
    std::string why;
    std::string hint;
    if (!beginning.missed.empty()) {
      why = name + " is left out: '" + beginning.missed +
            "', which it comes after, is";
      hint = "give it another time, or that one";
    } else if (beginning.is_before_run) {
      why = name + " is left out: it begins at t = " + ToText(beginning.time) +
            ", before the run does";
      hint = "give it a time from " + ToText(start) + " on";
    } else if (stop && beginning.time > *stop) {
      why = name + " is left out: it begins at t = " + ToText(beginning.time) +
            (beginning.is_exact ? "" : " at the soonest") +
            ", after the end of the run";
      hint = "give it a time up to " + ToText(*stop) +
             ", or let the run go on to then";
    } else {
      continue;
    }
    if (++count <= kMaxShown) {
      found.push_back(MakeDiagnostic(
          Severity::kWarning, file.times[i], std::move(why), std::move(hint)));
    }
  }
  if (count > kMaxShown) {
    found.push_back(
        MakeDiagnostic(Severity::kWarning,
                       {},
                       std::to_string(count - kMaxShown) +
                           " more activities of the plan are left out",
                       "they are like those above"));
  }
  return found;
}

}  // namespace orrery
