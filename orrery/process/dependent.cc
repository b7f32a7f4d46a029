#include "orrery/process/internal/dependent.h"

#include <algorithm>

namespace orrery::process::internal {

Dependent::~Dependent() {
  Forget();
}

void Dependent::DependOn(Link*& list, std::optional<Duration> expiry) {
  if (expiry) {
    expiry_ = expiry_ ? std::min(*expiry_, *expiry) : *expiry;
  }
  for (std::size_t i = 0; i < used_; ++i) {
    if (LinkAt(i).list == &list) {
      return;
    }
  }
  if (used_ == few_.size() + more_.size()) {
    more_.push_back(std::make_unique<Link>());
  }
  Link& link = LinkAt(used_++);
  linked_ = std::max(linked_, used_);
  if (link.list != &list) {
    link.Remove();
    link.Insert(*this, list);
  }
}

void Dependent::EndReads() noexcept {
  for (; linked_ > used_; --linked_) {
    LinkAt(linked_ - 1).Remove();
  }
}

void Dependent::Forget() noexcept {
  used_ = 0;
  EndReads();
}

}  // namespace orrery::process::internal
