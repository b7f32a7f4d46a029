#include "orrery/sdk/experiments/sweep_document.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/parse.h"
#include "orrery/results/csv.h"
#include "orrery/sdk/documents/factor_text.h"
#include "orrery/sdk/documents/run_document_json.h"
#include "orrery/sdk/documents/varied_subject.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using internal::Json;

// Default limit of the number of measures.
constexpr std::size_t kMostKeptByDefault = 12;

bool HasValues(const Factor& factor) {
  return std::holds_alternative<std::vector<double>>(factor.range);
}

DesignKind KindOf(const SweepDocument& document,
                  std::span<const Factor> factors) {
  const bool is_grid =
      std::ranges::all_of(factors, HasValues) ||
      std::ranges::any_of(factors, [](const Factor& factor) {
        return HasValues(factor) &&
               std::get<std::vector<double>>(factor.range).size() > 1;
      });
  return document.design.value_or(is_grid ? DesignKind::kGrid
                                          : DesignKind::kRandom);
}

// True if random values are drawn at each point of a grid.
bool HasDraws(DesignKind kind, std::span<const Factor> factors) {
  return kind == DesignKind::kGrid &&
         !std::ranges::all_of(factors, HasValues) &&
         std::ranges::any_of(factors, HasValues);
}

bool IsDrawn(DesignKind kind) {
  return kind != DesignKind::kGrid && kind != DesignKind::kList;
}

constexpr std::array<std::string_view, 3> kAnalysisNames = {
    "local", "morris", "sobol"};

std::vector<Factor> FactorsOf(const SweepDocument& document) {
  return internal::FactorsOf(document.vary, document.run);
}

// Nothing for the rows of a table, and for a sensitivity analysis.
std::optional<DesignKind> DesignKindOf(const SweepDocument& document) {
  return document.table.empty() && !document.sensitivity
             ? std::optional(KindOf(document, FactorsOf(document)))
             : std::nullopt;
}

std::int64_t PointsOf(const SweepDocument& document, std::int64_t otherwise) {
  return document.points == 0 ? otherwise : document.points;
}

std::int64_t DefaultPoints(const SweepDocument& document) {
  return document.until_known.empty() ? 1000 : 1'000'000;
}

[[noreturn]] void RefuseToKnow(const SweepDocument& document,
                               const std::string& why) {
  throw Error(
      ErrorCode::kInvalidArgument,
      "cannot run until '" + document.until_known + "' is known: " + why);
}

// Refuses a number of points if the design determines it.
void RefusePoints(const SweepDocument& document, const std::string& why) {
  if (document.points != 0) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot choose " + std::to_string(document.points) + " points: " + why);
  }
}

// The middle of each range.
Design PointOf(const SweepDocument& document) {
  std::vector<Factor> factors = FactorsOf(document);
  for (Factor& factor : factors) {
    const auto* const bounds = std::get_if<SearchBounds>(&factor.range);
    const double middle = bounds != nullptr && bounds->guess
                              ? *bounds->guess
                              : DistributionOf(factor).Quantile(0.5);
    factor.range = std::vector<double>{middle};
  }
  return {factors, {.kind = DesignKind::kList}};
}

Design AnalysisDesignOf(const SweepDocument& document) {
  switch (*document.sensitivity) {
    case SensitivityMethod::kLocal:
      if (!document.group.empty() || !document.correlate.empty()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "cannot take --group or --correlate with --method local: "
                    "derivatives are by one factor each; leave them out, or "
                    "take --method sobol");
      }
      return PointOf(document);
    case SensitivityMethod::kMorris:
      return MorrisDesignOf(document).design();
    case SensitivityMethod::kSobol:
      break;
  }
  return SaltelliDesignOf(document).design();
}

bool IsConstant(const SignalInfo& signal) {
  return signal.variability == SignalVariability::kConstant;
}

Design DesignOfFactors(const SweepDocument& document);

