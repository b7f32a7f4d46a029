#pragma once

#include <string>
#include <type_traits>

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

// For the macro below.
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is a declaration.
#define ORRERY_LIBRARY_POINTER(name) decltype(&::name) name;
#define ORRERY_LIBRARY_FIND(name) \
  name = library.Find<std::remove_pointer_t<decltype(&::name)>>(#name);

/// The functions of a shared library that are called here, as a type `Table`
/// whose members are pointers to them, called as they are.
///
///     #define CLOCK_FUNCTIONS(X) X(clock_new) X(clock_destroy)
///     ORRERY_LIBRARY(ClockLibrary, CLOCK_FUNCTIONS)
///
///     const ClockLibrary clocks(DynamicLibrary("libclock.so.1", "tell time"));
///     clock* its = clocks.clock_new();
///
/// @param FUNCTIONS calls its argument with each of their names, which are
///     declared in the library's header.
/// @throws Error kUnsupported, when a table is made, if one is not there.
#define ORRERY_LIBRARY(Table, FUNCTIONS)                     \
  struct Table {                                             \
    explicit Table(const ::orrery::DynamicLibrary& library){ \
        FUNCTIONS(ORRERY_LIBRARY_FIND)}                      \
                                                             \
    FUNCTIONS(ORRERY_LIBRARY_POINTER)                        \
  };
