#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/devs/modeling/bag.h"

namespace orrery::devs::internal {

/// Messages from outside on their way to the outermost model, by their times,
/// then in the order in which they came. A copy is a snapshot.
class Injections {
 public:
  using Send = std::function<void(Bag&)>;

  void Add(std::int64_t time, Send send) {
    waiting_.push(
        {.time = time, .number = num_added_++, .send = std::move(send)});
  }

  /// The time of the next message; EventList::kNever if there is none.
  [[nodiscard]] std::int64_t NextTime() const {
    return waiting_.empty() ? EventList::kNever : waiting_.top().time;
  }

  /// Sends all messages of a time into a bag.
  void SendAll(std::int64_t time, Bag& y) {
    while (NextTime() == time) {
      waiting_.top().send(y);
      waiting_.pop();
    }
  }

 private:
  struct Injection {
    std::int64_t time;
    std::uint64_t number;
    Send send;

    friend bool operator>(const Injection& a, const Injection& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::priority_queue<Injection, std::vector<Injection>, std::greater<>>
      waiting_;
  std::uint64_t num_added_ = 0;
};

}  // namespace orrery::devs::internal
