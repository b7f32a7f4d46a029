#pragma once

#include <cstddef>
#include <vector>

#include "orrery/symbolic/emit/tape_parts.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::symbolic::internal {

/// Places of the temporaries of `unit`, from 0. Temporaries that do not live at
/// the same time share a place.
struct TempPlaces {
  std::vector<Address> place_of;  // By number in the table.
  std::size_t size = 0;
};

[[nodiscard]] TempPlaces PlaceTemps(const TapeUnit& unit);

/// The fields of an instruction that are addresses.
struct AddressFields {
  bool target = false;
  bool a = false;
  bool b = false;
  bool c = false;
};

[[nodiscard]] AddressFields AddressesOf(TapeOp op) noexcept;

}  // namespace orrery::symbolic::internal
