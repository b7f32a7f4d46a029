#pragma once

#include <string>
#include <type_traits>

namespace orrery {

/// A shared library that is opened on first use instead of at program start:
/// many take longer to load than a small model takes to run. It stays open as
/// long as the process, for its threads and objects.
class DynamicLibrary {
 public:
  /// @param path a name that the loader searches for on behalf of the caller's
  ///     library, or a path.
  /// @param purpose for messages: "use a NATS server".
  /// @throws Error kUnsupported "cannot <purpose>: ..." if it cannot be opened.
  DynamicLibrary(std::string path, std::string purpose);

  /// Returns the exported function or variable with the C name `symbol`.
  /// @throws Error kUnsupported if there is none.
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

// Helpers of the macro below.
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is a declaration.
#define ORRERY_LIBRARY_POINTER(name) decltype(&::name) name;
#define ORRERY_LIBRARY_FIND(name) \
  name = library.Find<std::remove_pointer_t<decltype(&::name)>>(#name);

/// Defines a type `Table` with a pointer to each required function or variable
/// of a shared library, by its name.
///
///     #define CLOCK_FUNCTIONS(X) X(clock_new) X(clock_destroy)
///     ORRERY_LIBRARY(ClockLibrary, CLOCK_FUNCTIONS)
///
///     const ClockLibrary clocks(DynamicLibrary("libclock.so.1", "tell time"));
///     clock* its = clocks.clock_new();
///
/// @param FUNCTIONS calls its argument with the name of each function, as
///     declared in the library's header.
/// @throws Error kUnsupported, when a table is made, if one is missing.
#define ORRERY_LIBRARY(Table, FUNCTIONS)                     \
  struct Table {                                             \
    explicit Table(const ::orrery::DynamicLibrary& library){ \
        FUNCTIONS(ORRERY_LIBRARY_FIND)}                      \
                                                             \
    FUNCTIONS(ORRERY_LIBRARY_POINTER)                        \
  };
