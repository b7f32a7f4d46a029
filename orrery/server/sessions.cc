#include "orrery/server/sessions.h"

#include <algorithm>
#include <cstddef>

#include "orrery/server/http/gate.h"

namespace orrery::server {

Sessions::Sessions() : session_(NewSecret()), key_(NewSecret()) {}

std::string Sessions::NewToken() {
  constexpr std::size_t kMost = 16;
  const std::lock_guard lock(mutex_);
  if (tokens_.size() == kMost) {
    tokens_.erase(tokens_.begin());
  }
  return tokens_.emplace_back(NewSecret());
}

bool Sessions::Take(std::string_view token) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(tokens_, [&](const auto& known) {
    return AreEqualSecrets(known, token);
  });
  if (found == tokens_.end()) {
    return false;
  }
  tokens_.erase(found);
  return true;
}

}  // namespace orrery::server
