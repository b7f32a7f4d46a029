#include "orrery/modelica/external/foreign_function.h"

#include <ffi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/modelica/external/call_apart.h"

namespace orrery::modelica::internal {
namespace {

using Type = ForeignFunction::Type;

ffi_type* FfiTypeOf(Type type) noexcept {
  switch (type) {
    case Type::kReal:
      return &ffi_type_double;
    case Type::kInteger:
      return &ffi_type_sint32;
    case Type::kSize:
      return &ffi_type_uint64;
    case Type::kText:
    case Type::kObject:
      break;
  }
  return &ffi_type_pointer;
}

// The external objects of this process. They live as long as it does.
std::vector<void*>& Objects() {
  static std::vector<void*> objects;
  return objects;
}

// The number of the first object; processes have different ranges.
double FirstObject() {
  constexpr double kMaxObjects = 1 << 24;
  return kMaxObjects * static_cast<double>(getpid());
}

// A text as numbers: its length, then its characters, several in a number.
constexpr std::size_t kInNumber = 6;

void PutText(const char* text, std::span<double> outputs) {
  const std::string_view given = text == nullptr ? "" : text;
  if (given.size() > kInNumber * (outputs.size() - 1)) {
    throw std::runtime_error(
        "it gives a String of " + std::to_string(given.size()) +
        " characters; at most " +
        std::to_string(kInNumber * (outputs.size() - 1)) + " are possible");
  }
  std::ranges::fill(outputs, 0);
  outputs[0] = static_cast<double>(given.size());
  for (std::size_t i = given.size(); i-- > 0;) {
    double& number = outputs[1 + i / kInNumber];
    number = 256 * number + static_cast<unsigned char>(given[i]);
  }
}

std::mutex& Turn() {
  static std::mutex turn;
  return turn;
}

// A call, with storage for its arguments and results.
class ForeignCall {
 public:
  explicit ForeignCall(ForeignFunction function)
      : function_(std::move(function)), values_(function_.arguments.size()) {
    for (const ForeignFunction::Argument& argument : function_.arguments) {
      types_.push_back(argument.is_address ? &ffi_type_pointer
                                           : FfiTypeOf(argument.type));
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Prepare(function_.arguments[i], values_[i]);
      places_.push_back(function_.arguments[i].is_address
                            ? static_cast<void*>(&values_[i].address)
                            : values_[i].address);
    }
    ffi_type* const result =
        function_.result ? FfiTypeOf(*function_.result) : &ffi_type_void;
    ORRERY_CHECK(ffi_prep_cif(&interface_,
                              FFI_DEFAULT_ABI,
                              static_cast<unsigned>(types_.size()),
                              result,
                              types_.data()) == FFI_OK);
  }

  ForeignCall(const ForeignCall&) = delete;
  ForeignCall& operator=(const ForeignCall&) = delete;
  ~ForeignCall() = default;

