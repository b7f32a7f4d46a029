#include "orrery/sdk/reports/html_report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/xml.h"
#include "orrery/plot/plot_spec.h"
#include "orrery/plot/render.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/classes/version.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/experiments/experiment_types.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/reports/calibration_report.h"
#include "orrery/sdk/reports/saved_analysis.h"
#include "orrery/sdk/reports/stored_report.h"
#include "orrery/sdk/reports/value_text.h"

namespace orrery {
namespace {

constexpr std::size_t kMostFigures = 12;
constexpr std::size_t kMostCurves = 6;  // In a figure.
constexpr std::size_t kMostSourceBytes = 200'000;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff;
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #d0d7de; }
pre { background: #f6f8fa; padding: .8rem; overflow-x: auto; font-size: .85rem; }
table { border-collapse: collapse; }
td, th { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; }
.about { color: #59636e; }
)";

std::string Escaped(std::string_view text) {
  return EscapeXml(text, XmlPlace::kAttribute);
}

std::string Section(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("<h2>{}</h2>\n{}\n", title, body);
}

std::string Preformatted(std::string_view text) {
  return text.empty() ? "" : fmt::format("<pre>{}</pre>", Escaped(text));
}

// A row is a list of cells.
using HtmlRow = std::vector<std::string>;

std::string AsTable(const std::vector<HtmlRow>& rows) {
  std::string table;
  for (const HtmlRow& row : rows) {
    table += "<tr>";
    for (const std::string& cell : row) {
      table += fmt::format("<td>{}</td>", Escaped(cell));
    }
    table += "</tr>\n";
  }
  return table.empty() ? "" : fmt::format("<table>\n{}</table>", table);
}

std::string RequestTable(const std::string& document) {
  std::vector<HtmlRow> rows;
  for (const DocumentMember& member : MembersOf(document)) {
    rows.push_back({member.name, member.value});
  }
  return AsTable(rows);
}

// Figures ---------------------------------------------------------------------

bool IsShown(const SignalInfo& signal) {
  return signal.variability != SignalVariability::kConstant &&
         !signal.name.starts_with("der(") && !signal.name.starts_with("d(");
}

// All variables that are not constant, one unit a figure, as far as there is
// room.
std::vector<Figure> FiguresOf(const Trajectory& run) {
  std::vector<PlotSpec> specs;
  std::map<std::string, std::size_t> spec_of;  // By unit: the figure with room.
  for (const SignalInfo& signal : run.signals()) {
    if (!IsShown(signal)) {
      continue;
    }
    const auto [found, is_new] = spec_of.try_emplace(signal.unit, specs.size());
    if (is_new || specs[found->second].curves.size() == kMostCurves) {
      found->second = specs.size();
      specs.emplace_back();
    }
    specs[found->second].curves.push_back({.y = signal.name});
  }
  std::vector<Figure> figures;
  for (const PlotSpec& spec : specs) {
    if (figures.size() < kMostFigures && run.rows() > 1) {
      figures.push_back(MakeFigure(run, spec));
    }
  }
  return figures;
}

Axis AxisOf(const RunColumn& column) {
  return {.label = column.name, .unit = column.unit};
}

// Measures over varied quantities: a dot for each run.
std::vector<Figure> FiguresOf(const RunTable& table) {
  std::vector<Figure> figures;
  const auto is_varied = [&](std::size_t k) {
    return table.columns[k].role == RunColumn::Role::kVaried;
  };
  for (std::size_t y = 0; y < table.columns.size(); ++y) {
    for (std::size_t x = 0; x < table.columns.size(); ++x) {
      if (!is_varied(y) && is_varied(x) && figures.size() < kMostFigures) {
        figures.push_back({.title = {},
                           .x = AxisOf(table.columns[x]),
                           .y = AxisOf(table.columns[y]),
                           .series = {{.label = table.columns[y].name,
                                       .x = table.values[x],
                                       .y = table.values[y],
                                       .style = SeriesStyle::kPoints}}});
      }
    }
  }
  return figures;
}

// The fit over the data, and its residuals.
std::vector<Figure> FiguresOf(const CalibrationReport& report) {
  std::vector<Figure> figures;
  if (report.runs.empty()) {
    return figures;
  }
  for (const CalibratedSignal& signal : report.runs.front().signals) {
    for (const std::string& name :
         {signal.name, "residual(" + signal.name + ")"}) {
      figures.push_back(CalibrationFigure({.curves = {{.y = name}}}, report));
    }
  }
  return figures;
}

// @param run the history of the experiment; without rows if there is none.
std::string Figures(ExperimentStore& store,
                    const ExperimentRecord& record,
                    const Trajectory& run) {
  std::vector<Figure> figures = FiguresOf(run);
  if (record.info.type == kCalibration) {
    figures = FiguresOf(StoredCalibration(store, record));
  } else if (IsAnalysis(record)) {
    figures = AnalysisFigures(record);
  }
  if (!record.columns.empty()) {
    std::ranges::move(FiguresOf(store.ReadRuns(record.info.id)),
                      std::back_inserter(figures));
  }
  std::string html;
  for (const Figure& figure : figures) {
    html += RenderSvg(figure) + "\n";
  }
  return html;
}

// The model -------------------------------------------------------------------

std::string ParameterTable(const Trajectory& run) {
  std::vector<HtmlRow> rows;
  for (const SignalInfo& signal : run.signals()) {
    if (signal.variability == SignalVariability::kConstant && run.rows() > 0) {
      rows.push_back({signal.name,
                      ValueText(*signal.value_names, run[signal.name].final()),
                      signal.unit,
                      signal.description});
    }
  }
  return AsTable(rows);
}

// The equations, as they were run, if the text of the model is stored.
std::string EquationsOf(const ExperimentRecord& record, const FileSet& files) {
  RunDocument document = RunDocumentFromJson(record.document);
  if (files.Find(document.file) == nullptr) {
    return "";
  }
  document.files = files;
  try {
    return Preformatted(
        EquationsAsText(*Compile(LoadModel(document, SettingsIn(document)))));
  } catch (const Error& error) {
    return Preformatted(error.what());  // The experiment failed with this
                                        // error, too.
  }
}

std::string Sources(const ExperimentRecord& record, const FileSet& files) {
  std::string html;
  for (const AttachmentInfo& file : record.attachments) {
    if (IsRecordOfRun(file.name)) {
      continue;
    }
    const std::string_view text = files.Find(file.name)->text();
    const bool is_long = text.size() > kMostSourceBytes;
    html += fmt::format("<details><summary>{}</summary>\n{}{}</details>\n",
                        Escaped(file.name),
                        Preformatted(text.substr(0, kMostSourceBytes)),
                        is_long ? "<p>... and more</p>" : "");
  }
  return html;
}

}  // namespace

std::string HtmlReport(ExperimentStore& store,
                       const ExperimentRecord& record,
                       const std::string& results,
                       const TimeWriter& write_time) {
  const ExperimentInfo& info = record.info;
  const std::string title =
      fmt::format("Experiment {}: {} of {}", info.id, info.type, info.model);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
      "<p class=\"about\">{2}, {3}{4}{5}</p>\n",
      Escaped(title),
      kStyle,
      write_time(info.created_ns),
      Describe(info.status),
      info.tags.empty() ? "" : ", tagged ",
      Escaped(fmt::format("{}", fmt::join(info.tags, ", "))));
  for (const std::string& text : {info.message, record.notes}) {
    html += text.empty() ? "" : fmt::format("<p>{}</p>\n", Escaped(text));
  }
  const Trajectory run =
      record.trajectories.empty() || record.trajectories.front() != 0
          ? Trajectory()
          : store.ReadTrajectory(info.id, record.trajectories.front());
  html += Section("Asked for", RequestTable(record.document));
  html += Section("Results", Preformatted(results));
  html += Section("Plots", Figures(store, record, run));
  html += Section("Parameters", ParameterTable(run));
  const FileSet files = StoredFiles(store, record);
  html += Section("Equations", EquationsOf(record, files));
  html += Section("Files", Sources(record, files));
  return html +
         fmt::format("<p class=\"about\">orrery {}</p>\n</body>\n</html>\n",
                     Version());
}

}  // namespace orrery
