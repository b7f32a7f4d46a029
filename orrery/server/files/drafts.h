#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::server {

/// An unsaved text of a file. Plain data.
struct Draft {
  std::string path;  ///< The file's, below the folder of the studio.
  std::string base;  ///< The `etag` of the text that was changed.
  std::string text;
};

/// Unsaved texts, kept apart from the files until they are saved or given up:
/// they outlive the page, the browser and the studio. Any thread may call the
/// functions; each draft is written as a whole.
class Drafts {
 public:
  /// @param state the user's folder for what programs remember.
  /// @param folder the real path of the folder of the studio.
  Drafts(const std::string& state, const std::string& folder);

  /// @throws HttpError 507 if it cannot be written.
  void Keep(const Draft& draft) const;

  /// Forgets a draft, if there is one.
  void Drop(const std::string& path) const;

  /// All drafts, by the name of the file.
  [[nodiscard]] std::vector<Draft> All() const;

 private:
  [[nodiscard]] std::string PlaceOf(std::string_view path) const;

  std::string place_;
};

}  // namespace orrery::server
