#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/fmi/fmu.h"
#include "orrery/fmi/library.h"

namespace orrery::fmi {

/// An instance by Co-Simulation of an exported FMU, with the C functions of
/// either version.
class ExportedInstance {
 public:
  explicit ExportedInstance(std::shared_ptr<const Library> library)
      : library_(std::move(library)),
        is_old_(library_->fmu().description->version == FmiVersion::k2) {
    const std::string place = library_->ResourcePlace();
    const std::string& token = library_->fmu().description->token;
    if (is_old_) {
      void* (*make)(
          const char*, int, const char*, const char*, const void*, int, int) =
          nullptr;
      library_->Find("fmi2Instantiate", make);
      its_ = make("one", 1, token.c_str(), place.c_str(), nullptr, 0, 0);
      int (*setup)(void*, int, double, double, int, double) = nullptr;
      library_->Find("fmi2SetupExperiment", setup);
      EXPECT_EQ(setup(its_, 0, 0, 0, 1, 10), 0);
    } else {
      void* (*make)(const char*,
                    const char*,
                    const char*,
                    bool,
                    bool,
                    bool,
                    bool,
                    const std::uint32_t*,
                    std::size_t,
                    void*,
                    void*,
                    void*) = nullptr;
      library_->Find("fmi3InstantiateCoSimulation", make);
      its_ = make("one",
                  token.c_str(),
                  place.c_str(),
                  false,
                  false,
                  false,
                  false,
                  nullptr,
                  0,
                  nullptr,
                  nullptr,
                  nullptr);
    }
  }

  ExportedInstance(const ExportedInstance&) = delete;
  ExportedInstance& operator=(const ExportedInstance&) = delete;

  ~ExportedInstance() {
    void (*free_it)(void*) = nullptr;
    library_->Find(Name("FreeInstance").c_str(), free_it);
    free_it(its_);
  }

  void Start() {
    if (is_old_) {
      EXPECT_EQ(Call<>("EnterInitializationMode"), 0);
    } else {
      int (*enter)(void*, bool, double, double, bool, double) = nullptr;
      library_->Find("fmi3EnterInitializationMode", enter);
      EXPECT_EQ(enter(its_, false, 0, 0, true, 10), 0);
    }
    EXPECT_EQ(Call<>("ExitInitializationMode"), 0);
  }

  void Step(double t, double h) {
    if (is_old_) {
      EXPECT_EQ((Call<double, double, int>("DoStep", t, h, 0)), 0);
      return;
    }
    int (*step)(void*, double, double, bool, bool*, bool*, bool*, double*) =
        nullptr;
    library_->Find("fmi3DoStep", step);
    bool truth = false;
    double reached = 0;
    EXPECT_EQ(step(its_, t, h, false, &truth, &truth, &truth, &reached), 0);
    EXPECT_EQ(reached, t + h);
  }

  // The values of all numbers of the FMU.
  std::vector<double> Values() {
    std::vector<double> values;
    for (const Variable& variable : library_->fmu().description->variables) {
      if (variable.type == ValueType::kFloat64) {
        values.push_back(Get(variable.reference));
      }
    }
    return values;
  }

  double Get(const std::string& name) { return Get(ReferenceOf(name)); }

  // Returns the status of the call.
  int TryDifferentiate(const std::string& unknown,
                       const std::string& known,
                       double* derivative) {
    const std::uint32_t of = ReferenceOf(unknown);
    const std::uint32_t along = ReferenceOf(known);
    const double seed = 1;
    using References = const std::uint32_t*;
    return is_old_ ? Call<References,
                          std::size_t,
                          References,
                          std::size_t,
                          const double*,
                          double*>("GetDirectionalDerivative",
                                   &of,
                                   1,
                                   &along,
                                   1,
                                   &seed,
                                   derivative)
                   : Call<References,
                          std::size_t,
                          References,
                          std::size_t,
                          const double*,
                          std::size_t,
                          double*,
                          std::size_t>("GetDirectionalDerivative",
                                       &of,
                                       1,
                                       &along,
                                       1,
                                       &seed,
                                       1,
                                       derivative,
                                       1);
  }

  double Derivative(const std::string& unknown, const std::string& known) {
    double derivative = 0;
    EXPECT_EQ(TryDifferentiate(unknown, known, &derivative), 0);
    return derivative;
  }

  void Set(const std::string& name, double value) {
    EXPECT_EQ(TrySet(name, value), 0);
  }

  // Returns the status of the call.
  int TrySet(const std::string& name, double value) {
    const std::uint32_t reference = ReferenceOf(name);
    return is_old_ ? Call<const std::uint32_t*, std::size_t, const double*>(
                         "SetReal", &reference, 1, &value)
                   : Call<const std::uint32_t*,
                          std::size_t,
                          const double*,
                          std::size_t>("SetFloat64", &reference, 1, &value, 1);
  }

  void Save(void** state) { EXPECT_EQ(Call<void**>(GetName(), state), 0); }

  int Restore(void* state) { return Call<void*>(SetName(), state); }

  void Free(void** state) {
    EXPECT_EQ(Call<void**>(is_old_ ? "FreeFMUstate" : "FreeFMUState", state),
              0);
    EXPECT_EQ(*state, nullptr);
  }

  std::string Serialised(void* state) {
    std::size_t size = 0;
    EXPECT_EQ((Call<void*, std::size_t*>(
                  is_old_ ? "SerializedFMUstateSize" : "SerializedFMUStateSize",
                  state,
                  &size)),
              0);
    std::string bytes(size, '\0');
    EXPECT_EQ((Call<void*, char*, std::size_t>(
                  is_old_ ? "SerializeFMUstate" : "SerializeFMUState",
                  state,
                  bytes.data(),
                  size)),
              0);
    return bytes;
  }

  int Deserialise(const std::string& bytes, void** state) {
    return Call<const char*, std::size_t, void**>(
        is_old_ ? "DeSerializeFMUstate" : "DeserializeFMUState",
        bytes.data(),
        bytes.size(),
        state);
  }

 private:
  [[nodiscard]] std::uint32_t ReferenceOf(const std::string& name) const {
    const auto& variables = library_->fmu().description->variables;
    const auto found = std::ranges::find(variables, name, &Variable::name);
    EXPECT_NE(found, variables.end()) << name;
    return found->reference;
  }

  [[nodiscard]] const char* GetName() const {
    return is_old_ ? "GetFMUstate" : "GetFMUState";
  }

  [[nodiscard]] const char* SetName() const {
    return is_old_ ? "SetFMUstate" : "SetFMUState";
  }

  [[nodiscard]] std::string Name(const char* end) const {
    return std::string(is_old_ ? "fmi2" : "fmi3") + end;
  }

  template <typename... Arguments>
  int Call(const char* end, Arguments... arguments) {
    int (*function)(void*, Arguments...) = nullptr;
    library_->Find(Name(end).c_str(), function);
    return function(its_, arguments...);
  }

  double Get(std::uint32_t reference) {
    double value = 0;
    const int status =
        is_old_ ? Call<const std::uint32_t*, std::size_t, double*>(
                      "GetReal", &reference, 1, &value)
                : Call<const std::uint32_t*, std::size_t, double*, std::size_t>(
                      "GetFloat64", &reference, 1, &value, 1);
    EXPECT_EQ(status, 0);
    return value;
  }

  std::shared_ptr<const Library> library_;
  bool is_old_;
  void* its_ = nullptr;
};

}  // namespace orrery::fmi
