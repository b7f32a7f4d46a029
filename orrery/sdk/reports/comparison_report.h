#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "orrery/store/store.h"

namespace orrery {

/// A value that two documents of experiments do not share.
struct RequestDifference {
  std::string name;       ///< The path of the member: "options stop".
  std::string json_of_a;  ///< The value in JSON; "null" for none.
  std::string json_of_b;
};

/// The differences of two documents of experiments, in JSON.
/// @throws Error kIo if one is no JSON: it was stored, and is damaged.
[[nodiscard]] std::vector<RequestDifference> RequestDifferences(
    const std::string& document_a, const std::string& document_b);

/// A value in JSON as words: a text without quotes, "-" for null.
[[nodiscard]] std::string WordsOfJson(const std::string& json);

/// A number in which two experiments differ.
struct NumberDifference {
  std::string name;
  std::optional<std::complex<double>> of_a;  ///< Without a value if it has no
                                             ///< such number.
  std::optional<std::complex<double>> of_b;
};

/// The largest distance between two signals, at the rows of both, and its time.
struct SignalDistance {
  double value = 0;
  double time = 0;
};

/// A number that differs; for signals also the place of the largest distance.
struct ResultDifference {
  NumberDifference number;
  std::optional<SignalDistance> most;
};

/// The contents of a report that compares two experiments.
struct ComparisonReport {
  ExperimentId a = 0;
  ExperimentId b = 0;
  std::vector<RequestDifference> requests;
  std::vector<std::string> changed_files;
  bool have_other_times = false;
  std::vector<ResultDifference> results;
};

/// The report of a comparison.
[[nodiscard]] std::string JsonReport(const ComparisonReport& report);

}  // namespace orrery
