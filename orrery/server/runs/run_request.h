#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::server {

/// A command to carry out. Plain data.
struct RunWords {
  std::vector<std::string> words;  ///< `run`, `a.mo`, `--set=k=4`, ...

  /// Files of the folder that it reads, which must be there.
  std::vector<std::string> files;

  /// The model is code: a plug-in, an FMU, a system of them, or a program.
  bool is_code = false;

  /// The stored experiment that is run again: its record tells the model, and
  /// whether that is code.
  std::optional<std::int64_t> experiment = {};
};

/// Reads what a page asks for, an object
///
///     {"command":"run", "file":"a.mo", "class":"M", "set":{"k":"4"},
///      "options":{"stop":"10 s"}, "vary":["k=1:0.5:5"], "keep":["max(w)"],
///      "watch":["w"]}
///
/// and makes the words of the command line of it. Commands and options are
/// those of a list: none that writes a file, opens a connection, or runs code
/// that nobody trusts. Texts of the page are values of options, never options.
/// @throws HttpError 400 that names what is not allowed.
[[nodiscard]] RunWords ParseRunRequest(const std::string& text);

/// Line of JSON for a run that goes on, from the request of a page:
/// `{"do":"pause"}`, `{"do":"resume"}`, `{"do":"stop"}`,
/// `{"do":"set","set":{"k":2}}`.
/// @throws HttpError 400 for another request.
[[nodiscard]] std::string ParseRunAction(const std::string& text);

}  // namespace orrery::server
