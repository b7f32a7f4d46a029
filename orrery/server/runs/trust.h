#pragma once

#include <mutex>
#include <optional>
#include <string>

namespace orrery::server {

/// List of the folders that the user trusts: only their models may run external
/// functions, plug-ins and programs. The command `orrery trust` keeps the list.
/// Any thread may call the functions.
class Trust {
 public:
  /// @param command the path of `orrery`.
  /// @param folder a real path.
  Trust(std::string command, std::string folder)
      : command_(std::move(command)), folder_(std::move(folder)) {}

  /// True if the folder, or one that it is in, is in the list.
  [[nodiscard]] bool is_trusted() const;

  /// Adds the folder to the list, or removes it.
  /// @throws HttpError 409 that tells why it cannot be.
  void Set(bool is_trusted);

 private:
  [[nodiscard]] bool Ask() const;

  std::string command_;
  std::string folder_;
  mutable std::mutex mutex_;
  mutable std::optional<bool> known_;
};

}  // namespace orrery::server