constexpr auto kSweepFields = [](auto& document, auto field) {
  field("vary", document.vary);
  field("keep", document.keep);
  field("points", document.points);
  field("replications", document.replications);
  field("until_known", document.until_known);
  field("shifted", document.is_shifted);
  field("correlate", document.correlate);
  field("table", document.table);
  field("second_order", document.has_second_order);
  field("group", document.group);
};

}  // namespace

std::string_view NameOf(SensitivityMethod method) noexcept {
  return kAnalysisNames[static_cast<std::size_t>(method)];
}

SensitivityMethod SensitivityMethodOf(std::string_view name) {
  const auto found = std::ranges::find(kAnalysisNames, name);
  if (found == kAnalysisNames.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "no method '" + std::string(name) +
                    "' of sensitivity analysis; " +
                    Suggest(name,
                            std::vector<std::string>(kAnalysisNames.begin(),
                                                     kAnalysisNames.end())));
  }
  return static_cast<SensitivityMethod>(found - kAnalysisNames.begin());
}

std::vector<FactorGroup> GroupsOf(const SweepDocument& document) {
  return GroupsOf(FactorsOf(document),
                  "--group",
                  document.group,
                  ParseCorrelations("--correlate", document.correlate));
}

MorrisDesign MorrisDesignOf(const SweepDocument& document) {
  if (!document.correlate.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot screen factors that correlate: a factor moves by "
                "itself through its range; take --method sobol, which tells "
                "the parts of groups of them");
  }
  return {FactorsOf(document),
          {.trajectories = PointsOf(document, 10),
           .seed = document.run.seed,
           .groups = GroupsOf(document)}};
}

SaltelliDesign SaltelliDesignOf(const SweepDocument& document) {
  return {
      FactorsOf(document),
      {.samples = PointsOf(document, 1024),
       .has_second_order = document.has_second_order,
       .seed = document.run.seed,
       .groups = GroupsOf(document),
       .correlations = ParseCorrelations("--correlate", document.correlate)}};
}

bool IsDrawn(const SweepDocument& document) {
  const std::optional<DesignKind> kind = DesignKindOf(document);
  return kind && IsDrawn(*kind);
}

std::int64_t RunsOfPoint(const SweepDocument& document) {
  if (!document.table.empty() || document.sensitivity) {
    return document.replications;
  }
  const std::vector<Factor> factors = FactorsOf(document);
  return HasDraws(KindOf(document, factors), factors)
             ? PointsOf(document, DefaultPoints(document))
             : document.replications;
}

bool AreIndependent(const SweepDocument& document) {
  return DesignKindOf(document) == DesignKind::kRandom;
}

namespace {

// Refuses other sources of points beside a table of them.
void CheckTable(const SweepDocument& document) {
  if (!document.vary.empty() || document.design) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take --points beside --vary and --design: the rows "
                "of the file are the points; leave one out");
  }
  RefusePoints(
      document,
      "the rows of " + document.table + " are the points; leave out --runs");
}

}  // namespace

Design DesignOf(const SweepDocument& document, const Subject& subject) {
  if (!document.table.empty()) {
    return Design(InUnits(ParseTable(document.run.files.Read(document.table)),
                          [&](const std::string& column) {
                            return subject.KindOfVaried(column).unit;
                          }));
  }
  return DesignOfFactors(document);
}

namespace {

Design DesignOfFactors(const SweepDocument& document) {
  if (document.vary.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                document.sensitivity
                    ? "cannot tell what results depend on: nothing varies; say "
                      "what by --vary, as in --vary 'k=[1,10]'"
                    : "cannot sweep: nothing varies; say what by --vary, as in "
                      "--vary 'k=1:0.5:10', or give the --points");
  }
  if (document.sensitivity) {
    return AnalysisDesignOf(document);
  }
  const std::vector<Factor> factors = FactorsOf(document);
  const DesignKind kind = KindOf(document, factors);
  const bool has_draws = IsDrawn(kind) || HasDraws(kind, factors);
  if (!has_draws) {
    RefusePoints(document,
                 "the values of what varies make the points of a " +
                     std::string(NameOf(kind)) +
                     "; leave out --runs, or draw points by --design random, "
                     "latin-hypercube or sobol");
  }
  DesignOptions options{
      .kind = kind,
      .seed = document.run.seed,
      .is_shifted = document.is_shifted,
      .correlations = ParseCorrelations("--correlate", document.correlate)};
  options.points = has_draws ? PointsOf(document, DefaultPoints(document)) : 0;
  return {factors, options};
}

}  // namespace

