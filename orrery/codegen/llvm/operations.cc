#include "orrery/codegen/llvm/operations.h"

#include <sleef.h>

#include <cmath>
#include <vector>

#include <llvm/IR/Intrinsics.h>

#include "orrery/base/numbers/elementary.h"

// The elementary functions of SLEEF: operation and name.
#define ORRERY_ELEMENTARY_FUNCTIONS(X) \
  X(kExp, exp)                         \
  X(kLog, log)                         \
  X(kLog10, log10)                     \
  X(kSin, sin)                         \
  X(kCos, cos)                         \
  X(kTan, tan)                         \
  X(kAsin, asin)                       \
  X(kAcos, acos)                       \
  X(kAtan, atan)                       \
  X(kSinh, sinh)                       \
  X(kCosh, cosh)                       \
  X(kTanh, tanh)                       \
  X(kAtan2, atan2)                     \
  X(kPower, pow)

// Those for vectors; sleef.h declares them only for builds for such processors.
// Only machine code calls them.
#define ORRERY_DECLARE(op, name)                  \
  extern "C" void Sleef_cinz_##name##d4_u10avx(); \
  extern "C" void Sleef_cinz_##name##d8_u10avx512fnofma();
ORRERY_ELEMENTARY_FUNCTIONS(ORRERY_DECLARE)

