#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::server {

/// Who may use a studio. A token is good for one exchange against the cookie,
/// which holds as long as the studio runs. Any thread may call the functions.
class Sessions {
 public:
  Sessions();

  /// The value of the cookie.
  [[nodiscard]] const std::string& session() const noexcept { return session_; }

  /// Secret by which another program of this user, who may read the file of
  /// a studio, gets a token.
  [[nodiscard]] const std::string& key() const noexcept { return key_; }

  [[nodiscard]] std::string NewToken();

  /// Takes a token, which is void after that.
  /// @returns false if there is none like it.
  [[nodiscard]] bool Take(std::string_view token);

 private:
  std::string session_;
  std::string key_;
  std::mutex mutex_;
  std::vector<std::string> tokens_;  // The oldest first.
};

}  // namespace orrery::server