KnownMean KnownMeanOf(const SweepDocument& document,
                      std::span<const RunColumn> columns) {
  const std::string& text = document.until_known;
  if (!AreIndependent(document)) {
    RefuseToKnow(document,
                 "the interval of a mean is that of independent points; take "
                 "--design random");
  }
  const std::size_t equals = text.rfind('=');
  const bool is_relative = text.ends_with('%');
  const std::string width =
      equals == std::string::npos
          ? ""
          : text.substr(equals + 1,
                        text.size() - equals - (is_relative ? 2 : 1));
  const std::optional<double> bound = ParseDecimal(width);
  if (!bound || !(*bound > 0)) {
    RefuseToKnow(document,
                 "give a number and how well, as in 'x=0.01' or "
                 "'max(x)=1%'");
  }
  const std::string name = text.substr(0, equals);
  std::vector<std::string> names;
  for (const RunColumn& column : columns) {
    names.push_back(column.name);
  }
  if (std::ranges::find(names, name) == names.end()) {
    RefuseToKnow(document,
                 "the runs have no number '" + name + "'" +
                     Clause(Suggest(name, names)));
  }
  constexpr double kPercent = 0.01;
  return {.column = name,
          .rule = {.absolute = is_relative ? 0 : *bound,
                   .relative = is_relative ? kPercent * *bound : 0,
                   .most_runs = PointsOf(document, DefaultPoints(document))}};
}

namespace {

// The default measures of a run: the final values of all variables that are not
// constant or, if there are none, of all variables.
std::vector<std::string> FinalValues(const Subject& subject) {
  const std::vector<SignalInfo>& signals = subject.signals().signals();
  const bool nothing_moves = std::ranges::all_of(signals, IsConstant);
  std::vector<std::string> names;
  for (const SignalInfo& signal : signals) {
    if (!signal.name.starts_with("der(") &&
        (nothing_moves || !IsConstant(signal))) {
      names.push_back(signal.name);
    }
  }
  if (names.empty() || names.size() > kMostKeptByDefault) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot keep all that a run of " + subject.name() +
                    " comes to, " + std::to_string(names.size()) +
                    " signals; say by --keep what matters, as in --keep "
                    "'final(" +
                    (names.empty() ? "x" : names.front()) + ")'");
  }
  return names;
}

}  // namespace

std::vector<std::string> MeasuresOf(const SweepDocument& document,
                                    const Subject& subject,
                                    std::span<const std::string> varied) {
  std::vector<std::string> measures;
  for (const std::string& kept : document.keep) {
    if (kept == "final") {
      std::ranges::move(FinalValues(subject), std::back_inserter(measures));
    } else {
      measures.push_back(kept);
    }
  }
  if (measures.empty()) {
    measures = FinalValues(subject);
  }
  // The column of a varied quantity, such as the start value of a state, has
  // its name already.
  for (std::string& measure : measures) {
    if (std::ranges::find(varied, measure) != varied.end()) {
      measure.insert(0, "final(").append(")");
    }
  }
  return measures;
}

namespace {

void CheckReplications(const SweepDocument& document, std::int64_t points) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot replicate each run " +
                    std::to_string(document.replications) + " times: " + why);
  };
  if (document.replications < 1) {
    refuse("give 1 or more");
  }
  if (document.replications > 1 &&
      (document.sensitivity || IsDrawn(document) ||
       RunsOfPoint(document) != document.replications)) {
    refuse(
        "where points are drawn, each has a run with random numbers of its "
        "own; draw more of them by --runs");
  }
  if (points > Design::kMaxPoints / document.replications) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot make " + std::to_string(points) + " runs" +
            (document.replications > 1
                 ? ", each " + std::to_string(document.replications) + " times"
                 : "") +
            ": at most " + std::to_string(Design::kMaxPoints) +
            " are possible; take fewer values, or draw points by "
            "--design sobol");
  }
}

