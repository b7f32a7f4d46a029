#include "orrery/sdk/deep_stack.h"

#include <pthread.h>

#include <cstddef>

namespace orrery {
namespace {

constexpr std::size_t kMiB = std::size_t{1024} * 1024;
constexpr std::size_t kWanted = 512 * kMiB;
constexpr std::size_t kLeastStack = 16 * kMiB;

struct Work {
  const std::function<int()>& command;
  int result = 0;
};

// Returns false if the system refuses such a stack; the work is then not done.
bool DoOnStack(std::size_t bytes, Work& work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  const auto run = [](void* argument) -> void* {
    auto& given = *static_cast<Work*>(argument);
    given.result = given.command();
    return nullptr;
  };
  pthread_t thread{};
  const bool is_started = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                          pthread_create(&thread, &attributes, run, &work) == 0;
  pthread_attr_destroy(&attributes);
  return is_started && pthread_join(thread, nullptr) == 0;
}

}  // namespace

int OnDeepStack(const std::function<int()>& command) {
  Work work{.command = command};
  for (std::size_t bytes = kWanted; bytes >= kLeastStack; bytes /= 2) {
    if (DoOnStack(bytes, work)) {
      return work.result;
    }
  }
  return command();
}

}  // namespace orrery
