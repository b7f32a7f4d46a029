#include "orrery/sdk/process_timeline.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/sdk/runs/fields_text.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using process::Polynomial;
using process::Profile;
using process::Reading;
using process::Segment;
using process::Span;
using process::SpanEnd;

TimelineSpan::State StateOf(SpanEnd end) {
  switch (end) {
    case SpanEnd::kOpen:
      return TimelineSpan::State::kOpen;
    case SpanEnd::kCompleted:
      return TimelineSpan::State::kCompleted;
    case SpanEnd::kFailed:
      return TimelineSpan::State::kFailed;
    case SpanEnd::kCancelled:
      break;
  }
  return TimelineSpan::State::kCancelled;
}

TimelineSpan ToBar(const Span& span) {
  TimelineSpan bar{.label = span.name,
                   .parent = span.parent,
                   .begin = Seconds(span.begin).value,
                   .end = {},
                   .state = StateOf(span.state),
                   .details = internal::FieldsText(span.attributes)};
  if (span.state != SpanEnd::kOpen) {
    bar.end = Seconds(span.end).value;
  }
  return bar;
}

std::string TextOf(const Reading& reading) {
  if (const auto* const truth = std::get_if<bool>(&reading)) {
    return *truth ? "true" : "";
  }
  if (const auto* const text = std::get_if<std::string>(&reading)) {
    return *text;
  }
  return ShortestText(std::get<Polynomial>(reading).At(Duration::zero()));
}

bool HasCurve(const Profile& profile) {
  const auto segments = profile.segments();
  const auto holds_number = [](const Segment& segment) {
    return std::holds_alternative<Polynomial>(segment.reading);
  };
  const auto holds_text = [](const Segment& segment) {
    return std::holds_alternative<std::string>(segment.reading);
  };
  return std::ranges::any_of(segments, holds_number) &&
         std::ranges::none_of(segments, holds_text);
}

TimelineBand ToBand(const Profile& profile) {
  TimelineBand band{.label = profile.path(), .values = {}};
  for (const Segment& segment : profile.segments()) {
    band.values.emplace_back(Seconds(segment.begin).value,
                             TextOf(segment.reading));
  }
  return band;
}

Figure ToPanel(const Trajectory& run, const std::string& name) {
  const Signal values = run[name];
  const bool is_level =
      values.info().variability == SignalVariability::kDiscrete;
  return {.title = {},
          .x = {},
          .y = {.label = name, .unit = values.unit()},
          .series = {
              {.label = name,
               .x = {run.time().begin(), run.time().end()},
               .y = values.values(),
               .style = is_level ? SeriesStyle::kStep : SeriesStyle::kLine}}};
}

// Returns these profiles; if none are named, all.
std::vector<const Profile*> Chosen(std::span<const Profile> profiles,
                                   std::span<const std::string> resources) {
  std::vector<const Profile*> chosen;
  if (resources.empty()) {
    for (const Profile& profile : profiles) {
      chosen.push_back(&profile);
    }
  }
  for (const std::string& path : resources) {
    const auto found = std::ranges::find(profiles, path, &Profile::path);
    if (found != profiles.end()) {
      chosen.push_back(&*found);
      continue;
    }
    std::vector<std::string> known;
    for (const Profile& profile : profiles) {
      known.push_back(profile.path());
    }
    throw Error(ErrorCode::kInvalidArgument,
                "cannot show '" + path + "' in a timeline: the run kept no " +
                    (profiles.empty()
                         ? "profiles; set Options::records.profiles before it"
                         : "profile of it" + Clause(Suggest(path, known))));
  }
  return chosen;
}

void CheckHasAny(const process::Recording& recording) {
  if (recording.spans.empty() && recording.profiles.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw a timeline: the run kept no spans of tasks and no "
                "profiles; set Options::records before it, and see that the "
                "model has tasks or resources");
  }
}

Timeline Make(std::span<const Span> spans,
              std::span<const Profile* const> profiles,
              Duration start,
              Duration end) {
  Timeline timeline{.title = {},
                    .begin = Seconds(start).value,
                    .end = Seconds(end).value,
                    .spans = {},
                    .bands = {},
                    .panels = {}};
  std::ranges::transform(spans, std::back_inserter(timeline.spans), ToBar);
  for (const Profile* profile : profiles) {
    if (HasCurve(*profile)) {
      timeline.panels.push_back(
          ToPanel(ToTrajectory({profile, 1}, start, end), profile->path()));
    } else {
      timeline.bands.push_back(ToBand(*profile));
    }
  }
  return timeline;
}

}  // namespace

Timeline ToTimeline(const process::Recording& recording,
                    Duration start,
                    Duration end,
                    std::span<const std::string> resources) {
  CheckHasAny(recording);
  return Make(
      recording.spans, Chosen(recording.profiles, resources), start, end);
}

Timeline ToTimeline(const TimelineResult& run,
                    std::span<const std::string> names) {
  std::vector<std::string> quantities;
  std::vector<std::string> resources;
  for (const std::string& name : names) {
    (run.trajectory.Contains(name) ? quantities : resources).push_back(name);
  }
  if (quantities.empty()) {
    CheckHasAny(run.recording);
  }
  std::vector<const Profile*> profiles;
  if (names.empty() || !resources.empty()) {
    profiles = Chosen(run.recording.profiles, resources);
  }
  Timeline timeline =
      Make(run.recording.spans, profiles, Duration::zero(), run.end);
  for (const std::string& name : quantities) {
    timeline.panels.push_back(ToPanel(run.trajectory, name));
  }
  return timeline;
}

}  // namespace orrery
