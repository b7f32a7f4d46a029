#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/sdk/run_document.h"

namespace orrery::internal {

/// Keys keep their order.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json AsJson(const RunDocument& document);

/// @throws Error kUnsupported for a document of a newer Orrery; what Json
///     throws.
[[nodiscard]] RunDocument RunDocumentOf(const Json& json);

/// What `read` makes of the JSON in `text`.
/// @throws Error kInvalidArgument for a text that is no document.
template <typename Read>
auto ReadDocument(const std::string& text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot read the document of an experiment: ") +
                    error.what());
  }
}

}  // namespace orrery::internal
