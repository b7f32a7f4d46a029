#include "orrery/cli/terminal/progress_bar.h"

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/terminal.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kFirst{200};
constexpr std::chrono::milliseconds kBetween{100};
constexpr int kWidth = 30;

std::string Bar(double part) {
  std::string bar(static_cast<std::size_t>(part * kWidth), '=');
  bar.resize(kWidth, ' ');
  return bar;
}

// Replaces the line.
void Draw(std::string line) {
  PrintError("\r{}\x1b[K", FitToTerminal(std::move(line)));
  std::fflush(stderr);
}

// A time, rounded for people.
std::string RoundTime(double seconds) {
  if (seconds < 100) {
    return fmt::format("{:.0f} s", seconds);
  }
  return seconds < 6000 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

ProgressBar::ProgressBar(bool wanted, int report)
    : begin_(std::chrono::steady_clock::now()),
      next_(begin_ + kFirst),
      wanted_(wanted && CanShowProgress()),
      report_(report) {}

ProgressBar::~ProgressBar() {
  if (shown_) {
    std::fputs("\r\x1b[K", stderr);
  }
}

bool ProgressBar::IsDue() {
  if (!wanted_) {
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) {
    return false;
  }
  next_ = now + kBetween;
  shown_ = true;
  return true;
}

void ProgressBar::Show(const Progress& progress) {
  report_.Show(progress);
  if (!IsDue()) {
    return;
  }
  const double part =
      (progress.t - progress.start) / (progress.stop - progress.start);
  Draw(fmt::format(
      "t = {:.4g} s  [{}]{}",
      progress.t,
      Bar(part),
      progress.steps > 0 ? fmt::format(" {} steps", progress.steps) : ""));
}

void ProgressBar::Show(const SeriesProgress& progress) {
  report_.Show(progress);
  if (!IsDue() || progress.ended == 0) {
    return;
  }
  const auto ended = static_cast<double>(progress.ended);
  const auto asked = static_cast<double>(progress.asked);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_)
          .count();
  const double rate = ended / seconds;
  Draw(fmt::format(
      "{} of {} runs  [{}] {:.3g} runs/s, {} left{}",
      progress.ended,
      progress.asked,
      Bar(ended / asked),
      rate,
      RoundTime((asked - ended) / rate),
      progress.failed > 0 ? fmt::format(", {} failed", progress.failed) : ""));
}

void ProgressBar::Show(const OptimisationProgress& progress, double best) {
  report_.Show(progress, best);
  if (!IsDue()) {
    return;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_)
          .count();
  Draw(fmt::format(
      "{} evaluations, {:.3g}/s, best {:.6g}{}{}",
      progress.evaluations,
      static_cast<double>(progress.evaluations) / seconds,
      best,
      progress.is_feasible ? "" : " (constraints do not hold)",
      progress.failed > 0 ? fmt::format(", {} failed", progress.failed) : ""));
}

void ProgressBar::Show(const FitProgress& progress) {
  report_.Show(progress);
  if (!IsDue()) {
    return;
  }
  Draw(fmt::format("{} evaluations, sum of squares {:.8g}",
                   progress.evaluations,
                   progress.cost));
}

void ProgressBar::Tell(const std::string& line) const {
  PrintError("{}{}\n", shown_ ? "\r\x1b[K" : "", line);
}

}  // namespace orrery::cli
