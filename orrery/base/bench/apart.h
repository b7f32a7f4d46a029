#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <type_traits>

namespace orrery {

/// The result of a measurement in a separate process.
template <typename T>
struct Apart {
  T value{};
  double peak_megabytes = 0;  ///< Memory of the measurement.
};

/// Calls `measure` in a separate process, with memory as fresh as that of a
/// command. The result is copied as bytes. Returns nothing if the process
/// fails.
template <typename Callable, typename T = std::invoke_result_t<Callable>>
[[nodiscard]] std::optional<Apart<T>> MeasureApart(Callable measure) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024e-6;
  };
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return std::nullopt;
  }
  const pid_t child = fork();
  if (child == 0) {
    const double before = peak();
    Apart<T> result{.value = measure()};
    result.peak_megabytes = peak() - before;
    const bool is_sent =
        write(ends[1], &result, sizeof result) == sizeof result;
    _exit(is_sent ? 0 : 1);
  }
  close(ends[1]);
  Apart<T> result;
  const bool is_read =
      child > 0 && read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return is_read ? std::optional(result) : std::nullopt;
}

}  // namespace orrery
