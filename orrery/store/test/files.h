#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery {

inline void WriteFile(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The message of the Error that `action` throws, which must have this `code`.
template <typename Action>
std::string MessageOf(ErrorCode code, Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace orrery
