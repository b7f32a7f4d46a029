#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/process/model/cell.h"
#include "orrery/process/model/member.h"
#include "orrery/process/run/event_source.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

/// Where tasks say something that several cells may hear, or none: one event,
/// of which each listener makes an effect of its own.
///
///     Topic<std::string> said{this, "said"};
///     Cell<Counter<>> words{this, "words"};
///
///     Station() {
///       said.Feed(words, [](const std::string&) {
///         return Counter<>::Adding(1);
///       });
///     }
template <std::copyable T>
class Topic : public Member {
 public:
  Topic(Model* owner, std::string_view name) : Member(owner, name) {}

  /// Lets `cell` hear what is said.
  /// @param effect a function of what is said, that gives an effect of C.
  template <CellType C, std::invocable<const T&> F>
  void Feed(BasicCell<C>& cell, F effect) {
    listeners_.push_back([&cell, effect = std::move(effect)](const T& said) {
      cell.EmitUnseen(effect(said));
    });
  }

  /// Lets `hear` know what is said, in the step that says it; in a run that is
  /// restored it hears again what tasks do again.
  void Listen(std::function<void(const T&)> hear) {
    listeners_.push_back(std::move(hear));
  }

  /// Says it, now: an event of the task at work.
  /// @throws Error kInvalidArgument unless a task of the run is at work.
  void Emit(const T& said) {
    if (core_ == nullptr) {
      RefuseOutside("speak on");
    }
    core_->Log(said);
    for (const auto& listener : listeners_) {
      listener(said);  // Cells know whether the task acts.
    }
  }

 private:
  class Core : public internal::EventSource {
   public:
    Core(internal::Run& run, std::string path) : run_(run) {
      SetPath(std::move(path));
    }

    void Log(const T& said) {
      if (run_.LogEvent(*this, said_.size())) {
        said_.push_back(said);
      }
      if (run_.logs_reads()) {
        run_.deeds().AddEvent(path(), said);
      }
    }

    void Describe(std::size_t number, Record& record) const override {
      if constexpr (Record::Takes<T>()) {
        record.Add("", said_[number]);
      }
    }

    [[nodiscard]] std::shared_ptr<const void> Save() const override {
      return std::make_shared<const std::vector<T>>(said_);
    }

    void Restore(const void* saved) override {
      said_ = *static_cast<const std::vector<T>*>(saved);
    }

   private:
    internal::Run& run_;
    std::vector<T> said_;
  };

  void Bind(internal::Run& run) override {
    core_ = std::make_unique<Core>(run, Path());
    run.AddSource(*core_);
  }

  void Unbind() noexcept override { core_.reset(); }

  std::vector<std::function<void(const T&)>> listeners_;
  std::unique_ptr<Core> core_;
};

}  // namespace orrery::process
