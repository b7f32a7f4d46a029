#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/values/record.h"

namespace orrery::process::internal {

/// A cell or a topic, as the origin of events.
class EventSource {
 public:
  EventSource() = default;
  virtual ~EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return *path_; }

  /// What the event was that it logged with this number.
  virtual void Describe(std::size_t number, Record& record) const = 0;

  /// What a snapshot keeps of it.
  [[nodiscard]] virtual std::shared_ptr<const void> Save() const = 0;
  virtual void Restore(const void* saved) = 0;

 protected:
  /// When a run begins.
  void SetPath(std::string path) {
    path_ = std::make_unique<const std::string>(std::move(path));
  }

 private:
  // Apart: it is seldom looked at, and what cells are made of is often.
  std::unique_ptr<const std::string> path_;
};

}  // namespace orrery::process::internal
