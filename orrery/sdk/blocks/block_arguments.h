#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/modelica/modelica_block.h"
#include "orrery/sdk/blocks/given.h"

namespace orrery::sdk::internal {

/// Collects the arguments of the constructor of a library block; for the
/// classes in orrery/sdk/blocks.
class BlockArguments {
 public:
  template <typename T>
  BlockArguments&& Add(const char* name, const Given<T>& given) && {
    if (given.value()) {
      if constexpr (std::is_enum_v<T>) {
        list_.push_back({name, std::string(ModelicaName(*given.value()))});
      } else if constexpr (std::is_same_v<T, std::string>) {
        list_.push_back({name, ModelicaValue::Text(*given.value())});
      } else {
        list_.push_back({name, *given.value()});
      }
    }
    return std::move(*this);
  }

  /// An empty array counts as not given.
  template <typename T>
  BlockArguments&& Add(const char* name, const std::vector<T>& array) && {
    if (!array.empty()) {
      list_.push_back({name, array});
    }
    return std::move(*this);
  }

  BlockArguments&& Add(const char* name,
                       const std::vector<std::int64_t>& array) && {
    return std::move(*this).Add(
        name, std::vector<double>(array.begin(), array.end()));
  }

  [[nodiscard]] ModelicaBlock::Arguments Take() && { return std::move(list_); }

 private:
  ModelicaBlock::Arguments list_;
};

/// Returns a port that the block has only under a condition.
/// @throws Error kInvalidArgument with the condition if it does not hold.
[[nodiscard]] Quantity ConditionalPort(ModelicaBlock& block,
                                       const char* name,
                                       const char* condition);

}  // namespace orrery::sdk::internal
