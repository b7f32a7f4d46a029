#pragma once

#include <sqlite3.h>

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/store/test/files.h"

namespace orrery {

// A test with the file of a store, which other programs change.
class StoreFileTest : public testing::Test {
 protected:
  // The message of a store of this test when `action` fails; `$` is its path.
  template <typename Action>
  std::string Says(ErrorCode code, Action&& action) {
    std::string message = MessageOf(code, std::forward<Action>(action));
    for (std::size_t i = 0;
         (i = message.find(path_, i)) != std::string::npos;) {
      message.replace(i, path_.size(), "$");
    }
    return message;
  }

  // Changes the file as another program.
  void Change(const std::string& sql) {
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, sql.c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(other);
    sqlite3_close(other);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "orrery.db";
};

}  // namespace orrery
