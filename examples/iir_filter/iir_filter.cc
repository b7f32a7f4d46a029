// Runs iir_filter.mo and compares every sample with a filter of its own: the
// same Butterworth high pass, designed by its poles and zeros in the z plane
// and computed in direct form I.

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include "orrery/sdk/model/model.h"
#include "orrery/sdk/simulate.h"

namespace {

using Complex = std::complex<long double>;

constexpr int kOrder = 10;
constexpr long double kPi = std::numbers::pi_v<long double>;

struct Section {
  long double gain;
  std::array<long double, 2> a;  // 1 + a[0]/z + a[1]/z^2
};

// Two zeros at z = 1 each, and a pair of poles; gain 1 at z = -1.
std::vector<Section> Design(long double edge) {
  std::vector<Section> sections;
  const long double w = std::tan(kPi * edge);
  for (int k = 0; k < kOrder / 2; ++k) {
    const long double angle = kPi * (2 * k + kOrder + 1) / (2 * kOrder);
    const Complex s = w / std::polar(1.0L, angle);
    const Complex z = (1.0L + s) / (1.0L - s);
    Section section{.gain = 0, .a = {-2 * z.real(), std::norm(z)}};
    section.gain = (1 - section.a[0] + section.a[1]) / 4;
    sections.push_back(section);
  }
  return sections;
}

std::vector<long double> Filter(const Section& section,
                                const std::vector<long double>& u) {
  std::vector<long double> y(u.size());
  const auto at = [](const std::vector<long double>& x, std::size_t k) {
    return k < x.size() ? x[k] : 0;  // Zero before the first; -1 wraps.
  };
  for (std::size_t k = 0; k < u.size(); ++k) {
    y[k] = section.gain * (u[k] - 2 * at(u, k - 1) + at(u, k - 2)) -
           section.a[0] * (k >= 1 ? y[k - 1] : 0) -
           section.a[1] * (k >= 2 ? y[k - 2] : 0);
  }
  return y;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const auto run = orrery::Simulate(orrery::LoadFile(folder + "/iir_filter.mo"),
                                    {.stop = 1.0});

  std::vector<long double> wanted;
  for (int k = 0; k <= 1000; ++k) {
    const long double t = k / 1000.0L;
    wanted.push_back(std::sin(2 * kPi * 10 * t) + std::sin(2 * kPi * 20 * t));
  }
  for (const Section& section : Design(15.0L / 1000)) {
    wanted = Filter(section, wanted);
  }

  double largest = 0;
  double error = 0;
  const auto y = run["filter.y"];
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    // The right limit of the two rows at a sample.
    const double got = y.at(static_cast<double>(k) / 1000);
    const double want = static_cast<double>(wanted[k]);
    largest = std::max(largest, std::abs(want));
    error = std::max(error, std::abs(got - want));
  }
  std::printf("1001 samples up to %.3f: error %.1e\n", largest, error);
  return largest > 1 && error < 1e-9 ? 0 : 1;
}
