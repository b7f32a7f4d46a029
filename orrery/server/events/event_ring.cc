#include "orrery/server/events/event_ring.h"

#include <utility>

#include <fmt/format.h>

namespace orrery::server {

void EventRing::Publish(std::string type, std::string data) {
  const std::lock_guard lock(mutex_);
  bytes_ += data.size();
  events_.push_back(
      {.id = ++newest_, .type = std::move(type), .data = std::move(data)});
  while (events_.size() > capacity_ ||
         (bytes_ > most_bytes_ && events_.size() > 1)) {
    bytes_ -= events_.front().data.size();
    events_.pop_front();
  }
  news_.notify_all();
}

std::uint64_t EventRing::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

EventRing::Missed EventRing::After(std::uint64_t id,
                                   std::chrono::milliseconds longest) const {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, longest, [&] { return newest_ != id || is_closed_; });
  Missed missed;
  const std::uint64_t oldest = newest_ - events_.size() + 1;
  if (id > newest_ || id + 1 < oldest) {
    missed.has_gap = true;
    return missed;
  }
  const auto first = static_cast<std::ptrdiff_t>(id + 1 - oldest);
  missed.events.assign(events_.begin() + first, events_.end());
  return missed;
}

void EventRing::Close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  news_.notify_all();
}

bool EventRing::is_closed() const {
  const std::lock_guard lock(mutex_);
  return is_closed_;
}

std::string StreamText(const Event& event) {
  return fmt::format(
      "id: {}\nevent: {}\ndata: {}\n\n", event.id, event.type, event.data);
}

}  // namespace orrery::server
