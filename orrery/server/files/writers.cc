#include "orrery/server/files/writers.h"

namespace orrery::server {

Writers::Writer Writers::Ask(const std::string& path,
                             const std::string& page,
                             bool takes) {
  const std::lock_guard lock(mutex_);
  Writer& writer = writers_[path];
  if (writer.page.empty()) {
    writer.page = page;
  } else if (takes) {
    writer.leaving = writer.page == page ? "" : writer.page;
    writer.page = page;
  }
  return writer;
}

Writers::Writer Writers::Leave(const std::string& path,
                               const std::string& page) {
  const std::lock_guard lock(mutex_);
  const auto found = writers_.find(path);
  if (found == writers_.end()) {
    return {};
  }
  Writer& writer = found->second;
  if (writer.page == page) {
    writers_.erase(found);
    return {};
  }
  if (writer.leaving == page) {
    writer.leaving.clear();
  }
  return writer;
}

bool Writers::MayKeep(const std::string& path, const std::string& page) const {
  const std::lock_guard lock(mutex_);
  const auto found = writers_.find(path);
  return found == writers_.end() || found->second.page == page ||
         found->second.leaving == page;
}

}  // namespace orrery::server
