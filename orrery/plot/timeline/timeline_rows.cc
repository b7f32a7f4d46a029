#include "orrery/plot/timeline/timeline_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/text/number_text.h"
#include "orrery/plot/axes/time_ticks.h"
#include "orrery/plot/drawing/simplify.h"
#include "orrery/plot/drawing/text.h"
#include "orrery/plot/figures/validate.h"

namespace orrery::plot::internal {
namespace {

using State = TimelineSpan::State;

[[noreturn]] void Refuse(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot draw " + what + ": " + why);
}

void CheckSpan(const Timeline& timeline, std::size_t index) {
  const TimelineSpan& span = timeline.spans[index];
  const std::string what =
      "span " + std::to_string(index) + " ('" + span.label + "')";
  if (span.parent && *span.parent >= index) {
    Refuse(what,
           "its parent is span " + std::to_string(*span.parent) +
               ", which does not come before it; list parents first");
  }
  if (!std::isfinite(span.begin) || (span.end && !std::isfinite(*span.end))) {
    Refuse(what,
           "it is from " + ShortestText(span.begin) + " s to " +
               ShortestText(span.end.value_or(0)) + " s; both must be finite");
  }
  if (span.end && *span.end < span.begin) {
    Refuse(what,
           "it ends at " + ShortestText(*span.end) +
               " s, before its begin at " + ShortestText(span.begin) + " s");
  }
  if (span.end.has_value() == (span.state == State::kOpen)) {
    Refuse(what,
           "it is " + std::string(NameOf(span.state)) + " and has " +
               (span.end ? "an" : "no") +
               " end; what is open has none, all else has one");
  }
}

void CheckBand(const TimelineBand& band) {
  const std::string what = "band '" + band.label + "'";
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& [time, text] : band.values) {
    if (!std::isfinite(time)) {
      Refuse(what,
             "it is '" + text + "' from " + ShortestText(time) +
                 " s on; times must be finite");
    }
    if (time < last) {
      Refuse(what,
             "it is '" + text + "' from " + ShortestText(time) +
                 " s on, after its value from " + ShortestText(last) +
                 " s on; order its values by time");
    }
    last = time;
  }
}

bool IsOutside(const Timeline& timeline, const TimelineSpan& span) {
  return span.begin > timeline.end || (span.end && *span.end < timeline.begin);
}

// The parts of each span, in the order of their begin.
class SpanTree {
 public:
  explicit SpanTree(const Timeline& timeline)
      : children_(timeline.spans.size()) {
    const std::vector<TimelineSpan>& spans = timeline.spans;
    std::vector<bool> is_seen(spans.size());
    for (std::size_t i = spans.size(); i-- > 0;) {
      is_seen[i] = is_seen[i] || !IsOutside(timeline, spans[i]);
      if (is_seen[i] && spans[i].parent) {
        is_seen[*spans[i].parent] = true;
      }
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (is_seen[i]) {
        (spans[i].parent ? children_[*spans[i].parent] : roots_).push_back(i);
      }
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& roots() const { return roots_; }

  [[nodiscard]] const std::vector<std::size_t>& ChildrenOf(
      std::size_t span) const {
    return children_[span];
  }

 private:
  std::vector<std::size_t> roots_;
  std::vector<std::vector<std::size_t>> children_;
};

// Assigns spans of one label to rows: each to the first free one.
class Lanes {
 public:
  // The row of a span; spans come in the order of begin.
  std::size_t Take(double begin, double end) {
    while (!busy_.empty() && busy_.top().first <= begin) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    std::size_t lane = size_;
    if (free_.empty()) {
      ++size_;
    } else {
      lane = free_.top();
      free_.pop();
    }
    busy_.emplace(end, lane);
    return lane;
  }

 private:
  using Busy = std::pair<double, std::size_t>;  // End and row of a span.

  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>>
      free_;
  std::size_t size_ = 0;
};

// Assigns the spans below one row to rows; those of one label are adjacent.
std::vector<TimelineRow> RowsOf(const Timeline& timeline,
                                std::vector<std::size_t> spans,
                                std::size_t depth) {
  std::ranges::stable_sort(spans, {}, [&timeline](std::size_t i) {
    return timeline.spans[i].begin;
  });

  struct Group {
    Lanes lanes;
    std::vector<TimelineRow> rows;
  };

  std::vector<Group> groups;
  std::unordered_map<std::string_view, std::size_t> group_of;
  for (const std::size_t i : spans) {
    const TimelineSpan& span = timeline.spans[i];
    const auto [it, is_new] = group_of.try_emplace(span.label, groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    Group& group = groups[it->second];
    const std::size_t lane = group.lanes.Take(
        span.begin, span.end.value_or(std::numeric_limits<double>::infinity()));
    if (lane == group.rows.size()) {
      group.rows.push_back({.label = CleanText(span.label), .depth = depth});
    }
    group.rows[lane].spans.push_back(i);
  }
  std::vector<TimelineRow> rows;
  for (Group& group : groups) {
    std::ranges::move(group.rows, std::back_inserter(rows));
  }
  return rows;
}

// Drops the last of the deepest rows.
void DropDeepest(std::vector<TimelineRow>& rows, std::size_t most) {
  std::map<std::size_t, std::size_t> count_of_depth;
  for (const TimelineRow& row : rows) {
    ++count_of_depth[row.depth];
  }
  std::size_t room = most;
  auto deepest = count_of_depth.begin();
  while (deepest != count_of_depth.end() && deepest->second <= room) {
    room -= deepest->second;
    ++deepest;
  }
  if (deepest == count_of_depth.end()) {
    return;
  }
  const std::size_t depth = deepest->first;
  std::size_t kept = 0;
  std::erase_if(rows, [&kept, room, depth](const TimelineRow& row) {
    return row.depth > depth || (row.depth == depth && kept++ >= room);
  });
}

// The importance of a state among several.
int Weight(State state) {
  switch (state) {
    case State::kCompleted:
      return 0;
    case State::kOpen:
      return 1;
    case State::kCancelled:
      return 2;
    case State::kFailed:
      break;
  }
  return 3;
}

bool IsInside(Range time, double x) {
  return x >= time.low && x <= time.high;
}

// Clips a series to a range of time.
class SeriesClip {
 public:
  SeriesClip(const Series& series, Range time)
      : series_(series),
        time_(time),
        out_{.label = series.label,
             .x = {},
             .y = {},
             .style = series.style,
             .color = series.color} {}

  Series Make() {
    for (std::size_t i = 0; i < series_.x.size(); ++i) {
      const Point point = {series_.x[i], series_.y[i]};
      const bool has_line = std::isfinite(point.x) && std::isfinite(point.y);
      if (has_line && has_last_ && IsConnected()) {
        AddCrossings(point);
      }
      if (!has_line || IsInside(time_, point.x)) {
        Add(point);
      }
      last_ = point;
      has_last_ = has_line;
    }
    return std::move(out_);
  }

 private:
  // True if lines connect the points. At the end of a range dots would suggest
  // data.
  [[nodiscard]] bool IsConnected() const {
    return series_.style == SeriesStyle::kLine ||
           series_.style == SeriesStyle::kStep;
  }

  // Adds the points at which the line to this point passes an end of the range.
  void AddCrossings(const Point& point) {
    double ends[] = {time_.low, time_.high};
    if (point.x < last_.x) {
      std::swap(ends[0], ends[1]);
    }
    for (const double x : ends) {
      const auto [low, high] = std::minmax(last_.x, point.x);
      if (x <= low || x >= high) {
        continue;
      }
      const double y =
          series_.style == SeriesStyle::kStep
              ? last_.y
              : std::lerp(last_.y, point.y, Fraction({last_.x, point.x}, x));
      Add({x, y});
      const bool leaves = x == ends[1];
      if (leaves) {
        AddGap();
      }
    }
  }

  void Add(const Point& point) {
    out_.x.push_back(point.x);
    out_.y.push_back(point.y);
  }

  void AddGap() { Add({kNaN, kNaN}); }

  const Series& series_;
  Range time_;
  Series out_;
  Point last_;
  bool has_last_ = false;
};

}  // namespace

std::string_view NameOf(State state) {
  switch (state) {
    case State::kOpen:
      return "open";
    case State::kCompleted:
      return "completed";
    case State::kFailed:
      return "failed";
    case State::kCancelled:
      break;
  }
  return "cancelled";
}

void CheckTimeline(const Timeline& timeline) {
  if (!std::isfinite(timeline.begin) || !std::isfinite(timeline.end) ||
      timeline.end < timeline.begin) {
    Refuse("the timeline",
           "it is from " + ShortestText(timeline.begin) + " s to " +
               ShortestText(timeline.end) +
               " s; both must be finite and in this order");
  }
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    CheckSpan(timeline, i);
  }
  std::ranges::for_each(timeline.bands, CheckBand);
  std::ranges::for_each(timeline.panels, CheckFigure);
}

TimelineRows MakeTimelineRows(const Timeline& timeline, std::size_t most) {
  const SpanTree tree(timeline);
  TimelineRows out;
  // The next rows, the first of them last.
  std::vector<TimelineRow> stack = RowsOf(timeline, tree.roots(), 0);
  std::ranges::reverse(stack);
  while (!stack.empty()) {
    TimelineRow row = std::move(stack.back());
    stack.pop_back();
    std::vector<std::size_t> below;
    for (const std::size_t span : row.spans) {
      const std::vector<std::size_t>& children = tree.ChildrenOf(span);
      below.insert(below.end(), children.begin(), children.end());
    }
    row.is_parent = !below.empty();
    std::vector<TimelineRow> rows =
        RowsOf(timeline, std::move(below), row.depth + 1);
    out.rows.push_back(std::move(row));
    std::move(rows.rbegin(), rows.rend(), std::back_inserter(stack));
  }
  const std::size_t count = out.rows.size();
  DropDeepest(out.rows, most);
  out.left_out = count - out.rows.size();
  return out;
}

std::vector<TimelineBar> MakeTimelineBars(const Timeline& timeline,
                                          const TimelineRow& row,
                                          double width,
                                          double fine) {
  const Range time = TimeRange(timeline);
  const auto place = [&time, width](double at) {
    return std::clamp(Fraction(time, at), 0.0, 1.0) * width;
  };
  std::vector<TimelineBar> bars;
  bool last_is_fine = false;
  for (const std::size_t index : row.spans) {
    const TimelineSpan& span = timeline.spans[index];
    if (IsOutside(timeline, span)) {
      continue;
    }
    const TimelineBar bar = {.left = place(span.begin),
                             .right = place(span.end.value_or(timeline.end)),
                             .state = span.state,
                             .first = index};
    const bool is_fine = bar.right - bar.left < fine;
    if (!bars.empty() && is_fine && last_is_fine &&
        bar.left < bars.back().right + 1) {
      TimelineBar& crowd = bars.back();
      crowd.right = std::max(crowd.right, bar.right);
      ++crowd.count;
      if (Weight(bar.state) > Weight(crowd.state)) {
        crowd.state = bar.state;
      }
    } else {
      bars.push_back(bar);
    }
    last_is_fine = is_fine;
  }
  return bars;
}

TimelineTexts MakeTimelineTexts(const Timeline& timeline,
                                const TimelineBand& band,
                                double width,
                                double fine) {
  const Range time = TimeRange(timeline);
  TimelineTexts out;
  std::unordered_map<std::string_view, std::size_t> number_of;
  bool last_is_fine = false;
  for (std::size_t i = 0; i < band.values.size(); ++i) {
    const auto& [begin, text] = band.values[i];
    const double end =
        i + 1 < band.values.size() ? band.values[i + 1].first : timeline.end;
    if (text.empty() || begin >= timeline.end || end <= timeline.begin ||
        end <= begin) {
      continue;
    }
    const auto [it, is_new] = number_of.try_emplace(text, out.texts.size());
    if (is_new) {
      out.texts.push_back(CleanText(text));
    }
    const TimelinePiece piece = {
        .left = std::max(Fraction(time, begin), 0.0) * width,
        .right = std::min(Fraction(time, end), 1.0) * width,
        .text = it->second};
    const bool is_fine = piece.right - piece.left < fine;
    TimelinePiece* const last =
        out.pieces.empty() || out.pieces.back().right < piece.left
            ? nullptr
            : &out.pieces.back();
    if (last != nullptr && last->count == 1 && last->text == piece.text) {
      last->right = piece.right;
      last_is_fine = last->right - last->left < fine;
    } else if (last != nullptr && is_fine && last_is_fine) {
      last->right = piece.right;
      ++last->count;
    } else {
      out.pieces.push_back(piece);
      last_is_fine = is_fine;
    }
  }
  return out;
}

Figure ClippedPanel(const Figure& figure, Range time) {
  Figure panel{.title = figure.title, .x = {}, .y = figure.y, .series = {}};
  for (const Series& series : figure.series) {
    panel.series.push_back(SeriesClip(series, time).Make());
  }
  return panel;
}

Range TimeRange(const Timeline& timeline) {
  RangeFinder finder;
  finder.Add(timeline.begin);
  finder.Add(timeline.end);
  return finder.Find();
}

std::string TooltipOf(const Timeline& timeline, const TimelineBar& bar) {
  const TimelineSpan& span = timeline.spans[bar.first];
  if (bar.count > 1) {
    return CleanText(span.label) + ": " + std::to_string(bar.count) +
           " spans from " + TimeText(span.begin) + " on";
  }
  const std::string name(NameOf(span.state));
  return CleanText(span.label) + ": " + TimeText(span.begin) +
         (span.end ? " to " + TimeText(*span.end) : std::string(" on")) + ", " +
         name + (span.details.empty() ? "" : "; " + CleanText(span.details));
}

}  // namespace orrery::plot::internal
