#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace orrery::server {

/// A folder that is deleted at the end of a test.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(testing::TempDir() + "orrery_server_XXXXXX") {
    EXPECT_NE(mkdtemp(path_.data()), nullptr);
  }

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::string& path() const { return path_; }

  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path place = path_ + "/" + name;
    std::filesystem::create_directories(place.parent_path());
    std::ofstream(place, std::ios::binary) << text;
  }

  [[nodiscard]] std::string Read(const std::string& name) const {
    std::ifstream file(path_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

}  // namespace orrery::server
