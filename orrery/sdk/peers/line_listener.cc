#include "orrery/sdk/peers/line_listener.h"

#include <chrono>
#include <utility>

#include "orrery/sdk/peers/input_lines.h"

namespace orrery {

LineListener::LineListener(int descriptor,
                           std::function<void(const std::string&)> take,
                           std::function<void()> end)
    : thread_([this, descriptor, take = std::move(take), end = std::move(end)] {
        InputLines lines(descriptor);
        for (std::string line; !is_to_end_;) {
          const auto state = lines.Next(line, std::chrono::milliseconds(50));
          if (state == InputLines::State::kClosed) {
            end();
            return;
          }
          if (state == InputLines::State::kLine) {
            take(line);
          }
        }
      }) {}

LineListener::~LineListener() {
  is_to_end_ = true;
  thread_.join();
}

}  // namespace orrery
