#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {

/// For tests: a folder of its own that is deleted at the end. Tests run side by
/// side: a folder with a fixed name would be shared.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(testing::TempDir() + "orrery-XXXXXX") {
    EXPECT_NE(mkdtemp(path_.data()), nullptr);
  }

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

  [[nodiscard]] std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  /// Makes the folders of the file, too.
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

}  // namespace orrery
