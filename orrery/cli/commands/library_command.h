#pragma once

namespace orrery::cli {

/// Lists the libraries that models find, with their versions and files.
int Libraries(bool as_json);

}  // namespace orrery::cli
