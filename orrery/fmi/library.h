#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "orrery/fmi/description.h"
#include "orrery/fmi/fmu.h"

namespace orrery::fmi {

/// The properties of an FMU for a kind of use.
/// @throws Error kInvalidArgument, with its kinds, if it is not made for that.
[[nodiscard]] const Interface& InterfaceFor(const Fmu& fmu, InterfaceKind kind);

/// True if models are only examined, and so code of FMUs is not run: if the
/// environment variable ORRERY_EXTERNAL is `describe`.
[[nodiscard]] bool OnlyDescribes();

/// The code of an FMU, loaded, with its files unpacked into a folder of its
/// own, which is deleted at the end. Several instances share it.
class Library {
 public:
  /// @throws Error kUnsupported if it has no code for this machine, its code
  ///     cannot be loaded, or code of others is not to be run
  ///     (ORRERY_EXTERNAL); kIo if it cannot be unpacked; kInvalidArgument if
  ///     it is not for this kind of use.
  Library(const Fmu& fmu, InterfaceKind kind);
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  [[nodiscard]] const Fmu& fmu() const noexcept { return fmu_; }

  [[nodiscard]] const Interface& interface() const noexcept {
    return *interface_;
  }

  /// The place of the folder `resources`: a URI in FMI 2.0, a path with a `/`
  /// at its end in FMI 3.0.
  [[nodiscard]] std::string ResourcePlace() const;

  /// Gives `function` its address.
  /// @throws Error kUnsupported if the code lacks it.
  template <typename Function>
  void Find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(Address(name));
  }

 private:
  friend class InstanceClaim;
  class Folder;

  [[nodiscard]] void* Address(const char* name) const;

  Fmu fmu_;
  const Interface* interface_;
  std::unique_ptr<Folder> folder_;
  std::string path_;  // In the archive, for messages.
  void* handle_ = nullptr;
  mutable std::atomic<int> num_instances_ = 0;  // As InstanceClaim counts them.
};

/// The right to have an instance of a library. It belongs to the instance, and
/// ends with it.
class InstanceClaim {
 public:
  /// @param library must outlive it.
  /// @throws Error kUnsupported for another instance of an FMU that allows only
  ///     one.
  explicit InstanceClaim(const Library& library);
  InstanceClaim(const InstanceClaim&) = delete;
  InstanceClaim& operator=(const InstanceClaim&) = delete;
  ~InstanceClaim();

 private:
  const Library& library_;
};

}  // namespace orrery::fmi
