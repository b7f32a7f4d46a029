#include "orrery/codegen/llvm/llvm_compiler.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include "orrery/codegen/llvm/adaptive_emitter.h"
#include "orrery/codegen/llvm/ir_parts.h"
#include "orrery/codegen/llvm/operations.h"
#include "orrery/codegen/llvm/steps_emitter.h"
#include "orrery/codegen/llvm/tape_emitter.h"
#include "orrery/codegen/llvm/taylor_emitter.h"
#include "orrery/codegen/llvm/taylor_steps_emitter.h"
#include "orrery/codegen/plan/section_plan.h"

namespace orrery::codegen::internal {
namespace {

// Straight code beyond this is compiled in pieces: schedulers and register
// allocators take more than linear time.
constexpr std::size_t kMostInPiece = 250;

// The processor and the linker, once in a process.
class Jit {
 public:
  // @throws std::runtime_error
  static Jit& Get() {
    // Never destroyed: code may run until the process ends.
    // NOLINTNEXTLINE(*-owning-memory,*-avoid-non-const-global-variables)
    static Jit* const jit = new Jit;
    return *jit;
  }

  [[nodiscard]] llvm::orc::LLJIT& lljit() noexcept { return *lljit_; }

  [[nodiscard]] std::unique_ptr<llvm::TargetMachine> NewTarget() {
    return Take(target_.createTargetMachine());
  }

  // Defines the functions that code calls; only the first call counts.
  void Define(const NativeCalls& calls) {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(has_symbols_, true)) {
      return;
    }
    llvm::orc::SymbolMap symbols;
    const auto add = [&](const std::string& name, void* address) {
      symbols[lljit_->mangleAndIntern(name)] = {
          llvm::orc::ExecutorAddr::fromPtr(address),
          llvm::JITSymbolFlags::Callable | llvm::JITSymbolFlags::Exported};
    };
    for (const NamedAddress& function : ElementaryFunctions()) {
      add(function.name, function.address);
    }
    add(kPowerFunction, reinterpret_cast<void*>(calls.power));
    add(kOpaqueFunction, reinterpret_cast<void*>(calls.opaque));
    Check(lljit_->getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(symbols))));
  }

  template <typename T>
  static T Take(llvm::Expected<T> result) {
    if (!result) {
      throw std::runtime_error(llvm::toString(result.takeError()));
    }
    return std::move(*result);
  }

  static void Check(llvm::Error error) {
    if (error) {
      throw std::runtime_error(llvm::toString(std::move(error)));
    }
  }

 private:
  Jit() : target_(Target()) {
    lljit_ = Take(
        llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(target_).create());
  }

  static llvm::orc::JITTargetMachineBuilder Target() {
    // The schedulers of machine code build graphs of all pairs of accesses to
    // memory; the processor reorders by itself.
    static constexpr std::array kOptions = {
        "orrery", "-enable-misched=false", "-disable-post-ra"};
    llvm::cl::ParseCommandLineOptions(static_cast<int>(kOptions.size()),
                                      kOptions.data());
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto target = Take(llvm::orc::JITTargetMachineBuilder::detectHost());
    // The linker lays code and constants side by side and calls distant
    // functions by a table: no address takes an instruction of its own.
    target.setRelocationModel(llvm::Reloc::PIC_);
    target.setCodeModel(llvm::CodeModel::Small);
    target.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    target.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
    return target;
  }

  llvm::orc::JITTargetMachineBuilder target_;
  std::unique_ptr<llvm::orc::LLJIT> lljit_;
  std::mutex mutex_;
  bool has_symbols_ = false;
};

// The name of an entry among those made together.
std::string NameOfEntry(const std::string& name, std::size_t number) {
  return number == 0 ? name : name + "_" + std::to_string(number);
}

std::string NameOfFunction(const std::string& name, std::uint32_t number) {
  return name + "_f" + std::to_string(number);
}

// A section and the functions that it calls and that have no code yet, as a
// module.
class SectionModule {
 public:
  // @param name of its entry.
  SectionModule(const NativeTask& task,
                std::string name,
                llvm::LLVMContext& context)
      : tape_(*task.tape),
        task_(task),
        name_(std::move(name)),
        module_(std::make_unique<llvm::Module>("section", context)),
        type_(TypeOf(1, context)) {}

