#include "orrery/cli/commands/run_files.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/terminal.h"

namespace orrery::cli {
namespace {

PlotSpec ParsePlots(const RunCommand& command) {
  std::string all;
  for (const std::string& plot : command.plots) {
    all += (all.empty() ? "" : ",") + plot;
  }
  return command.plots.empty() ? PlotSpec{} : ParsePlotSpec(all);
}

bool IsInOrder(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::greater_equal()) ==
         values.end();
}

// The runs of one curve.
struct RowGroup {
  std::string label;  // "c = 0.2, m = 1": the other varied quantities.
  std::vector<std::size_t> rows;
};

// Groups the runs of a grid by the varied quantities other than `x`, in their
// order. There is one group if `x` is no factor, if nothing else varies, if
// there are too many groups for a legend, or if most groups have a single run,
// as for random points.
std::vector<RowGroup> GroupsOf(const Trajectory& table,
                               const std::vector<std::string>& varied,
                               const std::string& x) {
  constexpr std::size_t kMostGroups = 8;
  std::vector<RowGroup> together(1);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    together[0].rows.push_back(row);
  }
  if (std::ranges::find(varied, x) == varied.end()) {
    return together;
  }
  std::vector<RowGroup> groups;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string label;
    for (const std::string& name : varied) {
      if (name != x) {
        label += fmt::format(
            "{}{} = {}",
            label.empty() ? "" : ", ",
            name,
            ValueText(*table[name].info().value_names, table[name][row]));
      }
    }
    auto group = std::ranges::find(groups, label, &RowGroup::label);
    if (group == groups.end()) {
      if (groups.size() == kMostGroups) {
        return together;
      }
      group = groups.insert(group, {.label = std::move(label), .rows = {}});
    }
    group->rows.push_back(row);
  }
  return 2 * groups.size() > table.rows() ? together : groups;
}

Series SeriesOf(const Trajectory& table,
                const PlotSpec::Curve& curve,
                const RowGroup& group) {
  Series series;
  for (const std::size_t row : group.rows) {
    series.x.push_back(table[curve.x][row]);
    series.y.push_back(table[curve.y][row]);
  }
  if (!IsInOrder(series.x)) {
    series.style = SeriesStyle::kPoints;
  }
  return series;
}

// There is nothing between runs: rows that are not in order are shown as dots.
// Run numbers replace times.
void ShowRows(const Trajectory& table, const Plans& plans, Figure& figure) {
  const PlotSpec& spec = plans.plot;
  figure.equal_aspect = false;
  if (spec.curves.front().x == "time") {
    figure.x = {.label = "run", .unit = {}};
  }
  for (std::size_t i = 0; i < spec.curves.size(); ++i) {
    const PlotSpec::Curve& curve = spec.curves[i];
    if (curve.x == "time" || curve.y == "time") {
      continue;
    }
    const std::vector<RowGroup> groups = GroupsOf(table, plans.varied, curve.x);
    const std::string label = figure.series[i].label;
    for (const RowGroup& group : groups) {
      Series series = SeriesOf(table, curve, group);
      series.label = groups.size() == 1        ? label
                     : spec.curves.size() == 1 ? group.label
                                               : curve.y + ", " + group.label;
      if (&group == &groups.front()) {
        figure.series[i] = std::move(series);
      } else {
        figure.series.push_back(std::move(series));
      }
    }
  }
}

void SetAxes(const RunCommand& command, Figure& figure) {
  figure.x.is_logarithmic |= command.log_axes.x;
  figure.y.is_logarithmic |= command.log_axes.y;
  figure.equal_aspect = command.equal_axes.value_or(figure.equal_aspect);
}

Figure FigureOf(const RunCommand& command,
                const Plans& plans,
                const Trajectory& run) {
  Figure figure = MakeFigure(run, plans.plot);
  if (plans.data) {
    OverlayData(InUnitsOf(*run.table(), *plans.data), plans.plot, figure);
  }
  if (plans.has_runs_as_rows) {
    ShowRows(run, plans, figure);
  }
  SetAxes(command, figure);
  return figure;
}

