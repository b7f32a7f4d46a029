// An FMU of FMI 3.0 for tests: it has values of all types by value reference,
// and tells in Int32 variables what it makes of texts, bytes and resources.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

struct Types {
  float float32[4];
  double float64[4];  // x[2] is reference 1; y[2] = 2*x is reference 2.
  std::int8_t int8[4];
  std::uint8_t uint8[4];
  std::int16_t int16[4];
  std::uint16_t uint16[4];
  std::int32_t int32[4];  // 0: size of the text, 1: sum of the bytes,
                          // 2: first byte of the resource y.txt.
  std::uint32_t uint32[4];
  std::int64_t int64[4];
  std::uint64_t uint64[4];
  bool boolean[4];
  double t;
};

}  // namespace

#define ACCESS(Name, Type, field)                                          \
  int fmi3Get##Name(void* instance,                                        \
                    const std::uint32_t* references,                       \
                    std::size_t count,                                     \
                    Type* values,                                          \
                    std::size_t);                                          \
  int fmi3Get##Name(void* instance,                                        \
                    const std::uint32_t* references,                       \
                    std::size_t count,                                     \
                    Type* values,                                          \
                    std::size_t) {                                         \
    for (std::size_t i = 0; i < count; ++i) {                              \
      values[i] = static_cast<Types*>(instance)->field[references[i] % 4]; \
    }                                                                      \
    return 0;                                                              \
  }                                                                        \
  int fmi3Set##Name(void* instance,                                        \
                    const std::uint32_t* references,                       \
                    std::size_t count,                                     \
                    const Type* values,                                    \
                    std::size_t);                                          \
  int fmi3Set##Name(void* instance,                                        \
                    const std::uint32_t* references,                       \
                    std::size_t count,                                     \
                    const Type* values,                                    \
                    std::size_t) {                                         \
    for (std::size_t i = 0; i < count; ++i) {                              \
      static_cast<Types*>(instance)->field[references[i] % 4] = values[i]; \
    }                                                                      \
    return 0;                                                              \
  }

extern "C" {

using Log = void (*)(void*, int, const char*, const char*);
using Update = void (*)(void*, double, bool, bool, bool, bool, bool*, double*);

void* fmi3InstantiateCoSimulation(const char*,
                                  const char*,
                                  const char* resources,
                                  bool,
                                  bool,
                                  bool,
                                  bool,
                                  const std::uint32_t*,
                                  std::size_t,
                                  void*,
                                  Log,
                                  Update);
void fmi3FreeInstance(void* instance);
int fmi3EnterInitializationMode(void*, bool, double, double, bool, double);
int fmi3ExitInitializationMode(void*);
int fmi3Terminate(void*);
int fmi3DoStep(
    void*, double, double, bool, bool*, bool* ends, bool*, double* reached);
int fmi3GetFloat64(
    void*, const std::uint32_t*, std::size_t, double*, std::size_t);
int fmi3SetFloat64(
    void*, const std::uint32_t*, std::size_t, const double*, std::size_t);
int fmi3SetString(void*,
                  const std::uint32_t*,
                  std::size_t,
                  const char* const* values,
                  std::size_t count);
int fmi3SetBinary(void*,
                  const std::uint32_t*,
                  std::size_t,
                  const std::size_t* sizes,
                  const std::uint8_t* const* values,
                  std::size_t count);

ACCESS(Float32, float, float32)
ACCESS(Int8, std::int8_t, int8)
ACCESS(UInt8, std::uint8_t, uint8)
ACCESS(Int16, std::int16_t, int16)
ACCESS(UInt16, std::uint16_t, uint16)
ACCESS(Int32, std::int32_t, int32)
ACCESS(UInt32, std::uint32_t, uint32)
ACCESS(Int64, std::int64_t, int64)
ACCESS(UInt64, std::uint64_t, uint64)
ACCESS(Boolean, bool, boolean)

void* fmi3InstantiateCoSimulation(const char*,
                                  const char*,
                                  const char* resources,
                                  bool,
                                  bool,
                                  bool,
                                  bool,
                                  const std::uint32_t*,
                                  std::size_t,
                                  void* environment,
                                  Log log,
                                  Update) {
  auto* const types = new Types{};
  char path[1024];
  std::snprintf(path, sizeof(path), "%sy.txt", resources);
  if (std::FILE* const file = std::fopen(path, "r")) {
    types->int32[2] = std::fgetc(file);
    std::fclose(file);
  } else {
    log(environment, 1, "logStatusWarning", "y.txt is not there");
  }
  return types;
}

void fmi3FreeInstance(void* instance) {
  delete static_cast<Types*>(instance);
}

int fmi3EnterInitializationMode(void*, bool, double, double, bool, double) {
  return 0;
}

int fmi3ExitInitializationMode(void*) {
  return 0;
}

int fmi3Terminate(void*) {
  return 0;
}

// Ends at 5 s.
int fmi3DoStep(void* instance,
               double t,
               double step,
               bool,
               bool* needs_event,
               bool* ends,
               bool* returns_early,
               double* reached) {
  static_cast<Types*>(instance)->t = t + step;
  *needs_event = false;
  *returns_early = false;
  *ends = t + step > 5;
  *reached = *ends ? 5 : t + step;
  return 0;
}

int fmi3GetFloat64(void* instance,
                   const std::uint32_t* references,
                   std::size_t count,
                   double* values,
                   std::size_t) {
  const Types& types = *static_cast<Types*>(instance);
  for (std::size_t i = 0; i < count; ++i) {
    const double factor = references[i] == 2 ? 2 : 1;
    *values++ = factor * types.float64[0];
    *values++ = factor * types.float64[1];
  }
  return 0;
}

int fmi3SetFloat64(void* instance,
                   const std::uint32_t*,
                   std::size_t,
                   const double* values,
                   std::size_t) {
  std::memcpy(
      static_cast<Types*>(instance)->float64, values, 2 * sizeof(double));
  return 0;
}

int fmi3SetString(void* instance,
                  const std::uint32_t*,
                  std::size_t,
                  const char* const* values,
                  std::size_t) {
  static_cast<Types*>(instance)->int32[0] =
      static_cast<std::int32_t>(std::strlen(values[0]));
  return 0;
}

int fmi3SetBinary(void* instance,
                  const std::uint32_t*,
                  std::size_t,
                  const std::size_t* sizes,
                  const std::uint8_t* const* values,
                  std::size_t) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < sizes[0]; ++i) {
    sum += values[0][i];
  }
  static_cast<Types*>(instance)->int32[1] = sum;
  return 0;
}

}  // extern "C"
