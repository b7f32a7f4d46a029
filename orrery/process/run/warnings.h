#pragma once

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::process::internal {

/// The warnings of a run, by their times, then in alphabetical order: some are
/// found late, when a cell is read.
class Warnings {
 public:
  void Add(Duration time, std::string text) {
    ++count_;
    kept_.emplace(time, std::move(text));
    if (kept_.size() > kMost) {
      kept_.erase(std::prev(kept_.end()));
    }
  }

  /// The first warnings; if there are more, the last text tells how many.
  [[nodiscard]] std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const auto& [time, text] : kept_) {
      texts.push_back(text);
    }
    if (count_ > kept_.size()) {
      texts.push_back(std::to_string(count_ - kept_.size()) +
                      " more warnings, of that time or later ones");
    }
    return texts;
  }

 private:
  static constexpr std::size_t kMost = 100;

  std::size_t count_ = 0;
  std::multiset<std::pair<Duration, std::string>> kept_;
};

}  // namespace orrery::process::internal
