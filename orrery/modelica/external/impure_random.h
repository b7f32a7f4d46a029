#pragma once

#include <string_view>

/// Random numbers with a hidden state, as the Modelica Standard Library has
/// them (xorshift1024* of S. Vigna, 2014). Each thread has a state of its own,
/// so that runs side by side do not take numbers from each other.
namespace orrery::modelica::internal {

/// Sets the state: 16 numbers of two ints, and which of them is the next.
/// @param id with which numbers are asked for from now on.
void SetImpureRandom(const int* state, int id);

/// The next number, between 0 and 1.
/// @throws std::runtime_error if no state was set with this `id`.
double ImpureRandom(int id);

/// The function of that name, for our Modelica texts; null if there is none.
void* OwnFunction(std::string_view name);

}  // namespace orrery::modelica::internal
