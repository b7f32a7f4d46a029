#include "orrery/devs/library/distribution.h"

#include <cmath>
#include <initializer_list>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery::devs {
namespace {

std::string CallText(const char* name,
                     std::initializer_list<double> arguments) {
  std::string text = name;
  const char* separator = "(";
  for (const double argument : arguments) {
    text += separator + ShortestText(argument);
    separator = ", ";
  }
  return text + ")";
}

// A first draw refuses the parameters that every later one would.
Distribution Checked(std::string text, Distribution::DrawFunction draw) {
  RandomStream trial(0, text);
  static_cast<void>(draw(trial));
  return {std::move(text), std::move(draw)};
}

}  // namespace

Distribution::Distribution(std::string text, DrawFunction draw)
    : text_(std::move(text)), draw_(std::move(draw)) {
  if (!draw_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw from the distribution " + text_ +
                    ": it has no function; give one");
  }
}

Distribution Distribution::Exponential(double mean) {
  return Checked(CallText("exponential", {mean}),
                 [mean](RandomStream& r) { return r.Exponential(mean); });
}

Distribution Distribution::Uniform(double low, double high) {
  return Checked(CallText("uniform", {low, high}),
                 [=](RandomStream& r) { return r.Uniform(low, high); });
}

Distribution Distribution::Normal(double mean, double standard_deviation) {
  return Checked(
      CallText("normal", {mean, standard_deviation}),
      [=](RandomStream& r) { return r.Normal(mean, standard_deviation); });
}

Distribution Distribution::LogNormal(double mu, double sigma) {
  return Checked(CallText("lognormal", {mu, sigma}),
                 [=](RandomStream& r) { return r.LogNormal(mu, sigma); });
}

Distribution Distribution::Gamma(double shape, double scale) {
  return Checked(CallText("gamma", {shape, scale}),
                 [=](RandomStream& r) { return r.Gamma(shape, scale); });
}

Distribution Distribution::Beta(double a, double b) {
  return Checked(CallText("beta", {a, b}),
                 [=](RandomStream& r) { return r.Beta(a, b); });
}

Distribution Distribution::Weibull(double shape, double scale) {
  return Checked(CallText("weibull", {shape, scale}),
                 [=](RandomStream& r) { return r.Weibull(shape, scale); });
}

Distribution Distribution::Triangular(double low, double mode, double high) {
  return Checked(
      CallText("triangular", {low, mode, high}),
      [=](RandomStream& r) { return r.Triangular(low, mode, high); });
}

Distribution Distribution::Poisson(double mean) {
  return Checked(CallText("poisson", {mean}), [mean](RandomStream& r) {
    return static_cast<double>(r.Poisson(mean));
  });
}

Distribution Distribution::Empirical(std::vector<double> sample) {
  std::string text = "empirical(of " + std::to_string(sample.size()) + ")";
  return Checked(std::move(text),
                 [sample = std::move(sample)](RandomStream& r) {
                   return r.Empirical(sample);
                 });
}

void Times::CheckConstant() const {
  if (constant_ < Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot let something take " + ToText(constant_) +
                    ": it would end before it begins; give 0 s or more");
  }
}

Duration Times::DrawSeconds(RandomStream& random) const {
  const double seconds = seconds_->Draw(random);
  if (!(seconds >= 0) || seconds > 9.2e9) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take " + ShortestText(seconds) + " s, drawn from " +
                    seconds_->text() +
                    ", for a time: it is not between 0 and 9.2e9 s; choose a "
                    "distribution that stays there");
  }
  return ToDuration(seconds);
}

}  // namespace orrery::devs
