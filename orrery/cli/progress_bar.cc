#include "orrery/cli/internal/progress_bar.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kFirst{200};
constexpr std::chrono::milliseconds kBetween{100};
constexpr int kWidth = 30;

}  // namespace

ProgressBar::ProgressBar(bool wanted)
    : next_(std::chrono::steady_clock::now() + kFirst),
      wanted_(wanted && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_) {
    std::fputs("\r\x1b[K", stderr);
  }
}

void ProgressBar::Show(const Progress& progress) {
  if (!wanted_) {
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) {
    return;
  }
  next_ = now + kBetween;
  shown_ = true;
  const double part =
      (progress.t - progress.start) / (progress.stop - progress.start);
  const auto full = static_cast<std::size_t>(part * kWidth);
  std::string bar(full, '=');
  bar.resize(kWidth, ' ');
  fmt::print(
      stderr,
      "\rt = {:.4g} s  [{}]{}\x1b[K",
      progress.t,
      bar,
      progress.steps > 0 ? fmt::format(" {} steps", progress.steps) : "");
  std::fflush(stderr);
}

}  // namespace orrery::cli
