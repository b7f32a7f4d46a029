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

/// A channel for messages of tasks. Each message is one event, from which any
/// number of cells derive an effect of their own.
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

  /// Makes `cell` a listener.
  /// @param effect a function from messages to effects of C.
  template <CellType C, std::invocable<const T&> F>
  void Feed(BasicCell<C>& cell, F effect) {
    listeners_.push_back([&cell, effect = std::move(effect)](const T& said) {
      cell.EmitUnseen(effect(said));
    });
  }

  /// Calls `hear` for each message, in the step that emits it. In a restored
  /// run it is called again for the messages of replayed tasks.
  void Listen(std::function<void(const T&)> hear) {
    listeners_.push_back(std::move(hear));
  }

  /// Emits a message, now: an event of the task at work.
  /// @throws Error kInvalidArgument unless a task of the run is at work.
  void Emit(const T& said) {
    if (core_ == nullptr) {
      RefuseOutside("speak on");
    }
    core_->Log(said);
    for (const auto& listener : listeners_) {
      listener(said);  // In a replay cells ignore it.
    }
  }

 private:
  class Core : public internal::EventSource {
   public:
    Core(internal::Run& run, std::string path) : run_(run) {
      SetPath(std::move(path));
    }

    void Log(const T& said) {
      if (run_.step.LogEvent(*this, said_.size())) {
        said_.push_back(said);
      }
      if (run_.step.logs_reads()) {
        run_.step.hash().AddEvent(path(), said);
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
    run.members.Add(*core_);
  }

  void Unbind() noexcept override { core_.reset(); }

  std::vector<std::function<void(const T&)>> listeners_;
  std::unique_ptr<Core> core_;
};

}  // namespace orrery::process
