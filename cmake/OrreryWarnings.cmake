include_guard(GLOBAL)

add_library(orrery_warnings INTERFACE)
add_library(orrery::warnings ALIAS orrery_warnings)
target_compile_options(orrery_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
  # Options are given by name; what is not named has its default.
  -Wno-missing-field-initializers
  -Wundef -Wextra-semi -Wdouble-promotion
  -Wimplicit-fallthrough -Wmissing-declarations
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches
                           -Wlogical-op -Wuseless-cast
                           # GCC 12 is wrong about "text" + string (PR105329)
                           # and about variants (PR80635) at -O3.
                           -Wno-restrict -Wno-maybe-uninitialized>
  $<$<BOOL:${ORRERY_WERROR}>:-Werror>
  # A tenth of the time of GCC is its collection of garbage, for a quarter of
  # the memory.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>
  # Bit-identical results on every machine: no fused or reordered arithmetic.
  -ffp-contract=off)
