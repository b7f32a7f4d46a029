#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "orrery/process/internal/dependent.h"
#include "orrery/process/internal/run.h"
#include "orrery/process/member.h"

namespace orrery::process {

/// What tasks compete for, such as servers, space or goods: it decides at the
/// end of each batch, from all that was asked of it in that batch, who goes on.
/// So who comes first does not depend on the order in which the steps of a
/// batch are carried out. A base for classes; see queueing.
///
/// What others can see of it (`Observe`) is to change in `Settle` only.
class Facility : public Member {
 protected:
  using Member::Member;

  /// In a step of a task: asks for `OnPosted(argument)` when the batch is
  /// committed; and then to be settled.
  /// @throws Error kInvalidArgument unless a task of the run is at work.
  void Post(std::uint64_t argument);

  /// When the batch is committed, from `Wait::OnWaiting` of a task that begins
  /// to wait for it: asks to be settled.
  void NeedsSettling();

  /// Lets a task that waits go on, in the next batch.
  void Wake(std::uint32_t task);

  /// Throws `exception` where a task waits, in the next batch.
  void Throw(std::uint32_t task, std::exception_ptr exception);

  /// Of what tasks, conditions and resources see of it: notes who depends on
  /// it.
  void Observe() const;

  /// The time of the run; zero without one.
  [[nodiscard]] Duration now() const noexcept;

  [[nodiscard]] bool is_in_run() const noexcept { return run_ != nullptr; }

 private:
  friend class internal::Run;

  /// A run begins: the initial state.
  virtual void Reset() = 0;

  /// In the order of the steps that posted.
  virtual void OnPosted(std::uint64_t argument) = 0;

  /// All that was asked in the batch is known.
  virtual void Settle() = 0;

  void Bind(internal::Run& run) final;
  void Unbind() noexcept final;

  internal::Run* run_ = nullptr;
  bool needs_settling_ = false;
  mutable internal::Link* dependents_ = nullptr;
};

}  // namespace orrery::process
