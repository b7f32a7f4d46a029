#include "orrery/cli/saving/kept_trace.h"

#include <vector>

namespace orrery::cli {
namespace {

constexpr std::size_t kPartBytes = std::size_t{4} << 20U;

}  // namespace

void KeptTrace::Add(std::string_view lines) {
  if (!is_kept_) {
    return;
  }
  is_cut_ = is_cut_ || indexer_.size() + lines.size() > kMostBytes;
  if (is_cut_) {
    return;
  }
  indexer_.Add(lines);
  text_ += lines;
  if (saved_ != nullptr && text_.size() >= kPartBytes) {
    Store();
  }
}

void KeptTrace::KeepWith(SavedExperiment& saved) {
  is_kept_ = saved.is_saved();
  if (is_kept_) {
    saved_ = &saved;
  }
}

void KeptTrace::Store() {
  saved_->store().AppendAttachment(
      saved_->id(), kTraceAttachment, "text/csv", text_);
  text_.clear();
}

void KeptTrace::Finish(const devs::Coupled& root) {
  if (saved_ == nullptr) {
    return;
  }
  Store();
  TraceIndex index = indexer_.Index();
  index.is_cut = is_cut_;
  index.links = LinksOf(root);
  saved_->store().Attach(
      saved_->id(), kTraceIndexAttachment, "application/json", ToJson(index));
}

}  // namespace orrery::cli
