#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/sdk/results.h"

namespace orrery::server {

/// An entry of a window of signals. Plain data.
struct SignalEntry {
  std::string name;                    ///< In full.
  const SignalInfo* signal = nullptr;  ///< Null for a component.
  std::size_t children = 0;            ///< Signals below it.
};

/// A part of a list of signals. Plain data.
struct SignalWindow {
  std::size_t total = 0;  ///< Entries of the whole list.
  std::vector<SignalEntry> entries;
};

/// The signals of a run as a tree by the parts of their names: `motor.w`,
/// `u[3]`. Immutable.
class SignalTree {
 public:
  explicit SignalTree(std::shared_ptr<const SignalTable> table);

  /// True if there is a signal of this name.
  [[nodiscard]] bool Contains(std::string_view name) const {
    return table_->Find(name).has_value();
  }

  /// Signals just below a component; empty: at the top. In the order of the
  /// model.
  [[nodiscard]] SignalWindow Under(std::string_view under,
                                   std::size_t offset,
                                   std::size_t limit) const;

  /// The signals below a component with a name that fits: by `*` and `?`, or
  /// else that has the text in it, in small letters or large ones.
  [[nodiscard]] SignalWindow Search(std::string_view under,
                                    std::string_view text,
                                    std::size_t offset,
                                    std::size_t limit) const;

 private:
  std::shared_ptr<const SignalTable> table_;
  std::vector<std::size_t> by_name_;  // Signals, sorted by name.
};

}  // namespace orrery::server
