#pragma once

#include <vector>

#include "orrery/solver/algebra/sparsity.h"

namespace orrery::internal {

/// An order of rows and columns alike that brings a matrix close to its
/// diagonal.
struct BandOrder {
  std::vector<int> places;  ///< By row and column: its place.
  Bandwidths band;          ///< Of the matrix in that order.
};

/// That of reverse Cuthill and McKee, or the given one if that is not wider.
/// Source: E. Cuthill and J. McKee, Proc. 24th Nat. Conf. ACM (1969) 157-172;
/// the nodes to begin with: A. George and J. Liu, Computer Solution of Large
/// Sparse Positive Definite Systems (1981), section 4.3.
/// @param pattern of a square matrix.
[[nodiscard]] BandOrder OrderForBand(const SparsityPattern& pattern);

}  // namespace orrery::internal
