#pragma once

namespace orrery::process::internal {

/// Sets a flag as long as this object lives.
class WhileTrue {
 public:
  explicit WhileTrue(bool& flag) noexcept : flag_(flag) { flag_ = true; }

  ~WhileTrue() { flag_ = false; }

  WhileTrue(const WhileTrue&) = delete;
  WhileTrue& operator=(const WhileTrue&) = delete;

 private:
  bool& flag_;
};

}  // namespace orrery::process::internal
