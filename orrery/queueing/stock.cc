#include "orrery/queueing/stock.h"

namespace orrery::queueing::internal {

StockStatistics Stock::statistics() const {
  const Duration at = now_or_last();
  return {.puts = puts_.waits_ns.count(),
          .gets = gets_.waits_ns.count(),
          .level = AverageOf(level_over_time_, at),
          .puts_waiting = AverageOf(puts_.length_over_time, at),
          .gets_waiting = AverageOf(gets_.length_over_time, at),
          .put_wait_s = SummaryInSeconds(puts_.waits_ns),
          .get_wait_s = SummaryInSeconds(gets_.waits_ns)};
}

void Stock::ResetStatistics() noexcept {
  const Duration at = now_or_last();
  level_over_time_.Reset(at);
  for (Side* side : {&puts_, &gets_}) {
    side->length_over_time.Reset(at);
    side->waits_ns.Reset();
  }
}

void Stock::BeginAt(double level) noexcept {
  level_over_time_ = TimeWeighted(level);
  puts_ = Side();
  gets_ = Side();
}

}  // namespace orrery::queueing::internal
