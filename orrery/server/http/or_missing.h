#pragma once

#include "orrery/base/error.h"
#include "orrery/server/http/message.h"

namespace orrery::server {

/// Calls what looks for something that a request names: what cannot be found is
/// missing, not a wrong request.
/// @throws HttpError 404 for an Error kInvalidArgument; other errors as they
///     are.
template <typename Call>
auto OrMissing(const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInvalidArgument) {
      throw HttpError{.status = 404,
                      .code = "missing",
                      .message = error.what(),
                      .hint = ""};
    }
    throw;
  }
}

}  // namespace orrery::server
