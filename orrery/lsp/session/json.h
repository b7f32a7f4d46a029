#pragma once

#include <nlohmann/json.hpp>

namespace orrery::lsp {

using Json = nlohmann::ordered_json;

}  // namespace orrery::lsp