void CheckTimeline(const RunCommand& command, const PlotSpec& spec) {
  const auto& timeline = command.tasks.timeline;
  if (!timeline) {
    return;
  }
  if (timeline->empty() && command.json) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw the timeline on the terminal: --json leaves it to "
                "the JSON object; give it a file");
  }
  if (!command.data.empty() && command.figure.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot draw {}: a timeline shows no measured "
                            "points; give the plot a file by --figure",
                            command.data));
  }
  for (const PlotSpec::Curve& curve : spec.curves) {
    if (curve.x != "time" || curve.y == "time") {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("cannot show {}{} in a timeline: it is over the time; "
                      "name resources by --plot",
                      curve.x == "time" ? "" : curve.x + ":",
                      curve.y));
    }
  }
  if (!timeline->empty()) {
    CheckPlotFile(*timeline);
  }
}

}  // namespace

Plans MakePlans(const RunCommand& command) {
  const bool is_plotted = !command.plots.empty();
  if (!is_plotted && (command.log_axes.x || command.log_axes.y)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw logarithmic axes: nothing is to be plotted; say "
                "what by --plot");
  }
  if (!is_plotted && command.equal_axes) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot choose the scale of axes: nothing is to be plotted; "
                "say what by --plot");
  }
  if (!is_plotted && !(command.figure.empty() && command.data.empty())) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot draw {}: nothing is to be plotted; say "
                    "what by --plot",
                    command.figure.empty() ? command.data : command.figure));
  }
  if (is_plotted && command.json && command.figure.empty() &&
      !command.tasks.timeline) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot plot on the terminal: --json leaves it to the JSON "
                "object; give a file by --figure");
  }
  Plans plans;
  plans.plot = ParsePlots(command);
  CheckTimeline(command, plans.plot);
  if (!command.data.empty()) {
    plans.data = ParseTableOverTime(SourceFile::Read(command.data));
    CheckOverlay(*plans.data, plans.plot);
  }
  for (const std::string& path : command.outputs) {
    CheckTrajectoryFile(path);
  }
  if (!command.figure.empty()) {
    CheckPlotFile(command.figure);
  }
  return plans;
}

void CheckPlots(const Plans& plans, const SignalTable& signals) {
  CheckPlot(plans.plot, signals);
  if (plans.data) {
    static_cast<void>(InUnitsOf(signals, *plans.data));
  }
}

void CheckPlotted(
    const PlotSpec& spec,
    const std::function<std::string(const std::string& name)>& why_not) {
  for (const PlotSpec::Curve& curve : spec.curves) {
    for (const std::string& name : {curve.x, curve.y}) {
      if (const std::string why = name == "time" ? "" : why_not(name);
          !why.empty()) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("cannot plot '{}': {}", name, why));
      }
    }
  }
}

bool HasPlotted(const PlotSpec& spec, const SignalTable& signals) {
  const auto is_there = [&](const std::string& name) {
    return name == "time" || signals.Find(name).has_value();
  };
  return std::ranges::all_of(spec.curves, [&](const PlotSpec::Curve& curve) {
    return is_there(curve.x) && is_there(curve.y);
  });
}

std::vector<std::string> WriteFiles(const RunCommand& command,
                                    const Plans& plans,
                                    const Trajectory& run) {
  std::vector<std::string> written = command.outputs;
  for (const std::string& path : command.outputs) {
    WriteTrajectory(path, run);
  }
  if (!command.figure.empty()) {
    WritePlot(command.figure, FigureOf(command, plans, run));
    written.push_back(command.figure);
  }
  return written;
}

void PrintPlot(const RunCommand& command,
               const Plans& plans,
               const Trajectory& run) {
  const bool is_elsewhere = command.figure.empty()
                                ? command.tasks.timeline.has_value()
                                : !PrintsToTerminal() || command.quiet;
  if (!command.plots.empty() && run.rows() > 0 && !is_elsewhere) {
    fmt::print("{}",
               RenderTerminal(FigureOf(command, plans, run), TerminalOfUser()));
  }
}

void DrawFigure(const RunCommand& command, Figure figure) {
  SetAxes(command, figure);
  if (command.figure.empty()) {
    fmt::print("{}", RenderTerminal(figure, TerminalOfUser()));
  } else {
    WritePlot(command.figure, figure);
    TellWritten(command, {command.figure});
  }
}

void TellNeverTrue(const RunCommand& command) {
  PrintError(
      "{}: '{}' (--until) was never true\n", command.program, command.until);
}

void TellInterrupted(const RunCommand& command, const std::string& message) {
  PrintError(
      "{}: {}; the results up to there are kept\n", command.program, message);
}

}  // namespace orrery::cli