  std::unique_ptr<llvm::Module> Write() {
    if (task_.taylor != nullptr) {
      EmitTaylor(*task_.taylor);
      return std::move(module_);
    }
    llvm::FunctionType* const type =
        TypeOf(task_.has_states ? 3 : 1, module_->getContext());
    const bool has_steps = task_.steps != nullptr;
    llvm::Function* const entry =
        NewFunction(type,
                    has_steps ? "" : name_,
                    has_steps ? llvm::GlobalValue::InternalLinkage
                              : llvm::GlobalValue::ExternalLinkage);
    if (has_steps) {
      EmitSteps(*task_.steps, *entry);
      if (task_.code.size() * task_.steps->tableau->stages() <= kMostInPiece) {
        entry->addFnAttr(llvm::Attribute::AlwaysInline);
      }
    }
    WriteCode(task_.code, *entry);
    for (std::size_t k = 0; k < task_.more.size(); ++k) {
      WriteCode(task_.more[k],
                *NewFunction(type,
                             NameOfEntry(name_, k + 1),
                             llvm::GlobalValue::ExternalLinkage));
    }
    // Functions are met while others are written.
    // NOLINTNEXTLINE(modernize-loop-convert): it grows.
    for (std::size_t next = 0; next < to_write_.size(); ++next) {
      const auto body = tape_.FunctionCode(to_write_[next]);
      const SectionPlan whole(tape_, body, true, 0);
      Emit(body, whole, whole.pieces().front(), *functions_[to_write_[next]]);
    }
    return std::move(module_);
  }

  // Numbers of the functions in it.
  [[nodiscard]] std::span<const std::uint32_t> written() const noexcept {
    return to_write_;
  }

 private:
  static llvm::FunctionType* TypeOf(std::size_t pointers,
                                    llvm::LLVMContext& context) {
    const std::vector<llvm::Type*> types(pointers,
                                         llvm::PointerType::get(context, 0));
    return llvm::FunctionType::get(
        llvm::Type::getInt8Ty(context), types, false);
  }

  [[nodiscard]] std::uint32_t Lanes() const noexcept {
    return task_.taylor != nullptr  ? task_.taylor->lanes
           : task_.steps != nullptr ? task_.steps->lanes
                                    : task_.lanes;
  }

  // True if functions that the code calls save numbers. In lanes none are
  // called.
  [[nodiscard]] bool NeedsStack() const noexcept {
    return tape_.stack() != 0 && Lanes() == 1;
  }

  llvm::Function* NewFunction(llvm::FunctionType* type,
                              const std::string& name,
                              llvm::GlobalValue::LinkageTypes linkage) {
    llvm::Function* const function =
        llvm::Function::Create(type, linkage, name, *module_);
    for (unsigned i = 0; i < type->getNumParams(); ++i) {
      if (type->getParamType(i)->isPointerTy()) {
        function->addParamAttr(i, llvm::Attribute::NoAlias);
      }
    }
    function->addFnAttr(llvm::Attribute::NoUnwind);
    if (Lanes() > 1) {  // Vectors in the stack must not cross cache lines.
      constexpr std::uint64_t kCacheLine = 64;
      function->addFnAttr(llvm::Attribute::getWithStackAlignment(
          module_->getContext(), llvm::Align(kCacheLine)));
    }
    return function;
  }

  void WriteCode(std::span<const Tape::Instruction> code,
                 llvm::Function& entry) {
    const SectionPlan plan(tape_, code, !task_.has_states, kMostInPiece);
    if (plan.pieces().size() == 1 && !NeedsStack()) {
      Emit(code, plan, plan.pieces().front(), entry);
      return;
    }
    std::vector<llvm::Function*> pieces;
    for (const CodePiece& piece : plan.pieces()) {
      pieces.push_back(NewFunction(
          entry.getFunctionType(), "", llvm::GlobalValue::InternalLinkage));
      Emit(code, plan, piece, *pieces.back());
    }
    CallAll(pieces, entry);
  }

  llvm::FunctionCallee Callee(std::uint32_t number) {
    if (void* const code = task_.functions[number]) {
      llvm::LLVMContext& context = module_->getContext();
      return {type_,
              llvm::ConstantExpr::getIntToPtr(
                  llvm::ConstantInt::get(llvm::Type::getInt64Ty(context),
                                         reinterpret_cast<std::uint64_t>(code)),
                  llvm::PointerType::get(context, 0))};
    }
    llvm::Function*& function = functions_[number];
    if (function == nullptr) {
      function = NewFunction(type_,
                             NameOfFunction(name_, number),
                             llvm::GlobalValue::ExternalLinkage);
      to_write_.push_back(number);
    }
    return function;
  }

  void Emit(std::span<const Tape::Instruction> code,
            const SectionPlan& plan,
            const CodePiece& piece,
            llvm::Function& function) {
    llvm::LLVMContext& context = module_->getContext();
    // Steps take several vectors in turn.
    const std::uint32_t width =
        task_.steps != nullptr ? std::min(Lanes(), VectorWidth()) : Lanes();
    TapeEmitter(tape_,
                code,
                plan,
                function,
                NumberType(context, width),
                NumberType(context, Lanes()),
                [this](std::uint32_t number) { return Callee(number); })
        .Emit(piece);
  }

  void EmitTaylor(const NativeTaylorTask& task) {
    llvm::LLVMContext& context = module_->getContext();
    llvm::Function* const function = NewFunction(
        task.has_steps ? TypeOfSteps(context) : TaylorEmitter::Type(context),
        name_,
        llvm::GlobalValue::ExternalLinkage);
    if (task.has_steps) {
      TaylorStepsEmitter(task, *function).Emit();
    } else {
      TaylorEmitter::EmitFunction(*task.plan, task.order, *function);
    }
  }

