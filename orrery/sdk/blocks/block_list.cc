#include "orrery/sdk/blocks/block_list.h"

#include <array>

namespace orrery {
namespace {

constexpr std::string_view kNetlist = "netlist";
constexpr std::string_view kCpp = "C++";

constexpr std::array kBlocks = {
    BlockEntry{"W",
               kNetlist,
               "W, number, P1, e1[, P2, e2[, P3, e3]]",
               "b = P1*e1 + P2*e2 + P3*e3",
               "Weighted sum of one to three blocks"},
    BlockEntry{"+",
               kNetlist,
               "+, number, P1, e1[, P2, e2[, P3, e3]]",
               "b = sign(P1)*e1 + sign(P2)*e2 + sign(P3)*e3",
               "Sum of one to three blocks, of which only the signs count"},
    BlockEntry{"I",
               kNetlist,
               "I, number, IC, e1",
               "der(b) = e1, b = IC at the start",
               "Integrator"},
    BlockEntry{"-", kNetlist, "-, number, e1", "b = -e1", "Minus"},
    BlockEntry{"X", kNetlist, "X, number, e1, e2", "b = e1*e2", "Product"},
    BlockEntry{"/", kNetlist, "/, number, e1, e2", "b = e1/e2", "Quotient"},
    BlockEntry{"K", kNetlist, "K, number, P1", "b = P1", "Constant"},
    BlockEntry{"O", kNetlist, "O, number, e1", "b = e1", "Output"},
    BlockEntry{"Gain", kCpp, "Gain(k = 1)", "y = k*u", "Gain"},
    BlockEntry{"Negate", kCpp, "Negate()", "y = -u", "Minus"},
    BlockEntry{"Sum",
               kCpp,
               "Sum(weights = {1, 1})",
               "y = k[1]*u[1] + ... + k[n]*u[n]",
               "Weighted sum of any number of inputs"},
    BlockEntry{"Product", kCpp, "Product()", "y = u1*u2", "Product"},
    BlockEntry{"Divide", kCpp, "Divide()", "y = u1/u2", "Quotient"},
    BlockEntry{"Integrator",
               kCpp,
               "Integrator(start = 0)",
               "der(x) = u, y = x",
               "Integrator"},
    BlockEntry{"Constant", kCpp, "Constant(k)", "y = k", "Constant"},
};

}  // namespace

std::span<const BlockEntry> ListBlocks() noexcept {
  return kBlocks;
}

}  // namespace orrery
