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

  /// Describes the event that it logged with this number.
  virtual void Describe(std::size_t number, Record& record) const = 0;

  /// Saves its state for a snapshot, and restores it.
  [[nodiscard]] virtual std::shared_ptr<const void> Save() const = 0;
  virtual void Restore(const void* saved) = 0;

 protected:
  /// To be called when a run begins.
  void SetPath(std::string path) {
    path_ = std::make_unique<const std::string>(std::move(path));
  }

 private:
  // Allocated apart: it is seldom read, and the rest of a cell often.
  std::unique_ptr<const std::string> path_;
};

}  // namespace orrery::process::internal
