#include "orrery/process/model/model.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/model/member.h"

namespace orrery::process {

namespace {

// Members go in the order opposite to that in which they came.
template <typename T>
void EraseLast(std::vector<T*>& all, const T* one) {
  const auto found = std::find(all.rbegin(), all.rend(), one);
  all.erase(std::next(found).base());
}

}  // namespace

Model::Model(std::string_view name) : name_(name) {
  if (name_.find('.') != std::string::npos) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot make a model called '" + name_ +
                    "': names are parts of paths; leave out the dot");
  }
}

Model::Model(Model* owner, std::string_view name) : owner_(owner), name_(name) {
  owner->CheckName(name);
  owner->parts_.push_back(this);
  owner->names_.insert(name_);
}

void Model::Adopt(Model& part, std::string_view name) {
  if (part.owner_ != nullptr || part.run_ != nullptr || &part == &outermost()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot make model '" + part.Path() + "' a part of '" + Path() +
                    "': it is a part or in a run already; make another model "
                    "of its class");
  }
  CheckName(name);
  part.owner_ = this;
  part.name_ = name;
  parts_.push_back(&part);
  names_.insert(part.name_);
}

Model::~Model() {
  if (owner_ != nullptr) {
    EraseLast(owner_->parts_, this);
    owner_->names_.erase(name_);
  }
}

std::string Model::Path() const {
  return owner_ == nullptr ? name_ : owner_->PathOf(name_);
}

const Model& Model::outermost() const noexcept {
  const Model* model = this;
  while (model->owner_ != nullptr) {
    model = model->owner_;
  }
  return *model;
}

void Model::RefuseNow() const {
  throw Error(
      ErrorCode::kInvalidArgument,
      "cannot tell the time of model '" + Path() + "': it is in no run");
}

void Model::RefuseDelay(Duration delay) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot wait for " + orrery::ToText(delay) +
                  ": time does not go back; give 0 s or more");
}

internal::Run& Model::run_at_work(std::string_view purpose) const {
  if (run_ == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) + " in model '" + Path() +
                    "': it is in no run; make a process::Simulator of it");
  }
  return *run_;
}

void Model::CheckName(std::string_view name) const {
  const std::string where =
      "cannot add '" + std::string(name) + "' to model '" + Path() + "': ";
  if (run_ != nullptr) {
    throw Error(ErrorCode::kInvalidModel,
                where + "it is in a run; build models before");
  }
  if (name.empty() || name.find('.') != std::string_view::npos) {
    throw Error(ErrorCode::kInvalidModel,
                where + "names are parts of paths; give one without a dot");
  }
  if (names_.contains(name)) {
    throw Error(ErrorCode::kInvalidModel,
                where + "it has one of this name; choose another");
  }
}

std::string Model::PathOf(const std::string& member) const {
  const std::string path = Path();
  return path.empty() ? member : path + "." + member;
}

std::vector<const Member*> MembersOf(const Model& model) {
  std::vector<const Member*> members;
  std::vector<const Model*> left = {&model};
  while (!left.empty()) {
    const Model& next = *left.back();
    left.pop_back();
    members.insert(members.end(), next.members_.begin(), next.members_.end());
    left.insert(left.end(), next.parts_.rbegin(), next.parts_.rend());
  }
  return members;
}

Member::Member(Model* owner, std::string_view name)
    : owner_(owner), name_(name) {
  owner->CheckName(name);
  owner->members_.push_back(this);
  owner->names_.insert(name_);
}

Member::~Member() {
  EraseLast(owner_->members_, this);
  owner_->names_.erase(name_);
}

std::string Member::Path() const {
  return owner_->PathOf(name_);
}

void Member::RefuseOutside(std::string_view purpose) const {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot " + std::string(purpose) + " '" + Path() +
                  "': its model is in no run; make a process::Simulator of "
                  "it");
}

}  // namespace orrery::process
