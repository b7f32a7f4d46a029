#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/numbers/random.h"
#include "orrery/base/system/executor.h"
#include "orrery/base/time.h"
#include "orrery/process/model/model.h"
#include "orrery/process/simulator.h"
#include "orrery/process/types/options.h"

namespace orrery::queueing {

/// Runs to be made of one model. Plain data.
struct Replications {
  std::int64_t count = 10;
  /// The end of each run; Duration::max(): until nothing is due.
  Duration until = Duration::max();
  /// With the seed of the first run; the others have their ReplicationSeed.
  process::Options options = {};
};

namespace internal {

/// @throws Error kInvalidArgument for a negative count.
void CheckReplications(const Replications& replications);

template <typename Make, typename Measure>
auto RunOnce(const Replications& replications,
             std::size_t number,
             const Make& make,
             const Measure& measure) {
  auto model = make();
  process::Options options = replications.options;
  options.seed =
      ReplicationSeed(options.seed, static_cast<std::int64_t>(number));
  process::Simulator run(*model, options);
  run.RunUntil(replications.until);
  return measure(*model, run);
}

}  // namespace internal

/// The results of `measure(model, run)` for several runs, in their order. Runs
/// may take place concurrently.
///
///     const auto waits = Replicate(
///         {.count = 20, .until = 24h}, threads,
///         [] { return std::make_unique<Bank>(); },
///         [](const Bank& bank, const process::Simulator&) {
///           return bank.tellers.statistics().wait_s.mean;
///         });
///     const Estimate wait = EstimateMean(waits);
///
/// @param make returns an owning pointer to a new model; like `measure`, it may
///     be called by several threads at once.
/// @throws Error kInvalidArgument for a negative count; and exceptions of
///     `make`, `measure` or a run: of the first run that fails, after all are
///     over.
template <std::invocable Make, typename Measure>
auto Replicate(const Replications& replications,
               Executor& executor,
               const Make& make,
               const Measure& measure) {
  using Result = decltype(internal::RunOnce(replications, 0, make, measure));
  internal::CheckReplications(replications);
  const auto count = static_cast<std::size_t>(replications.count);
  std::vector<std::optional<Result>> results(count);
  executor.ForEachThatMayThrow(count, [&](std::size_t i) {
    results[i] = internal::RunOnce(replications, i, make, measure);
  });
  std::vector<Result> given;
  given.reserve(count);
  for (std::optional<Result>& result : results) {
    given.push_back(std::move(*result));
  }
  return given;
}

/// The same, one run after the other.
template <std::invocable Make, typename Measure>
auto Replicate(const Replications& replications,
               const Make& make,
               const Measure& measure) {
  using Result = decltype(internal::RunOnce(replications, 0, make, measure));
  internal::CheckReplications(replications);
  std::vector<Result> given;
  for (std::int64_t i = 0; i < replications.count; ++i) {
    given.push_back(internal::RunOnce(
        replications, static_cast<std::size_t>(i), make, measure));
  }
  return given;
}

}  // namespace orrery::queueing
