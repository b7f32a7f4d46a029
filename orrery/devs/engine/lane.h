#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/modeling/structure.h"

namespace orrery::devs::internal {

class Run;

/// A context in which functions of models are called one after another. It
/// collects the messages they send and the changes they ask for. A run has one
/// for each thread.
class Lane final : public Structure {
 public:
  static constexpr std::uint32_t kNone =
      std::numeric_limits<std::uint32_t>::max();

  // A change that a part of `around` asked for.
  struct Change {
    std::uint32_t caller = 0;
    const Coupled* around = nullptr;
    bool is_of_parts = false;  // Changes parts; else couplings.
    std::function<void(Coupled& around)> make;
  };

  /// @param run must outlive it.
  explicit Lane(Run& run) : run_(run) {}

  std::uint32_t model = kNone;  ///< The model being called.
  Outbox outbox;
  std::vector<Change> changes;

  [[nodiscard]] const Coupled& around() const override;
  void Remove(const Model& part) override;
  void Couple(const Port& from, const Port& to) override;
  void Uncouple(const Port& from, const Port& to) override;

 private:
  void AddPart(std::string_view name, std::unique_ptr<Model> part) override;
  void Ask(bool is_of_parts, std::function<void(Coupled& around)> make);

  Run& run_;
};

}  // namespace orrery::devs::internal
