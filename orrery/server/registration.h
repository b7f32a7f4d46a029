#pragma once

#include <optional>
#include <string>

#include "orrery/server/files/descriptor.h"

namespace orrery::server {

/// Where a studio is, and what opens it. Plain data.
struct StudioPlace {
  std::string address;
  int port = 0;
  std::string key;
};

/// The place of the only studio of a folder, in a file that only its user can
/// read.
class Registration {
 public:
  /// Tries to be the studio of a folder.
  /// @param runtime the user's folder for what is forgotten at the end.
  /// @param folder a real path.
  /// @throws Error kIo if the file cannot be made.
  Registration(const std::string& runtime, const std::string& folder);

  /// True if no other process is.
  [[nodiscard]] bool is_ours() const noexcept { return is_ours_; }

  /// The place of the other one; nothing while it starts.
  [[nodiscard]] std::optional<StudioPlace> Other() const;

  /// Tells others our place.
  void Announce(const StudioPlace& place) const;

  /// The file, in a folder for the user alone.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  Descriptor file_;  // With a lock that ends with it.
  bool is_ours_ = false;
};

/// The user's folder for what is forgotten when he leaves: `given` or, if it is
/// empty, one in /tmp.
/// @throws Error kIo if it is not the user's alone.
[[nodiscard]] std::string RuntimeFolder(const std::string& given);

}  // namespace orrery::server
