#pragma once

#include <string>
#include <string_view>

namespace orrery::server {

/// Names that fit a text: by `*` and `?`, or else those that have the text in
/// them, in small letters or large ones.
class NameFilter {
 public:
  explicit NameFilter(std::string_view text);

  [[nodiscard]] bool Fits(std::string_view name) const;

 private:
  bool is_pattern_;
  std::string wanted_;  // In small letters if it is no pattern.
};

}  // namespace orrery::server
