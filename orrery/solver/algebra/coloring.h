#pragma once

#include <vector>

#include "orrery/solver/problem/ode.h"

namespace orrery {

/// Groups the columns of a sparse matrix so that no two of a group have a
/// nonzero in the same row: one directional derivative then gives all columns
/// of a group. Greedy, columns with most nonzeros first.
/// Source: Curtis, Powell & Reid, J. Inst. Maths Applics 13 (1974) 117-119;
/// order: Welsh & Powell, Computer J. 10 (1967) 85-86.
[[nodiscard]] std::vector<std::vector<int>> ColorColumns(
    const SparsityPattern& pattern);

}  // namespace orrery
