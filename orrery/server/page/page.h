#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/server/http/message.h"

namespace orrery::server {

/// A file of the page, as it is built into the program. Plain data.
struct PageFile {
  std::string_view path;   ///< Below the page: `assets/index-1a2b.js`.
  std::string_view bytes;  ///< Packed by gzip.
};

/// The files that are built in; none if the page was not built.
[[nodiscard]] std::span<const PageFile> BuiltInPage();

/// Answers requests for the page.
class Page {
 public:
  /// @param folder of another build of the page; empty for the one built in.
  explicit Page(std::string folder) : folder_(std::move(folder)) {}

  /// The page itself: its policy lets it load from this server only, and take
  /// styles with the random word that replaces `__NONCE__` in it. Without a
  /// build, a page that says how to make one.
  [[nodiscard]] Response Index(const Request& request) const;

  /// A file of the page: `assets`, ...
  /// @throws HttpError 404
  [[nodiscard]] Response Asset(const Request& request,
                               const std::vector<std::string>& path) const;

  /// A file beside the page itself.
  /// @throws HttpError 404
  [[nodiscard]] Response RootFile(const Request& request,
                                  const std::string& name) const {
    return FileAt(request, name);
  }

 private:
  [[nodiscard]] Response FileAt(const Request& request,
                                const std::string& path) const;

  std::string folder_;
};

/// The type of a file by the end of its name.
[[nodiscard]] std::string TypeOf(std::string_view path);

/// Rule of what a page with this random word may load, run and connect to: the
/// value of `Content-Security-Policy`.
[[nodiscard]] std::string PolicyWith(std::string_view nonce);

}  // namespace orrery::server
