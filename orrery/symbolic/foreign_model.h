#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace orrery {

/// A model in one run, carried out by code of others, with values that no
/// formula shows. Belongs to one run.
class ForeignInstance {
 public:
  ForeignInstance() = default;
  ForeignInstance(const ForeignInstance&) = delete;
  ForeignInstance& operator=(const ForeignInstance&) = delete;
  virtual ~ForeignInstance() = default;

  /// What its code said when it ended the run, for the end of a message; empty
  /// if it has not, or said nothing.
  [[nodiscard]] virtual std::string EndWords() const { return {}; }

  /// A number by which the opaque functions of its model find it.
  [[nodiscard]] double handle() const noexcept {
    return static_cast<double>(reinterpret_cast<std::uintptr_t>(this));
  }

  /// The instance with this number.
  /// @returns null for 0.
  [[nodiscard]] static ForeignInstance* Of(double handle) noexcept {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): `handle` made the number.
    return reinterpret_cast<ForeignInstance*>(
        static_cast<std::uintptr_t>(handle));
  }
};

/// A model that code of others carries out. Immutable; shared by threads.
class ForeignModel {
 public:
  ForeignModel() = default;
  ForeignModel(const ForeignModel&) = delete;
  ForeignModel& operator=(const ForeignModel&) = delete;
  virtual ~ForeignModel() = default;

  /// For messages.
  [[nodiscard]] virtual const std::string& name() const = 0;

  /// True if it moves on in events of its own only, by its code: nothing tells
  /// from one time whether it is at rest.
  [[nodiscard]] virtual bool moves_in_steps() const noexcept { return false; }

  /// @throws Error if its code makes no instance.
  [[nodiscard]] virtual std::unique_ptr<ForeignInstance> MakeInstance()
      const = 0;
};

}  // namespace orrery
