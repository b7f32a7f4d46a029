#pragma once

#include <map>
#include <mutex>
#include <string>

namespace orrery::server {

/// Which page edits a file. A file is edited in one page at a time, of whatever
/// browser; others follow it, and may take it over. The page that loses it is
/// leaving until it has said that all it knows has been kept. Any thread may
/// call any function.
class Writers {
 public:
  /// Who edits a file. Plain data.
  struct Writer {
    std::string page;     ///< Empty if nobody does.
    std::string leaving;  ///< Who did, and has not left yet; mostly empty.

    friend bool operator==(const Writer&, const Writer&) = default;
  };

  /// `page` wants to edit the file: it may if nobody else does, or if it takes
  /// it. A page that takes what it has already no longer waits for who is
  /// leaving.
  Writer Ask(const std::string& path, const std::string& page, bool takes);

  /// `page` has kept all that it knows of the file, and edits it no more.
  Writer Leave(const std::string& path, const std::string& page);

  /// Tells whether `page` may still give the unsaved text.
  [[nodiscard]] bool MayKeep(const std::string& path,
                             const std::string& page) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Writer> writers_;
};

}  // namespace orrery::server
