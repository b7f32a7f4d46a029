#include "orrery/process/run/run_members.h"

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/process/model/member.h"
#include "orrery/process/model/model.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/model/stateful.h"
#include "orrery/process/run/event_source.h"

namespace orrery::process::internal {

namespace {

// The models below `root`, owners before their parts.
template <typename F>
void ForEachModel(Model& root, const std::vector<Model*> Model::*parts, F f) {
  std::vector<Model*> left = {&root};
  while (!left.empty()) {
    Model& model = *left.back();
    left.pop_back();
    f(model);
    const std::vector<Model*>& below = model.*parts;
    left.insert(left.end(), below.rbegin(), below.rend());
  }
}

}  // namespace

RunMembers::RunMembers(Model& root) : root_(root) {
  ForEachModel(root, &Model::parts_, [](Model& model) {
    if (model.run_ != nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot run model '" + model.Path() +
                      "': it is in another run; make another model of its "
                      "class");
    }
  });
}

void RunMembers::Bind(Run& run) {
  ForEachModel(root_, &Model::parts_, [&run](Model& model) {
    model.run_ = &run;
    model.path_key_ = StableHash(model.Path());
    for (Member* member : model.members_) {
      member->Bind(run);
    }
  });
}

void RunMembers::Unbind() {
  ForEachModel(root_, &Model::parts_, [](Model& model) {
    model.run_ = nullptr;
    for (Member* member : model.members_) {
      member->Unbind();
    }
  });
}

void RunMembers::Start() {
  ForEachModel(root_, &Model::parts_, [](Model& model) { model.Start(); });
}

RunMembers::Saved RunMembers::Save() const {
  Saved saved;
  for (const EventSource* source : sources_) {
    saved.sources.push_back(source->Save());
  }
  for (const Stateful* member : members_) {
    saved.members.push_back(member->Save());
    if (saved.members.back() == nullptr) {
      throw Error(ErrorCode::kUnsupported,
                  "cannot save the run: what '" + member->Path() +
                      "' holds cannot be copied; let it hold values");
    }
  }
  return saved;
}

void RunMembers::RestoreSources(const Saved& saved) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    sources_[i]->Restore(saved.sources[i].get());
  }
}

void RunMembers::ResetMembers() {
  for (Stateful* member : members_) {
    member->Reset();
  }
}

void RunMembers::RestoreMembers(const Saved& saved) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i]->Restore(saved.members[i].get());
  }
}

}  // namespace orrery::process::internal
