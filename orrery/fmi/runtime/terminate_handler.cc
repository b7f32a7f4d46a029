// What ends the process if an exception finds no handler. That of the standard
// library prints the exception's type in words, and would bring the demangling
// of names into each exported FMU.
#include <cstdlib>

namespace __gnu_cxx {  // NOLINT: the library's own, which this one replaces.

void __verbose_terminate_handler();  // NOLINT
void __freeres();                    // NOLINT

void __verbose_terminate_handler() {  // NOLINT
  std::abort();
}

}  // namespace __gnu_cxx

namespace {

// Frees what the standard library keeps for exceptions without memory. Code
// that is loaded and unloaded a thousand times would leave 73 MB behind.
[[gnu::destructor]] void FreeReserve() {
  __gnu_cxx::__freeres();
}

}  // namespace
