#include "orrery/codegen/internal/operations.h"

#include <sleef.h>

#include <vector>

#include <llvm/IR/Intrinsics.h>

// Those for vectors; sleef.h declares them for builds for such processors only.
// They are called by machine code alone.
#define ORRERY_VECTOR_FUNCTION(name)              \
  extern "C" void Sleef_cinz_##name##d4_u10avx(); \
  extern "C" void Sleef_cinz_##name##d8_u10avx512fnofma();
#define ORRERY_ELEMENTARY_FUNCTIONS(X) \
  X(exp)                               \
  X(log)                               \
  X(log10)                             \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(atan2)
ORRERY_ELEMENTARY_FUNCTIONS(ORRERY_VECTOR_FUNCTION)

namespace orrery::internal {
namespace {

using llvm::Value;

// An elementary function: its code for one number, and for vectors of 4 and 8,
// which give the same bits.
struct Elementary {
  Op op;
  int arguments;
  NamedAddress scalar;
  NamedAddress avx;
  NamedAddress avx512;
};

template <typename Function>
NamedAddress Named(const char* name, Function* function) {
  return {.name = name, .address = reinterpret_cast<void*>(function)};
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): names of functions.
#define ORRERY_SLEEF(name) Named(#name, &(name))
#define ORRERY_ELEMENTARY(op, arguments, function)                       \
  Elementary {                                                           \
    Op::op, arguments, ORRERY_SLEEF(Sleef_cinz_##function##d1_u10purec), \
        ORRERY_SLEEF(Sleef_cinz_##function##d4_u10avx),                  \
        ORRERY_SLEEF(Sleef_cinz_##function##d8_u10avx512fnofma)          \
  }

const std::vector<Elementary>& Elementaries() {
  static const std::vector<Elementary> all = {
      ORRERY_ELEMENTARY(kExp, 1, exp),
      ORRERY_ELEMENTARY(kLog, 1, log),
      ORRERY_ELEMENTARY(kLog10, 1, log10),
      ORRERY_ELEMENTARY(kSin, 1, sin),
      ORRERY_ELEMENTARY(kCos, 1, cos),
      ORRERY_ELEMENTARY(kTan, 1, tan),
      ORRERY_ELEMENTARY(kAsin, 1, asin),
      ORRERY_ELEMENTARY(kAcos, 1, acos),
      ORRERY_ELEMENTARY(kAtan, 1, atan),
      ORRERY_ELEMENTARY(kSinh, 1, sinh),
      ORRERY_ELEMENTARY(kCosh, 1, cosh),
      ORRERY_ELEMENTARY(kTanh, 1, tanh),
      ORRERY_ELEMENTARY(kAtan2, 2, atan2),
  };
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

// How LLVM's vectoriser learns of a function for vectors: the vector function
// ABI, with a name of its own.
std::string VectorVariant(int lanes,
                          const Elementary& function,
                          const NamedAddress& vector) {
  return "_ZGV_LLVM_N" + std::to_string(lanes) +
         std::string(static_cast<std::size_t>(function.arguments), 'v') + "_" +
         function.scalar.name + "(" + vector.name + ")";
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

Operations::Operations(llvm::Module& module, llvm::IRBuilder<>& builder)
    : module_(module), builder_(builder) {}

Value* Operations::Number(double value) {
  return llvm::ConstantFP::get(builder_.getDoubleTy(), value);
}

Value* Operations::IsTrue(Value* number) {
  return builder_.CreateFCmpUNE(number, Number(0));
}

Value* Operations::Truth(Value* condition) {
  return builder_.CreateUIToFP(condition, builder_.getDoubleTy());
}

Value* Operations::Intrinsic(llvm::Intrinsic::ID id, Value* a) {
  return builder_.CreateUnaryIntrinsic(id, a);
}

Value* Operations::Call(const std::string& name,
                        std::span<Value* const> arguments) {
  const std::vector<llvm::Type*> types(arguments.size(),
                                       builder_.getDoubleTy());
  llvm::FunctionCallee callee = module_.getOrInsertFunction(
      name, llvm::FunctionType::get(builder_.getDoubleTy(), types, false));
  auto* const function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  llvm::CallInst* const call = builder_.CreateCall(
      callee, llvm::ArrayRef<Value*>(arguments.data(), arguments.size()));
  for (const Elementary& known : Elementaries()) {
    if (known.scalar.name != name) {
      continue;
    }
    call->addFnAttr(
        llvm::Attribute::get(module_.getContext(),
                             "vector-function-abi-variant",
                             VectorVariant(4, known, known.avx) + "," +
                                 VectorVariant(8, known, known.avx512)));
    for (const auto& [lanes, vector] :
         {std::pair(4U, &known.avx), std::pair(8U, &known.avx512)}) {
      auto* const type =
          llvm::FixedVectorType::get(builder_.getDoubleTy(), lanes);
      const std::vector<llvm::Type*> vectors(arguments.size(), type);
      module_.getOrInsertFunction(
          vector->name, llvm::FunctionType::get(type, vectors, false));
    }
  }
  return call;
}

Value* Operations::Emit(Op op, std::span<Value* const> operands) {
  if (op == Op::kPower) {
    return Call(kPowerFunction, operands);
  }
  if (const Elementary* const function = Find(op)) {
    return Call(function->scalar.name, operands);
  }
  switch (operands.size()) {
    case 1:
      return EmitUnary(op, operands[0]);
    case 2:
      return EmitBinary(op, operands[0], operands[1]);
    default:
      return builder_.CreateSelect(
          IsTrue(operands[0]), operands[1], operands[2]);
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

}  // namespace orrery::internal
