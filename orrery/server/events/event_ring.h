#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace orrery::server {

/// An event for pages. Plain data.
struct Event {
  std::uint64_t id = 0;  ///< Counts up by 1.
  std::string type;      ///< One word: `run`.
  std::string data;      ///< JSON on one line.

  friend bool operator==(const Event&, const Event&) = default;
};

/// The last events, for those who join, or lost their connection for a moment.
/// Any thread may call any function.
class EventRing {
 public:
  /// Events that a listener has missed.
  struct Missed {
    std::vector<Event> events;  ///< In their order.
    bool has_gap = false;       ///< Earlier ones are gone.
  };

  static constexpr std::size_t kCapacity = 10'000;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

  /// @param last the number before that of its first event.
  explicit EventRing(std::size_t capacity = kCapacity,
                     std::size_t most_bytes = kMostBytes,
                     std::uint64_t last = 0)
      : capacity_(capacity), most_bytes_(most_bytes), newest_(last) {}

  /// Adds an event, and wakes who waits.
  void Publish(std::string type, std::string data);

  /// The number of the newest event.
  [[nodiscard]] std::uint64_t newest() const;

  /// The events after number `id`; waits for one until the time is over, or the
  /// ring is closed. An `id` that was never given, as one of an earlier server,
  /// has a gap.
  [[nodiscard]] Missed After(std::uint64_t id,
                             std::chrono::milliseconds longest) const;

  /// Ends all waiting, now and later.
  void Close();

  [[nodiscard]] bool is_closed() const;

 private:
  std::size_t capacity_;
  std::size_t most_bytes_;
  mutable std::mutex mutex_;  // Guards what follows.
  mutable std::condition_variable news_;
  std::deque<Event> events_;
  std::uint64_t newest_;
  std::size_t bytes_ = 0;
  bool is_closed_ = false;
};

/// An event in the form of a stream of server-sent events.
[[nodiscard]] std::string StreamText(const Event& event);

}  // namespace orrery::server