std::vector<TextValues> TextsOf(std::span<const Factor> factors) {
  std::vector<TextValues> texts;
  for (const Factor& factor : factors) {
    if (!factor.texts.empty()) {
      texts.push_back({.name = factor.name, .values = factor.texts});
    }
  }
  return texts;
}

// The setting that gives a varied quantity this value of a design.
ParameterText SettingOf(std::span<const Factor> factors,
                        const std::string& name,
                        double value) {
  const auto factor = std::ranges::find(factors, name, &Factor::name);
  const bool is_text = factor != factors.end() && !factor->texts.empty();
  return {.name = name,
          .value = is_text ? factor->texts.at(static_cast<std::size_t>(value))
                           : ShortestText(value)};
}

// Loads the model. Its own values of the varied quantities need not be
// possible.
std::shared_ptr<const Subject> LoadFor(const SweepDocument& document,
                                       std::span<const Factor> factors) {
  std::optional<Design> table;
  std::vector<std::string> names;
  if (!document.table.empty()) {
    CheckTable(document);
    table.emplace(ParseTable(document.run.files.Read(document.table)));
    names = table->names();
  }
  for (const Factor& factor : factors) {
    names.push_back(factor.name);
  }
  return internal::LoadVaried(document.run, names, [&] {
    const Design design = table ? *table : DesignOfFactors(document);
    std::vector<double> values(design.names().size());
    std::vector<ParameterText> settings;
    if (design.size() > 0) {
      design.Point(0, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        settings.push_back(SettingOf(factors, design.names()[i], values[i]));
      }
    }
    return settings;
  });
}

}  // namespace

RunSeries MakeSeries(const SweepDocument& document) {
  const std::vector<Factor> factors = FactorsOf(document);
  std::shared_ptr<const Subject> subject = LoadFor(document, factors);
  if (std::vector<TextValues> texts = TextsOf(factors); !texts.empty()) {
    subject = subject->WithTexts(std::move(texts));
  }
  const auto design =
      std::make_shared<const Design>(DesignOf(document, *subject));
  CheckReplications(document, design->size());
  CheckNotSet(document.run, design->names());
  for (const Factor& factor : factors) {
    if (subject->KindOfVaried(factor.name).is_whole) {
      CheckWhole(factor);
    }
  }
  return {subject,
          {.names = design->names(),
           .count = design->size() * document.replications,
           .replications = document.replications * design->draws(),
           .are_drawn = IsDrawn(document),
           .at =
               [design, replications = document.replications](
                   std::int64_t i, std::span<double> values) {
                 design->Point(i / replications, values);
               }},
          MeasuresOf(document, *subject, design->names()),
          document.run.seed,
          document.sensitivity == SensitivityMethod::kLocal};
}

std::string ToJson(const SweepDocument& document) {
  Json json = internal::AsJson(document.run);
  Json sweep = Json::object();
  internal::AddFields(document, kSweepFields, sweep);
  if (document.design) {
    sweep["design"] = NameOf(*document.design);
  }
  if (document.sensitivity) {
    sweep["sensitivity"] = NameOf(*document.sensitivity);
  }
  json["sweep"] = std::move(sweep);
  return internal::TextOf(json);
}

SweepDocument SweepDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    SweepDocument document{.run = internal::RunDocumentOf(json)};
    const Json& sweep = json.at("sweep");
    internal::TakeFields(sweep, kSweepFields, document);
    if (const auto design = sweep.find("design"); design != sweep.end()) {
      document.design = DesignKindOf(design->get<std::string>());
    }
    if (const auto method = sweep.find("sensitivity"); method != sweep.end()) {
      document.sensitivity = SensitivityMethodOf(method->get<std::string>());
    }
    return document;
  });
}

}  // namespace orrery
