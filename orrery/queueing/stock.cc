#include "orrery/queueing/stock.h"

namespace orrery::queueing::internal {

StockStatistics Stock::statistics() const {
  const Duration at = now_or_last();
  const auto& [puts, gets, level_over_time] = state_;
  return Observe(
      StockStatistics{.puts = puts.waits_ns.count(),
                      .gets = gets.waits_ns.count(),
                      .level = AverageOf(level_over_time, at),
                      .puts_waiting = AverageOf(puts.length_over_time, at),
                      .gets_waiting = AverageOf(gets.length_over_time, at),
                      .put_wait_s = SummaryInSeconds(puts.waits_ns),
                      .get_wait_s = SummaryInSeconds(gets.waits_ns)});
}

void Stock::ResetStatistics() noexcept {
  const Duration at = now_or_last();
  state_.level_over_time.Reset(at);
  for (Side* side : {&state_.puts, &state_.gets}) {
    side->length_over_time.Reset(at);
    side->waits_ns.Reset();
  }
}

void Stock::BeginAt(double level) noexcept {
  state_ = {.puts = {}, .gets = {}, .level_over_time = TimeWeighted(level)};
}

}  // namespace orrery::queueing::internal
