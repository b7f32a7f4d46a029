#include "orrery/devs/engine/watchers.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/text/pattern.h"

namespace orrery::devs::internal {

void Watchers::Add(Observer& observer, std::string_view pattern) {
  DropIgnored();
  Watcher watcher{.observer = &observer, .pattern = std::string(pattern)};
  if (!FindModels(watcher)) {
    Refuse(watcher.pattern);
  }
  Begin(std::move(watcher));
}

void Watchers::Refuse(const std::string& pattern) const {
  const std::string parts = pattern + ".*";
  std::vector<std::string> paths;
  for (const Slot& slot : models_.slots) {
    paths.push_back(slot.model->Path());
  }
  const bool has_parts = std::ranges::any_of(
      paths, [&](const std::string& path) { return FitsPattern(parts, path); });
  const std::string near = pattern.find_first_of("*?") == std::string::npos
                               ? Nearest(pattern, paths)
                               : "";
  const char* const wildcards =
      "'*' stands for any text, '?' for any character";
  throw Error(ErrorCode::kInvalidArgument,
              "cannot observe '" + pattern + "': " + network_.root().Path() +
                  " has no atomic model of such a path; " +
                  (has_parts      ? "its parts are '" + parts + "'"
                   : near.empty() ? wildcards
                                  : "did you mean '" + near + "'?"));
}

void Watchers::Add(Observer& observer, const Model& model) {
  DropIgnored();
  if (&model == &network_.root()) {
    exit_watchers_.push_back(&observer);
    return;
  }
  static_cast<void>(network_.NumberOf(model));
  Watcher watcher{.observer = &observer, .model = &model};
  FindModels(watcher);
  Begin(std::move(watcher));
}

// Shows the present states.
void Watchers::Begin(Watcher watcher) {
  for (std::uint32_t i = 0; i < models_.slots.size(); ++i) {
    if (watcher.sees[i]) {
      const Slot& slot = models_.slots[i];
      watcher.observer->OnTransition(
          Duration(slot.last), *slot.model, Transition::kStart, slot.state);
    }
  }
  watchers_.push_back(std::move(watcher));
}

// @returns true if it sees any model.
bool Watchers::FindModels(Watcher& watcher) {
  watcher.sees.assign(models_.slots.size(), false);
  bool sees_any = false;
  for (std::uint32_t i = 0; i < models_.slots.size(); ++i) {
    const Model* const model = models_.slots[i].model;
    if (watcher.model == nullptr ? FitsPattern(watcher.pattern, model->Path())
                                 : watcher.model == model) {
      watcher.sees[i] = true;
      models_.marks[i].is_observed = true;
      sees_any = true;
    }
  }
  return sees_any;
}

void Watchers::LayOut() {
  for (Watcher& watcher : watchers_) {
    FindModels(watcher);
  }
}

void Watchers::Ignore(const Observer& observer) {
  for (Watcher& watcher : watchers_) {
    if (watcher.observer == &observer) {
      watcher.observer = nullptr;
      has_ignored_ = true;
    }
  }
  for (Observer*& watcher : exit_watchers_) {
    if (watcher == &observer) {
      watcher = nullptr;
      has_ignored_ = true;
    }
  }
}

void Watchers::DropIgnored() {
  if (!std::exchange(has_ignored_, false)) {
    return;
  }
  std::erase_if(watchers_, [](const Watcher& watcher) {
    return watcher.observer == nullptr;
  });
  std::erase(exit_watchers_, nullptr);
  for (std::uint32_t i = 0; i < models_.slots.size(); ++i) {
    models_.marks[i].is_observed = std::ranges::any_of(
        watchers_, [&](const Watcher& watcher) { return watcher.sees[i]; });
  }
}

void Watchers::TellOfRestore(Duration now) const {
  for (const Watcher& watcher : watchers_) {
    if (watcher.observer != nullptr) {
      watcher.observer->OnRestore(now);
    }
  }
}

}  // namespace orrery::devs::internal