  void EmitSteps(const NativeStepsTask& steps, llvm::Function& slopes) {
    llvm::LLVMContext& context = module_->getContext();
    const bool is_adaptive = steps.method != nullptr;
    llvm::Function* const function = NewFunction(
        is_adaptive ? TypeOfSteps(context) : StepsEmitter::Type(context),
        name_,
        llvm::GlobalValue::ExternalLinkage);
    if (is_adaptive) {
      AdaptiveEmitter(steps, slopes, *function).Emit();
    } else {
      StepsEmitter(steps, slopes, *function).Emit();
    }
  }

  void CallAll(std::span<llvm::Function* const> pieces, llvm::Function& entry) {
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(module_->getContext(), "", &entry));
    llvm::Value* const memory = entry.getArg(0);
    if (NeedsStack()) {
      builder.CreateStore(builder.getInt64(0),
                          builder.CreateConstInBoundsGEP1_64(
                              builder.getDoubleTy(), memory, tape_.stack()));
    }
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& argument : entry.args()) {
      arguments.push_back(&argument);
    }
    for (llvm::Function* const piece : pieces) {
      EndUnlessDone(builder.CreateCall(piece, arguments), builder);
    }
    builder.CreateRet(builder.getInt8(0));
  }

  const Tape& tape_;
  const NativeTask& task_;
  std::string name_;
  std::unique_ptr<llvm::Module> module_;
  llvm::FunctionType* type_;  // For the tape's functions.
  std::unordered_map<std::uint32_t, llvm::Function*> functions_;
  std::vector<std::uint32_t> to_write_;
};

// Recurrences are written with vectors; those of tapes have to be found.
constexpr const char* kTaylorPasses =
    "function(sroa,early-cse<memssa>,loop-mssa(licm),simplifycfg)";
constexpr const char* kTapePasses =
    "always-inline,"
    "function(sroa,simplifycfg,early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm),loop(indvars),loop-vectorize,"
    "instcombine<no-verify-fixpoint>,early-cse<memssa>,slp-vectorizer,"
    "simplifycfg)";

void Optimise(llvm::Module& module,
              const char* pipeline,
              llvm::TargetMachine& target) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&target);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  Jit::Check(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

class JitCode final : public LlvmCode {
 public:
  explicit JitCode(const NativeTask& task) {
    static std::atomic<std::uint64_t> count = 0;
    const std::string name = "code_" + std::to_string(count++);
    llvm::LLVMContext context;
    SectionModule section(task, name, context);
    const std::unique_ptr<llvm::Module> module = section.Write();
    const std::unique_ptr<llvm::TargetMachine> target = Jit::Get().NewTarget();
    module->setDataLayout(target->createDataLayout());
    module->setTargetTriple(target->getTargetTriple().str());
    std::string faults;
    llvm::raw_string_ostream stream(faults);
    if (llvm::verifyModule(*module, &stream)) {
      throw std::logic_error(faults);
    }
    Optimise(
        *module, task.taylor == nullptr ? kTapePasses : kTaylorPasses, *target);
    llvm::orc::LLJIT& jit = Jit::Get().lljit();
    tracker_ = jit.getMainJITDylib().createResourceTracker();
    // The linker has one target machine for all threads, which two must not
    // use at once; this one is nobody else's.
    Jit::Check(jit.addObjectFile(
        tracker_, Jit::Take(llvm::orc::SimpleCompiler(*target)(*module))));
    for (std::size_t k = 0; k <= task.more.size(); ++k) {
      entries_.push_back(
          Jit::Take(jit.lookup(NameOfEntry(name, k))).toPtr<void*>());
    }
    for (const std::uint32_t number : section.written()) {
      functions_.push_back(
          {.number = number,
           .code = Jit::Take(jit.lookup(NameOfFunction(name, number)))
                       .toPtr<void*>()});
    }
  }

  JitCode(const JitCode&) = delete;
  JitCode& operator=(const JitCode&) = delete;

  ~JitCode() override { llvm::consumeError(tracker_->remove()); }

  [[nodiscard]] std::span<void* const> entries() const noexcept override {
    return entries_;
  }

  [[nodiscard]] std::span<const MadeFunction> functions()
      const noexcept override {
    return functions_;
  }

 private:
  llvm::orc::ResourceTrackerSP tracker_;
  std::vector<void*> entries_;
  std::vector<MadeFunction> functions_;
};

}  // namespace
}  // namespace orrery::codegen::internal

orrery::codegen::internal::LlvmCode*
orrery::codegen::internal::OrreryLlvmCompile(const NativeTask& task,
                                             const NativeCalls& calls,
                                             std::string& error) {
  try {
    Jit::Get().Define(calls);
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    return new JitCode(task);
  } catch (const std::exception& exception) {
    error = exception.what();
  }
  return nullptr;
}
