#pragma once

#include <string>
#include <string_view>

namespace orrery::process {

class Model;

namespace internal {
class Run;
class RunMembers;
}  // namespace internal

/// A member of a model's class that the run knows: a cell, topic, resource or
/// facility.
class Member {
 public:
  virtual ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] const Model& owner() const noexcept { return *owner_; }

  /// Its full name, as "rover.battery".
  [[nodiscard]] std::string Path() const;

 protected:
  /// @throws Error kInvalidModel if the owner has a part or member of this
  ///     name, the name is empty or has a dot, or the owner is in a run.
  Member(Model* owner, std::string_view name);
  /// @throws Error kInvalidArgument always: the member is in no run.
  [[noreturn]] void RefuseOutside(std::string_view purpose) const;

 private:
  friend class internal::RunMembers;

  /// A run begins (Bind), or is over (Unbind).
  virtual void Bind(internal::Run& run) = 0;
  virtual void Unbind() noexcept = 0;

  Model* owner_;
  std::string name_;
};

}  // namespace orrery::process
