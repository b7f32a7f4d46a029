#pragma once

#include <string>

namespace orrery {

/// A shared library that is opened when it is first needed rather than when the
/// program starts: many take longer to load than a small model takes to run.
/// Stays open as long as the process, for its threads and what it has made.
class DynamicLibrary {
 public:
  /// @param path a name that the loader looks up for the caller's library, or a
  ///     path.
  /// @param purpose what it is for: "use a NATS server".
  /// @throws Error kUnsupported "cannot <purpose>: ..." if it cannot be opened.
  DynamicLibrary(std::string path, std::string purpose);

  /// A function that it exports by the C name `symbol`.
  /// @throws Error kUnsupported likewise if there is none.
  template <typename Function>
  [[nodiscard]] Function* Find(const char* symbol) const {
    return reinterpret_cast<Function*>(Address(symbol));
  }

 private:
  [[nodiscard]] void* Address(const char* symbol) const;

  std::string path_;
  std::string purpose_;
  void* handle_;
};

}  // namespace orrery