namespace orrery::codegen::internal {

// An elementary function: its code for one number, and for vectors of 4 and 8,
// which give the same bits.
struct Elementary {
  Op op;
  NamedAddress scalar;
  NamedAddress avx;
  NamedAddress avx512;
};

namespace {

using llvm::Value;

template <typename Function>
NamedAddress Named(const char* name, Function* function) {
  return {.name = name, .address = reinterpret_cast<void*>(function)};
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): names of functions.
#define ORRERY_SLEEF(name) Named(#name, &(name))
#define ORRERY_ELEMENTARY(op, name)                                         \
  Elementary{Op::op,                                                        \
             Named("orrery_" #name, &OfOne<Sleef_cinz_##name##d2_u10sse2>), \
             ORRERY_SLEEF(Sleef_cinz_##name##d4_u10avx),                    \
             ORRERY_SLEEF(Sleef_cinz_##name##d8_u10avx512fnofma)},

const std::vector<Elementary>& Elementaries() {
  static const std::vector<Elementary> all = {
      ORRERY_ELEMENTARY_FUNCTIONS(ORRERY_ELEMENTARY)};
  return all;
}

#undef ORRERY_ELEMENTARY
#undef ORRERY_SLEEF

const Elementary* Find(Op op) {
  for (const Elementary& function : Elementaries()) {
    if (function.op == op) {
      return &function;
    }
  }
  return nullptr;
}

}  // namespace

std::span<const NamedAddress> ElementaryFunctions() {
  static const std::vector<NamedAddress> all = [] {
    std::vector<NamedAddress> list;
    for (const Elementary& function : Elementaries()) {
      list.push_back(function.scalar);
      list.push_back(function.avx);
      list.push_back(function.avx512);
    }
    return list;
  }();
  return all;
}

Operations::Operations(llvm::Module& module,
                       llvm::IRBuilder<>& builder,
                       llvm::Type* number)
    : module_(module), builder_(builder), number_(number) {}

unsigned Operations::lanes() const {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(number_);
  return vector == nullptr ? 1 : vector->getNumElements();
}

Value* Operations::Number(double value) {
  return llvm::ConstantFP::get(number_, value);
}

Value* Operations::InAllLanes(Value* number) {
  return lanes() == 1 ? number : builder_.CreateVectorSplat(lanes(), number);
}

Value* Operations::IsTrue(Value* number) {
  return builder_.CreateFCmpUNE(number, Number(0));
}

Value* Operations::Truth(Value* condition) {
  return builder_.CreateUIToFP(condition, number_);
}

Value* Operations::Intrinsic(llvm::Intrinsic::ID id, Value* a) {
  return builder_.CreateUnaryIntrinsic(id, a);
}

// Declares a function without effects.
llvm::Function* Operations::Declare(const std::string& name,
                                    llvm::Type* type,
                                    std::size_t arguments) {
  const std::vector<llvm::Type*> types(arguments, type);
  auto* const function = llvm::cast<llvm::Function>(
      module_
          .getOrInsertFunction(name,
                               llvm::FunctionType::get(type, types, false))
          .getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return function;
}

// Calls a function of `lanes` numbers on parts of our lanes; joins the results.
Value* Operations::CallInParts(llvm::Function* function,
                               unsigned lanes,
                               std::span<Value* const> arguments) {
  Value* whole = nullptr;
  for (unsigned begin = 0; begin < this->lanes(); begin += lanes) {
    std::vector<int> part;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      part.push_back(static_cast<int>(begin + lane));
    }
    std::vector<Value*> parts;
    for (Value* const argument : arguments) {
      parts.push_back(lanes == 1
                          ? builder_.CreateExtractElement(argument, begin)
                          : builder_.CreateShuffleVector(argument, part));
    }
    Value* const result = builder_.CreateCall(function, parts);
    if (lanes == 1) {
      whole = builder_.CreateInsertElement(
          whole == nullptr ? llvm::PoisonValue::get(number_) : whole,
          result,
          begin);
    } else if (lanes == this->lanes()) {
      whole = result;
    } else {
      whole = builder_.CreateInsertVector(
          number_,
          whole == nullptr ? llvm::PoisonValue::get(number_) : whole,
          result,
          builder_.getInt64(begin));
    }
  }
  return whole;
}

// Calls the function for the longest vectors of the processor. LLVM's
// vectoriser knows it by a name of the vector function ABI.
Value* Operations::Call(const Elementary& function,
                        std::span<Value* const> arguments) {
  const auto vector = [&](const NamedAddress& variant, unsigned lanes) {
    return Declare(variant.name,
                   llvm::FixedVectorType::get(builder_.getDoubleTy(), lanes),
                   arguments.size());
  };
  if (lanes() > 1) {
    const bool is_long = VectorWidth() == 8 && lanes() % 8 == 0;
    return CallInParts(
        is_long ? vector(function.avx512, 8) : vector(function.avx, 4),
        is_long ? 8 : 4,
        arguments);
  }
  llvm::CallInst* const call = builder_.CreateCall(
      Declare(function.scalar.name, builder_.getDoubleTy(), arguments.size()),
      llvm::ArrayRef<Value*>(arguments.data(), arguments.size()));
  std::string variants;
  const std::string parameters(arguments.size(), 'v');
  for (const auto& [lanes, variant] :
       {std::pair(4U, &function.avx), std::pair(8U, &function.avx512)}) {
    if (lanes > VectorWidth()) {
      break;
    }
    vector(*variant, lanes);
    variants += (variants.empty() ? "" : ",");
    variants += "_ZGV_LLVM_N" + std::to_string(lanes) + parameters + "_" +
                function.scalar.name + "(" + variant->name + ")";
  }
  if (!variants.empty()) {
    call->addFnAttr(llvm::Attribute::get(
        module_.getContext(), "vector-function-abi-variant", variants));
  }
  return call;
}

Value* Operations::Emit(Op op, std::span<Value* const> operands) {
  if (op == Op::kPower) {
    return EmitPower(operands);
  }
  if (const Elementary* const function = Find(op)) {
    return Call(*function, operands);
  }
  switch (operands.size()) {
    case 1:
      return EmitUnary(op, operands[0]);
    case 2:
      return EmitBinary(op, operands[0], operands[1]);
    default:
      return EmitTernary(op, operands[0], operands[1], operands[2]);
  }
}

Value* Operations::EmitPower(std::span<Value* const> operands) {
  const auto* exponent = llvm::dyn_cast<llvm::Constant>(operands[1]);
  if (exponent != nullptr && lanes() > 1) {
    exponent = exponent->getSplatValue();
  }
  if (const auto* const known =
          llvm::dyn_cast_or_null<llvm::ConstantFP>(exponent)) {
    const double number = known->getValueAPF().convertToDouble();
    return IsMultipliedPower(number) ? EmitMultipliedPower(operands[0], number)
                                     : Call(*Find(Op::kPower), operands);
  }
  llvm::Function* const power =
      Declare(kPowerFunction, builder_.getDoubleTy(), 2);
  return lanes() == 1 ? builder_.CreateCall(power, {operands[0], operands[1]})
                      : CallInParts(power, 1, operands);
}

// As described at IsMultipliedPower.
Value* Operations::EmitMultipliedPower(Value* base, double exponent) {
  const double size = std::abs(exponent);
  const auto whole = static_cast<unsigned>(size);
  Value* result = Number(1);
  Value* square = base;
  for (unsigned bits = whole; bits != 0;) {
    if ((bits & 1U) != 0) {
      result = builder_.CreateFMul(result, square);
    }
    bits >>= 1U;
    if (bits != 0) {
      square = builder_.CreateFMul(square, square);
    }
  }
  if (size != whole) {
    result =
        builder_.CreateFMul(result, Intrinsic(llvm::Intrinsic::sqrt, base));
  }
  return exponent < 0 ? builder_.CreateFDiv(Number(1), result) : result;
}

Value* Operations::EmitTernary(Op op, Value* a, Value* b, Value* c) {
  const auto fused = [&](Value* first, Value* last) {
    return builder_.CreateIntrinsic(
        number_, llvm::Intrinsic::fma, {first, b, last});
  };
  switch (op) {
    case Op::kSelect:
      return builder_.CreateSelect(IsTrue(a), b, c);
    case Op::kMultiplyAdd:
      return fused(a, c);
    case Op::kMultiplySubtract:
      return fused(a, builder_.CreateFNeg(c));
    default:
      return fused(builder_.CreateFNeg(a), c);
  }
}

Value* Operations::EmitUnary(Op op, Value* a) {
  switch (op) {
    case Op::kNegate:
      return builder_.CreateFNeg(a);
    case Op::kNot:
      return Truth(builder_.CreateFCmpOEQ(a, Number(0)));
    case Op::kAbs:
      return Intrinsic(llvm::Intrinsic::fabs, a);
    case Op::kSign:
      return builder_.CreateSelect(
          builder_.CreateFCmpOGT(a, Number(0)),
          Number(1),
          builder_.CreateSelect(
              builder_.CreateFCmpOLT(a, Number(0)), Number(-1), a));
    case Op::kSqrt:
      return Intrinsic(llvm::Intrinsic::sqrt, a);
    case Op::kFloor:
      return Intrinsic(llvm::Intrinsic::floor, a);
    default:
      return Intrinsic(llvm::Intrinsic::ceil, a);
  }
}

Value* Operations::EmitBinary(Op op, Value* a, Value* b) {
  llvm::IRBuilder<>& build = builder_;
  // a - rounded(a / b) * b
  const auto rest = [&](llvm::Intrinsic::ID rounding) {
    Value* const quotient = Intrinsic(rounding, build.CreateFDiv(a, b));
    return build.CreateFSub(a, build.CreateFMul(quotient, b));
  };
  switch (op) {
    case Op::kAdd:
      return build.CreateFAdd(a, b);
    case Op::kSubtract:
      return build.CreateFSub(a, b);
    case Op::kMultiply:
      return build.CreateFMul(a, b);
    case Op::kDivide:
      return build.CreateFDiv(a, b);
    case Op::kMin:
      return build.CreateSelect(build.CreateFCmpOLT(a, b), a, b);
    case Op::kMax:
      return build.CreateSelect(build.CreateFCmpOGT(a, b), a, b);
    case Op::kMod:
      return rest(llvm::Intrinsic::floor);
    case Op::kRem:
      return rest(llvm::Intrinsic::trunc);
    case Op::kQuotient:
      return Intrinsic(llvm::Intrinsic::trunc, build.CreateFDiv(a, b));
    case Op::kLess:
      return Truth(build.CreateFCmpOLT(a, b));
    case Op::kLessEqual:
      return Truth(build.CreateFCmpOLE(a, b));
    case Op::kEqual:
      return Truth(build.CreateFCmpOEQ(a, b));
    case Op::kNotEqual:
      return Truth(build.CreateFCmpUNE(a, b));
    case Op::kAnd:
      return Truth(build.CreateAnd(IsTrue(a), IsTrue(b)));
    default:
      return Truth(build.CreateOr(IsTrue(a), IsTrue(b)));
  }
}

}  // namespace orrery::codegen::internal
