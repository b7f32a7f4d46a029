#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/devs/engine/model_table.h"
#include "orrery/devs/engine/network.h"
#include "orrery/devs/simulation/observer.h"

namespace orrery::devs::internal {

/// The observers of a run, and the models that each of them sees.
class Watchers {
 public:
  /// @param network and `models` must outlive it.
  Watchers(const Network& network, ModelTable& models) noexcept
      : network_(network), models_(models) {}

  /// Adds an observer of the models whose paths fit a pattern.
  /// @throws Error kInvalidArgument if it fits none.
  void Add(Observer& observer, std::string_view pattern);

  /// Adds an observer of one atomic model or of what leaves the outermost one.
  /// @throws Error kInvalidArgument for any other model.
  void Add(Observer& observer, const Model& model);

  /// Removes an observer. Only marks it: observers may call this while they are
  /// called.
  void Ignore(const Observer& observer);

  /// Removes those that were ignored. Called between instants.
  void DropIgnored();

  /// Finds out what each observer sees, in a changed network.
  void LayOut();

  /// True if there are observers of atomic models.
  [[nodiscard]] bool empty() const noexcept { return watchers_.empty(); }

  [[nodiscard]] bool has_exits() const noexcept {
    return !exit_watchers_.empty();
  }

  /// Calls `show` with each observer of an atomic model.
  template <typename Show>
  void ForEach(std::uint32_t model, Show show) const {
    for (const Watcher& watcher : watchers_) {
      if (watcher.sees[model] && watcher.observer != nullptr) {
        show(*watcher.observer);
      }
    }
  }

  /// Calls `show` with each observer of the outermost model.
  template <typename Show>
  void ForEachOfExits(Show show) const {
    for (Observer* const watcher : exit_watchers_) {
      if (watcher != nullptr) {
        show(*watcher);
      }
    }
  }

  /// Tells all observers that the run has gone to a snapshot.
  void TellOfRestore(Duration now) const;

 private:
  struct Watcher {
    Observer* observer = nullptr;  // Null once ignored.
    std::string pattern;
    // The observed model, in the place of a pattern.
    const Model* model = nullptr;
    std::vector<bool> sees;  // By atomic model: true if observed.
  };

  bool FindModels(Watcher& watcher);
  [[noreturn]] void Refuse(const std::string& pattern) const;
  void Begin(Watcher watcher);

  const Network& network_;
  ModelTable& models_;
  std::vector<Watcher> watchers_;
  // Observers of the outermost outputs. Null once ignored.
  std::vector<Observer*> exit_watchers_;
  bool has_ignored_ = false;  // There are ignored watchers to remove.
};

}  // namespace orrery::devs::internal
