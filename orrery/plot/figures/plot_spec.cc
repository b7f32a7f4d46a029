#include "orrery/plot/plot_spec.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/plot/figures/layout_parts.h"

namespace orrery {

namespace internal = plot::internal;

namespace {

constexpr const char* kTime = "time";

// Curves with fewer rows are refined to about as many points.
constexpr std::size_t kSmooth = 500;

[[noreturn]] void Fail(std::string_view text, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot plot '" + std::string(text) + "': " + why);
}

std::string Trimmed(std::string_view text) {
  return std::string(Trim(text, " "));
}

// Splits at `separator` outside of brackets and quotes.
std::vector<std::string> Split(std::string_view whole,
                               std::string_view text,
                               char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    quoted = quoted != (c == '\'');
    if (quoted) {
      continue;
    }
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (depth < 0) {
      break;
    }
    if (c == separator && depth == 0) {
      parts.push_back(Trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (depth != 0 || quoted) {
    Fail(whole, quoted ? "a quote is not closed" : "its brackets do not match");
  }
  parts.push_back(Trimmed(text.substr(begin)));
  return parts;
}

// The times at which a curve is drawn, with the left and right limit there: the
// rows and, if these are few, points between them.
class Sampler {
 public:
  explicit Sampler(const Trajectory& run) : run_(run) {
    const std::size_t intervals = std::max<std::size_t>(run.rows(), 2) - 1;
    between_ = run.rows() < kSmooth ? kSmooth / intervals : 0;
  }

  [[nodiscard]] std::vector<double> Times() const {
    return Sample([](std::size_t, double t) { return t; },
                  [](double t) { return t; });
  }

  [[nodiscard]] std::vector<double> Values(const std::string& name) const {
    if (name == kTime) {
      return Times();
    }
    const Signal signal = run_[name];
    return Sample([&](std::size_t row, double) { return signal[row]; },
                  [&](double t) { return signal.at(t); });
  }

 private:
  template <typename AtRow, typename AtTime>
  [[nodiscard]] std::vector<double> Sample(AtRow at_row, AtTime at_time) const {
    const auto time = run_.time();
    std::vector<double> out;
    out.reserve(time.size() * (between_ + 1));
    for (std::size_t row = 0; row < time.size(); ++row) {
      out.push_back(at_row(row, time[row]));
      if (row + 1 == time.size() || time[row + 1] == time[row]) {
        continue;
      }
      for (std::size_t i = 1; i <= between_; ++i) {
        const double s =
            static_cast<double>(i) / static_cast<double>(between_ + 1);
        out.push_back(at_time(std::lerp(time[row], time[row + 1], s)));
      }
    }
    return out;
  }

  const Trajectory& run_;
  std::size_t between_ = 0;
};

bool IsPhasePlot(const PlotSpec& spec) {
  return std::ranges::any_of(spec.curves, [](const PlotSpec::Curve& curve) {
    return curve.x != kTime;
  });
}

std::string UnitOf(const Trajectory& run, const std::string& name) {
  return name == kTime ? "s" : run[name].unit();
}

// The axis of the signals `names`: with a name if there is only one, with a
// unit if all have the same.
Axis MakeAxis(const Trajectory& run, const std::vector<std::string>& names) {
  Axis axis{.label = names.front(), .unit = UnitOf(run, names.front())};
  for (const std::string& name : names) {
    if (name != axis.label) {
      axis.label.clear();
    }
    if (UnitOf(run, name) != axis.unit) {
      return {};
    }
  }
  return axis;
}

// The column of a curve's name; null if there is none.
const TableColumn* ColumnOf(const Table& data, const std::string& name) {
  return name == kTime && !data.columns().empty() ? &data.times()
                                                  : data.Find(name);
}

bool HasData(const Table& data, const PlotSpec::Curve& curve) {
  const TableColumn* const x = ColumnOf(data, curve.x);
  const TableColumn* const y = ColumnOf(data, curve.y);
  return x != nullptr && y != nullptr && x != y;
}

std::string LabelOf(const PlotSpec::Curve& curve, bool phase) {
  return phase ? curve.x + " : " + curve.y : curve.y;
}

}  // namespace

namespace {

bool HaveOneUnit(const Trajectory& run, const PlotSpec& spec) {
  const std::string unit = UnitOf(run, spec.curves.front().x);
  return std::ranges::all_of(spec.curves, [&](const PlotSpec::Curve& curve) {
    return UnitOf(run, curve.x) == unit && UnitOf(run, curve.y) == unit;
  });
}

}  // namespace

PlotSpec ParsePlotSpec(std::string_view text) {
  PlotSpec spec;
  bool over_time = false;
  bool phase = false;
  for (const std::string& part : Split(text, text, ',')) {
    const std::vector<std::string> names = Split(text, part, ':');
    if (std::ranges::any_of(names, &std::string::empty)) {
      Fail(text, "a name is missing; write 'a,b' or 'x:y'");
    }
    if (names.size() > 2) {
      Fail(text, "'" + part + "' has more than one ':'; write 'x:y'");
    }
    over_time = over_time || names.size() == 1;
    phase = phase || names.size() == 2;
    spec.curves.push_back(names.size() == 1
                              ? PlotSpec::Curve{.y = names[0]}
                              : PlotSpec::Curve{names[0], names[1]});
  }
  if (over_time && phase) {
    Fail(text,
         "curves over time ('a') and phase plots ('x:y') do not share an "
         "axis; plot them apart, or write 'time:a'");
  }
  return spec;
}

Figure MakeFigure(const Trajectory& run,
                  const PlotSpec& spec,
                  std::string title) {
  ORRERY_CHECK(!spec.curves.empty());
  Figure figure;
  figure.title = std::move(title);
  std::vector<std::string> across;
  std::vector<std::string> upwards;
  for (const PlotSpec::Curve& curve : spec.curves) {
    across.push_back(curve.x);
    upwards.push_back(curve.y);
  }
  figure.x = MakeAxis(run, across);
  figure.y = MakeAxis(run, upwards);
  const bool phase = IsPhasePlot(spec);
  const bool units_differ =
      figure.y.label.empty() && figure.y.unit.empty() && !phase;
  const Sampler sampler(run);
  for (const PlotSpec::Curve& curve : spec.curves) {
    Series series;
    series.label = LabelOf(curve, phase);
    const std::string unit = UnitOf(run, curve.y);
    if (units_differ && !unit.empty()) {
      series.label += " [" + unit + "]";
    }
    if (curve.y != kTime &&
        run[curve.y].info().variability == SignalVariability::kDiscrete) {
      series.style = SeriesStyle::kStep;
    }
    series.x = sampler.Values(curve.x);
    series.y = sampler.Values(curve.y);
    figure.series.push_back(std::move(series));
  }
  if (figure.series.size() == 1) {
    figure.series[0].label = figure.y.label;
  }
  figure.equal_aspect = phase && HaveOneUnit(run, spec) &&
                        internal::AreAlike(internal::FindRanges(figure), 4);
  return figure;
}

void CheckPlot(const PlotSpec& spec, const SignalTable& signals) {
  for (const PlotSpec::Curve& curve : spec.curves) {
    for (const std::string& name : {curve.x, curve.y}) {
      if (name != kTime) {
        static_cast<void>(signals.Require(name));
      }
    }
  }
}

void CheckOverlay(const Table& data, const PlotSpec& spec) {
  if (std::ranges::any_of(spec.curves, [&](const PlotSpec::Curve& curve) {
        return HasData(data, curve);
      })) {
    return;
  }
  std::vector<std::string> known;
  for (const TableColumn& column : data.columns()) {
    known.push_back(column.name);
  }
  const std::string& wanted = spec.curves.front().y;
  Fail(wanted,
       "the data '" + data.name() + "' have no column for it" +
           Clause(Suggest(wanted, known)));
}

void OverlayData(const Table& data, const PlotSpec& spec, Figure& figure) {
  ORRERY_CHECK(figure.series.size() >= spec.curves.size());
  CheckOverlay(data, spec);
  for (std::size_t i = 0; i < spec.curves.size(); ++i) {
    const PlotSpec::Curve& curve = spec.curves[i];
    if (HasData(data, curve)) {
      figure.series.push_back({.label = figure.series[i].label + " (data)",
                               .x = ColumnOf(data, curve.x)->values,
                               .y = ColumnOf(data, curve.y)->values,
                               .style = SeriesStyle::kPoints,
                               .color = static_cast<int>(i)});
    }
  }
}

}  // namespace orrery
