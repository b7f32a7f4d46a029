#pragma once

#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/description.h"

namespace orrery::fmi::internal {

/// Gives a variable the defaults of causality, variability and initial, and
/// tells which of them do not go together.
void Classify(AttributeReader& reader,
              const Description& description,
              bool has_start,
              Variable& variable);

}  // namespace orrery::fmi::internal
