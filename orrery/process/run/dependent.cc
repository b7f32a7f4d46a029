#include "orrery/process/run/dependent.h"

#include <cstdint>
#include <memory>

namespace orrery::process::internal {

Dependent::~Dependent() {
  Forget();
}

void Dependent::DependOn(const Reads& reads) {
  const auto lists = reads.lists();
  const auto size = static_cast<std::uint32_t>(lists.size());
  if (size > few_.size() + num_more_) {
    Keep(static_cast<std::uint32_t>(few_.size()));
    num_more_ = size - static_cast<std::uint32_t>(few_.size());
    more_ = std::make_unique<Link[]>(num_more_);
  }
  Keep(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    Link& link = LinkAt(i);
    if (link.list != lists[i]) {
      link.Remove();
      link.Insert(*this, *lists[i]);
    }
  }
  used_ = size;
}

}  // namespace orrery::process::internal
