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
  if (used_ == num_links()) {
    more_.push_back(std::make_unique<Link>());
  }
  Link& link = LinkAt(used_++);
  if (link.list != &list) {
    link.Remove();
    link.Insert(*this, list);
  }
}

void Dependent::EndReads() noexcept {
  for (std::size_t i = used_; i < num_links(); ++i) {
    LinkAt(i).Remove();
  }
}

void Dependent::Forget() noexcept {
  used_ = 0;
  EndReads();
}

}  // namespace orrery::process::internal
