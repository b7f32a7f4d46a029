#include "orrery/sdk/reports/comparison_report.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/sdk/json/json_values.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;
using internal::NumberOrNull;
using internal::ParsePrinted;
using internal::Print;
using internal::PrintOnALine;

namespace {

// Adds the differences between two documents, by the path of the member.
void AddDifferences(const Json& a,
                    const Json& b,
                    const std::string& path,
                    std::vector<RequestDifference>& differences) {
  if (a == b) {
    return;
  }
  if ((a.is_object() || a.is_null()) && (b.is_object() || b.is_null())) {
    Json both = a.is_null() ? Json::object() : a;
    both.update(b.is_null() ? Json::object() : b);
    for (const auto& [name, value] : both.items()) {
      AddDifferences(a.contains(name) ? a[name] : Json(),
                     b.contains(name) ? b[name] : Json(),
                     path.empty() ? name : fmt::format("{} {}", path, name),
                     differences);
    }
    return;
  }
  differences.push_back({.name = path,
                         .json_of_a = PrintOnALine(a),
                         .json_of_b = PrintOnALine(b)});
}

// Writes a complex number as its real and its imaginary part.
Json NumberAsJson(const std::optional<std::complex<double>>& number) {
  if (!number) {
    return nullptr;
  }
  return number->imag() == 0
             ? NumberOrNull(number->real())
             : Json({{"re", number->real()}, {"im", number->imag()}});
}

Json DifferenceAsJson(const ResultDifference& difference) {
  const auto& [number, most] = difference;
  Json json = {
      {"name", number.name},
      {"values", {NumberAsJson(number.of_a), NumberAsJson(number.of_b)}}};
  if (most) {
    json["at_most"] = NumberOrNull(most->value);
    json["at"] = most->time;
  }
  return json;
}

}  // namespace

std::vector<RequestDifference> RequestDifferences(
    const std::string& document_a, const std::string& document_b) {
  std::vector<RequestDifference> differences;
  AddDifferences(
      ParsePrinted(document_a), ParsePrinted(document_b), "", differences);
  return differences;
}

std::string WordsOfJson(const std::string& json) {
  const Json value = ParsePrinted(json);
  if (value.is_null()) {
    return "-";
  }
  return value.is_string() ? value.get<std::string>() : json;
}

std::string JsonReport(const ComparisonReport& report) {
  Json requests = Json::array();
  for (const RequestDifference& request : report.requests) {
    requests.push_back({{"name", request.name},
                        {"values",
                         Json::array({ParsePrinted(request.json_of_a),
                                      ParsePrinted(request.json_of_b)})}});
  }
  Json results = Json::array();
  for (const ResultDifference& difference : report.results) {
    results.push_back(DifferenceAsJson(difference));
  }
  return Print({{"experiments", {report.a, report.b}},
                {"asked", std::move(requests)},
                {"changed_files", report.changed_files},
                {"times_differ", report.have_other_times},
                {"results", std::move(results)}});
}

}  // namespace orrery