  // Not thread-safe.
  void Run(std::span<const double> inputs, std::span<double> outputs) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const ForeignFunction::Argument& argument = function_.arguments[i];
      const bool is_given = argument.is_given && argument.type != Type::kText;
      Put(i, is_given ? inputs.first(argument.count) : inputs.first(0));
      inputs = inputs.subspan(is_given ? argument.count : 0);
    }
    Result result{};
    ffi_call(&interface_,
             reinterpret_cast<void (*)()>(function_.code),
             &result,
             places_.data());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (function_.arguments[i].is_result) {
        const std::size_t count = function_.arguments[i].count;
        Get(values_[i], outputs.first(count));
        outputs = outputs.subspan(count);
      }
    }
    if (function_.result == Type::kText) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): as for objects.
      PutText(reinterpret_cast<const char*>(result.integer), outputs);
    } else if (function_.result == Type::kObject) {
      outputs[0] = FirstObject() + static_cast<double>(Objects().size());
      // libffi gives a pointer in a register's integer.
      Objects().push_back(
          // NOLINTNEXTLINE(performance-no-int-to-ptr)
          reinterpret_cast<void*>(result.integer));
    } else if (function_.result) {
      outputs[0] = *function_.result == Type::kReal
                       ? result.real
                       : static_cast<double>(static_cast<int>(result.integer));
    } else if (!outputs.empty()) {
      outputs[0] = 1;
    }
  }

 private:
  // The elements of an argument: the member of its type is used.
  struct Value {
    std::vector<double> reals;
    std::vector<int> integers;
    std::size_t size = 0;
    const char* text = nullptr;
    std::vector<const char*> texts;
    void* object = nullptr;
    void* address = nullptr;  // The first element's address.
  };

  union Result {
    double real;
    ffi_arg integer;
  };

  // Always allocates an element, so that the address is valid.
  static void Prepare(const ForeignFunction::Argument& argument, Value& value) {
    const std::size_t room = argument.count + 1;
    switch (argument.type) {
      case Type::kReal:
        value.reals.resize(room);
        value.address = value.reals.data();
        break;
      case Type::kInteger:
        value.integers.resize(room);
        value.address = value.integers.data();
        break;
      case Type::kSize:
        value.address = &value.size;
        break;
      case Type::kObject:
        value.address = &value.object;
        break;
      case Type::kText:
        value.text = argument.text.c_str();
        for (const std::string& text : argument.texts) {
          value.texts.push_back(text.c_str());
        }
        value.address = value.texts.empty()
                            ? static_cast<void*>(&value.text)
                            : static_cast<void*>(value.texts.data());
        break;
    }
  }

  // Fills up with zeros after `numbers`.
  void Put(std::size_t number, std::span<const double> numbers) {
    Value& value = values_[number];
    for (std::size_t k = 0; k < value.reals.size(); ++k) {
      value.reals[k] = k < numbers.size() ? numbers[k] : 0;
    }
    for (std::size_t k = 0; k < value.integers.size(); ++k) {
      value.integers[k] = k < numbers.size() ? ToInt(numbers[k], number) : 0;
    }
    if (function_.arguments[number].type == Type::kText) {
      value.text = function_.arguments[number].text.c_str();
    } else if (function_.arguments[number].type == Type::kSize) {
      value.size = static_cast<std::size_t>(numbers[0]);
    } else if (function_.arguments[number].type == Type::kObject) {
      value.object = ObjectAt(numbers[0]);
    }
  }

  [[nodiscard]] void* ObjectAt(double number) const {
    const std::vector<void*>& objects = Objects();
    const double place = number - FirstObject();
    if (!(place >= 0 && place < static_cast<double>(objects.size()))) {
      throw std::runtime_error("an external object that " + function_.name +
                               " is given has not been made in this run");
    }
    return objects[static_cast<std::size_t>(place)];
  }

  [[nodiscard]] int ToInt(double number, std::size_t argument) const {
    if (!(std::abs(number) <= std::numeric_limits<int>::max())) {
      throw std::runtime_error(
          "argument " + std::to_string(argument + 1) + " of " + function_.name +
          " is too large for an int: " + ShortestText(number));
    }
    return static_cast<int>(number);
  }

  static void Get(const Value& value, std::span<double> outputs) {
    if (value.text != nullptr) {
      PutText(value.text, outputs);
      return;
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      outputs[k] = value.reals.empty() ? value.integers[k] : value.reals[k];
    }
  }

  ForeignFunction function_;
  std::vector<Value> values_;
  std::vector<ffi_type*> types_;
  std::vector<void*> places_;
  ffi_cif interface_{};
};

}  // namespace

std::string TextIn(std::span<const double> outputs) {
  std::string text(static_cast<std::size_t>(outputs[0]), ' ');
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto number = static_cast<std::uint64_t>(outputs[1 + i / kInNumber]);
    number >>= 8 * (i % kInNumber);
    text[i] = static_cast<char>(number & 0xFFU);
  }
  return text;
}

std::shared_ptr<const OpaqueFunction> ToOpaque(ForeignFunction function) {
  auto opaque = std::make_shared<OpaqueFunction>();
  opaque->name = function.name;
  for (const ForeignFunction::Argument& argument : function.arguments) {
    if (argument.type != Type::kText) {
      opaque->num_inputs += argument.is_given ? argument.count : 0;
    }
    opaque->num_outputs += argument.is_result ? argument.count : std::size_t{0};
  }
  opaque->num_outputs += !function.result ? std::size_t{0}
                         : function.result == Type::kText
                             ? ForeignFunction::kTextOutputs
                             : 1;
  opaque->num_outputs = std::max(opaque->num_outputs, std::size_t{1});
  if (function.code == nullptr) {
    opaque->evaluate = [](std::span<const double>, std::span<double>) {
      throw std::runtime_error(
          "code of models is not run by this command; "
          "give --external");
    };
    return opaque;
  }
  const bool is_apart = function.is_apart;
  const auto call = std::make_shared<ForeignCall>(std::move(function));
  if (is_apart) {
    // A process apart has one thread.
    opaque->evaluate = CarryOutApart(
        opaque->num_inputs,
        opaque->num_outputs,
        [call](std::span<const double> inputs, std::span<double> outputs) {
          call->Run(inputs, outputs);
        });
    return opaque;
  }
  opaque->evaluate = [call](std::span<const double> inputs,
                            std::span<double> outputs) {
    const std::lock_guard lock(Turn());
    call->Run(inputs, outputs);
  };
  return opaque;
}

}  // namespace orrery::modelica::internal
