#include "orrery/fmi/writing/exported_fmu.h"

#include <dlfcn.h>

#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/byte_stream.h"
#include "orrery/base/source_file.h"
#include "orrery/base/system/dynamic_library.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/runtime/exported_model.h"
#include "orrery/fmi/writing/description_writer.h"
#include "orrery/fmi/writing/program_description.h"
#include "orrery/fmi/writing/zip_archive_writer.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {
namespace {

// The bytes of the shared library that has a symbol.
std::string LibraryWith(const char* name, const char* symbol) {
  const DynamicLibrary library(name, "export an FMU");
  Dl_info info{};
  ORRERY_CHECK(
      dladdr(reinterpret_cast<const void*>(library.Find<void()>(symbol)),
             &info) != 0);
  return std::string(SourceFile::Read(info.dli_fname)->text());
}

// A token that tells FMUs with other contents apart.
std::string TokenOf(std::string_view content) {
  const std::uint64_t first = ChecksumOf(content);
  const std::uint64_t second = ChecksumOf(std::string(content) + "2");
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}",
                     first >> 32U,
                     (first >> 16U) & 0xffffU,
                     first & 0xffffU,
                     second >> 48U,
                     second & 0xffffffffffffU);
}

ExportedModel ModelOf(const std::shared_ptr<const Program>& program,
                      const ExportOptions& options) {
  // Refuses what does not fit, as for a run.
  SimulationOptions run;
  run.method = options.method;
  run.tolerance = options.tolerance;
  if (options.step) {
    run.step = Seconds(*options.step);
  }
  run.settings = options.settings;
  CheckOptions(*program, run);

  ExportedModel model{.method = options.method,
                      .step = options.step.value_or(0),
                      .tolerance = options.tolerance,
                      .program = program};
  const NameTable names(*program);
  for (const Setting& setting : options.settings) {
    model.settings.emplace_back(
        ReferenceNumber(*program, names.Get(setting.name)), setting.value);
  }
  return model;
}

}  // namespace

std::string IdentifierOf(std::string_view model_name) {
  std::string identifier;
  for (const char c : model_name) {
    const auto byte = static_cast<unsigned char>(c);
    identifier += byte < 0x80 && std::isalnum(byte) != 0 ? c : '_';
  }
  const bool begins_badly =
      identifier.empty() ||
      std::isdigit(static_cast<unsigned char>(identifier.front())) != 0;
  return begins_badly ? "model_" + identifier : identifier;
}

std::string PackFmu(const FmuContent& content) {
  Description description = content.description;
  description.tool = "Orrery " ORRERY_VERSION;
  description.token = TokenOf(content.model("") + DescriptionText(description));
  const std::string code =
      "binaries/" + PlatformHere(description.version) + "/";
  std::vector<ArchivedFile> files = {
      {.name = "modelDescription.xml", .content = DescriptionText(description)},
      {.name = code + content.identifier + ".so", .content = content.code}};
  if (content.needs_sleef) {
    files.push_back(
        {.name = code + ORRERY_SLEEF,
         .content = LibraryWith(ORRERY_SLEEF, "Sleef_cinz_expd2_u10sse2")});
  }
  for (const auto& [name, bytes] : content.beside) {
    files.push_back({.name = code + name, .content = bytes});
  }
  files.push_back({.name = "resources/" + std::string(kModelFile),
                   .content = content.model(description.token)});
  return ArchiveOf(files);
}

std::string ExportFmu(const std::shared_ptr<const Program>& program,
                      const ExportOptions& options) {
  ExportedModel model = ModelOf(program, options);
  std::string why_no_exchange = WhyNoExchange(*program);
  Description description = DescriptionOf(
      program, options.version, why_no_exchange.empty(), options.settings);
  if (description.structure.derivatives.size() != program->state_slots.size()) {
    why_no_exchange = "some of its states have no names";
  }
  if (options.use == ExportedUse::kModelExchange && !why_no_exchange.empty()) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot export {} for Model Exchange: {}; take "
                            "Co-Simulation, by --as cs",
                            program->name,
                            why_no_exchange));
  }
  const bool with_exchange =
      options.use != ExportedUse::kCoSimulation && why_no_exchange.empty();
  if (!with_exchange) {
    description =
        DescriptionOf(program, options.version, false, options.settings);
  }
  const std::string identifier = IdentifierOf(program->name);
  const Interface interface {
    .kind = InterfaceKind::kModelExchange, .model_identifier = identifier,
    .can_get_and_set_state = true, .can_serialize_state = true,
    .provides_directional_derivatives = true, .needs_completed_step = true
  };
  if (with_exchange) {
    description.interfaces.push_back(interface);
  }
  if (options.use != ExportedUse::kModelExchange) {
    description.interfaces.push_back(interface);
    description.interfaces.back().kind = InterfaceKind::kCoSimulation;
    // With delays, values depend on more than the point of the run.
    description.interfaces.back().provides_directional_derivatives =
        program->delays.empty();
    description.interfaces.back().needs_completed_step = false;
    description.interfaces.back().can_handle_variable_step = true;
  }
  if (options.tolerance) {
    description.experiment.tolerance = options.tolerance;
  }
  const auto model_of = [&](const std::string& token) {
    model.token = token;
    try {
      return BytesOf(model);
    } catch (const Error& error) {
      throw Error(
          error.code(),
          fmt::format("cannot export {}: {}", program->name, error.what()));
    }
  };
  const bool needs_sleef = options.elementary == Elementary::kSame;
  return PackFmu({.description = std::move(description),
                  .identifier = identifier,
                  .code = LibraryWith(
                      needs_sleef ? ORRERY_FMU_CODE_SAME : ORRERY_FMU_CODE_LIBM,
                      "fmi3GetVersion"),
                  .needs_sleef = needs_sleef,
                  .model = model_of});
}

}  // namespace orrery::fmi
