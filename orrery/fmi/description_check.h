#pragma once

namespace orrery::fmi::internal {

struct ReadingContext;

/// Tells what is wrong with the variables: names, units, ranges, sizes.
void CheckVariables(const ReadingContext& context);

/// Tells what its structure lacks, and what does not belong there.
void CheckStructure(const ReadingContext& context);

}  // namespace orrery::fmi::internal
