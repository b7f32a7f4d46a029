#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

/// The results of one benchmark program, as `scripts/bench` reads them: one
/// JSON object a line on standard output, nothing else there.
///
///     {"benchmark":"compile","case":"1000 masses","ours":1.2,"limit":1.1,
///      "unit":"us/equation","ratio":1.09,"checked":true}      (on one line)
class BenchReport {
 public:
  explicit BenchReport(std::string benchmark)
      : benchmark_(std::move(benchmark)) {}

  /// Prints one result.
  /// @param ours the measurement, in `unit`.
  /// @param limit the bound or the peer's result, measured with it; without a
  ///     value if there is nothing to compare with.
  /// @param checked true if the measured code gave the right answer.
  void Add(std::string_view name,
           double ours,
           std::optional<double> limit,
           std::string_view unit,
           bool checked) {
    std::puts(Line(name, ours, limit, unit, checked).c_str());
    std::fflush(stdout);
    all_checked_ = all_checked_ && checked;
  }

  /// The line that Add() prints.
  [[nodiscard]] std::string Line(std::string_view name,
                                 double ours,
                                 std::optional<double> limit,
                                 std::string_view unit,
                                 bool checked) const {
    const std::optional<double> ratio =
        limit ? std::optional<double>(ours / *limit) : std::nullopt;
    return "{\"benchmark\":" + Quoted(benchmark_) +
           ",\"case\":" + Quoted(name) + ",\"ours\":" + Number(ours) +
           ",\"limit\":" + Number(limit) + ",\"unit\":" + Quoted(unit) +
           ",\"ratio\":" + Number(ratio) +
           ",\"checked\":" + (checked ? "true" : "false") + "}";
  }

  /// The exit code of `main`: 1 if an answer was wrong.
  [[nodiscard]] int ExitCode() const noexcept { return all_checked_ ? 0 : 1; }

 private:
  // JSON has no infinity and no NaN.
  [[nodiscard]] static std::string Number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) {
      return "null";
    }
    char text[32];
    const auto end = std::to_chars(std::begin(text), std::end(text), *value);
    return {std::begin(text), end.ptr};
  }

  [[nodiscard]] static std::string Quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        result += '\\';
      }
      result += c;
    }
    return result + '"';
  }

  std::string benchmark_;
  bool all_checked_ = true;
};

/// True if the program only has to show that it runs, on tiny sizes.
[[nodiscard]] inline bool IsSmokeRun(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* argument) {
    return std::string_view(argument) == "--smoke";
  });
}

/// The body of `main` of a benchmark that may throw.
/// @param run receives true for a smoke run, and returns the exit code.
/// @returns the exit code, or 1 after an exception, whose message goes to
///     standard error.
template <typename Callable>
[[nodiscard]] int RunBench(int argc, char** argv, Callable run) {
  try {
    return run(IsSmokeRun(argc, argv));
  } catch (const std::exception& error) {
    std::fputs((std::string(error.what()) + '\n').c_str(), stderr);
    return 1;
  }
}

/// The wall-clock time of a call of `run`, in seconds.
template <typename Callable>
[[nodiscard]] double SecondsOf(Callable&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

/// The median of `seconds`, which must not be empty.
[[nodiscard]] inline double MedianOf(std::vector<double> seconds) {
  const auto middle =
      seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// The median wall-clock time of `repeats` (>= 1) calls of `run`, after one
/// call that is not counted. In seconds.
template <typename Callable>
[[nodiscard]] double MedianSeconds(Callable run, int repeats) {
  run();
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(repeats));
  for (int i = 0; i < repeats; ++i) {
    seconds.push_back(SecondsOf(run));
  }
  return MedianOf(std::move(seconds));
}

/// A measurement and the one that it is compared with, in seconds.
struct SideBySide {
  double ours = 0;
  double limit = 0;
};

/// MedianSeconds() of both, called alternately, so that other work of the
/// machine affects both alike.
template <typename Ours, typename Limit>
[[nodiscard]] SideBySide MedianSecondsOfBoth(Ours ours,
                                             Limit limit,
                                             int repeats) {
  ours();
  limit();
  std::vector<double> seconds;
  std::vector<double> limit_seconds;
  for (int i = 0; i < repeats; ++i) {
    seconds.push_back(SecondsOf(ours));
    limit_seconds.push_back(SecondsOf(limit));
  }
  return {MedianOf(std::move(seconds)), MedianOf(std::move(limit_seconds))};
}

}  // namespace orrery
