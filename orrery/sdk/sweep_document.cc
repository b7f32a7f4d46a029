#include "orrery/sdk/sweep_document.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/results/csv.h"
#include "orrery/sdk/internal/run_document_json.h"

namespace orrery {
namespace {

using internal::Json;

// More are not kept unless somebody asks for them.
constexpr std::size_t kMostKeptByDefault = 12;

DesignKind KindOf(const SweepDocument& document,
                  std::span<const Factor> factors) {
  const bool has_values_only =
      std::ranges::all_of(factors, [](const Factor& factor) {
        return std::holds_alternative<std::vector<double>>(factor.range);
      });
  return document.design.value_or(has_values_only ? DesignKind::kGrid
                                                  : DesignKind::kRandom);
}

bool IsConstant(const SignalInfo& signal) {
  return signal.variability == SignalVariability::kConstant;
}

}  // namespace

bool IsDrawn(const SweepDocument& document) {
  if (!document.table.empty()) {
    return false;
  }
  const DesignKind kind =
      KindOf(document, ParseFactors("--vary", document.vary));
  return kind != DesignKind::kGrid && kind != DesignKind::kList;
}

Design DesignOf(const SweepDocument& document) {
  if (!document.table.empty()) {
    if (!document.vary.empty() || document.design) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot take --points beside --vary and --design: the rows "
                  "of the file are the points; leave one out");
    }
    return Design(ParseTable(ReadFile(document.run, document.table)));
  }
  if (document.vary.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot sweep: nothing varies; say what by --vary, as in "
                "--vary 'k=1:0.5:10', or give the --points");
  }
  const std::vector<Factor> factors = ParseFactors("--vary", document.vary);
  DesignOptions options{
      .kind = KindOf(document, factors),
      .seed = document.run.seed,
      .is_shifted = document.is_shifted,
      .correlations = ParseCorrelations("--correlate", document.correlate)};
  options.points = IsDrawn(document) ? document.points : 0;
  return {factors, options};
}

std::vector<std::string> MeasuresOf(const SweepDocument& document,
                                    const Subject& subject) {
  if (!document.keep.empty()) {
    return document.keep;
  }
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

RunSeries MakeSeries(const SweepDocument& document) {
  const auto design = std::make_shared<const Design>(DesignOf(document));
  const std::shared_ptr<const Subject> subject = LoadSubject(document.run);
  return {subject,
          {.names = design->names(),
           .count = design->size(),
           .at =
               [design](std::int64_t i, std::span<double> values) {
                 design->Point(i, values);
               }},
          MeasuresOf(document, *subject),
          document.run.seed};
}

std::vector<std::string> FilesOf(const SweepDocument& document) {
  std::vector<std::string> files = FilesOf(document.run);
  if (!document.table.empty()) {
    files.push_back(document.table);
  }
  return files;
}

std::string ToJson(const SweepDocument& document) {
  Json json = internal::AsJson(document.run);
  Json sweep = Json::object();
  const auto add = [&](const char* name, const auto& value) {
    if (!value.empty()) {
      sweep[name] = value;
    }
  };
  add("vary", document.vary);
  add("keep", document.keep);
  if (document.design) {
    sweep["design"] = NameOf(*document.design);
  }
  sweep["points"] = document.points;
  sweep["shifted"] = document.is_shifted;
  add("correlate", document.correlate);
  add("table", document.table);
  json["sweep"] = std::move(sweep);
  return json.dump();
}

SweepDocument SweepDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    SweepDocument document{.run = internal::RunDocumentOf(json)};
    const Json& sweep = json.at("sweep");
    const auto take = [&](const char* name, auto& value) {
      if (const auto found = sweep.find(name); found != sweep.end()) {
        found->get_to(value);
      }
    };
    take("vary", document.vary);
    take("keep", document.keep);
    if (const auto design = sweep.find("design"); design != sweep.end()) {
      document.design = DesignKindOf(design->get<std::string>());
    }
    take("points", document.points);
    take("shifted", document.is_shifted);
    take("correlate", document.correlate);
    take("table", document.table);
    return document;
  });
}

}  // namespace orrery
