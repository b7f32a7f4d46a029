#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "orrery/server/files/descriptor.h"

namespace orrery::server {

/// Watches the files of a folder and of all folders in it, up to some thousands
/// of folders (inotify). Names that begin with a point are left alone.
class FolderWatch {
 public:
  /// A file below the folder, and what has happened to it: `changed`, `made` or
  /// `gone`. An empty path: so much has happened that all is to be read again.
  using Tell =
      std::function<void(const std::string& path, const std::string& what)>;

  /// @param tell called by a thread of the watch. Changes of one file within a
  ///     moment are told once; all are told within 200 ms after the first, also
  ///     while others go on.
  FolderWatch(std::string folder, Tell tell);
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

 private:
  void Run();
  void Add(const std::string& folder);
  void TakeEvents();

  std::string folder_;
  Tell tell_;
  Descriptor inotify_;
  Descriptor end_;
  std::map<int, std::string> watched_;       // The path below the folder.
  std::map<std::string, std::string> news_;  // Changes, by path.
  std::thread thread_;
};

}  // namespace orrery::server
