#include "orrery/sdk/runs/trace_file.h"

#include <algorithm>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/base/text/pattern.h"
#include "orrery/results/output_file.h"

namespace orrery::sdk::internal {
namespace {

devs::Trace::Format FormatOf(const std::string& path) {
  const std::string ending = FormatEnding(path);
  if (ending == ".csv") {
    return devs::Trace::Format::kCsv;
  }
  if (ending == ".jsonl") {
    return devs::Trace::Format::kJsonLines;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot write a trace to " + path +
                  ": the ending of its name says no format; known endings: "
                  ".csv, .jsonl");
}

}  // namespace

TraceFile::TraceFile(const std::string& path)
    : file_(path),
      buffer_(file_),
      out_(&buffer_),
      trace_(out_, FormatOf(path)) {
  // An error of writing ends the run.
  out_.exceptions(std::ios::badbit);
}

void TraceFile::Check(const std::string& path) {
  static_cast<void>(FormatOf(path));
  OutputFile::Check(path);
}

void TraceFile::Observe(devs::Simulator& run,
                        std::span<const std::string> patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    filters_.emplace_back(trace_, patterns.first(i));
    run.Observe(filters_.back(), patterns[i]);
  }
}

void TraceFile::Commit() {
  out_.flush();
  file_.Commit();
}

std::streamsize TraceFile::Buffer::xsputn(const char* text,
                                          std::streamsize size) {
  file_.Write(std::string_view(text, static_cast<std::size_t>(size)));
  return size;
}

TraceFile::Buffer::int_type TraceFile::Buffer::overflow(int_type byte) {
  if (!traits_type::eq_int_type(byte, traits_type::eof())) {
    const char text = traits_type::to_char_type(byte);
    file_.Write(std::string_view(&text, 1));
  }
  return traits_type::not_eof(byte);
}

bool TraceFile::Filter::Passes(const devs::Model& model) {
  if (before_.empty()) {
    return true;
  }
  const auto [entry, is_new] = passes_.emplace(&model, false);
  if (is_new) {
    const std::string path = model.Path();
    entry->second = std::ranges::none_of(
        before_,
        [&](const std::string& pattern) { return FitsPattern(pattern, path); });
  }
  return entry->second;
}

void TraceFile::Filter::OnOutput(Duration time,
                                 const devs::Model& model,
                                 const devs::Bag& y) {
  if (Passes(model)) {
    trace_.OnOutput(time, model, y);
  }
}

void TraceFile::Filter::OnInput(Duration time,
                                const devs::Model& model,
                                const devs::Bag& x) {
  if (Passes(model)) {
    trace_.OnInput(time, model, x);
  }
}

void TraceFile::Filter::OnTransition(Duration time,
                                     const devs::Model& model,
                                     devs::Transition transition,
                                     const void* state) {
  if (transition == devs::Transition::kStart) {
    passes_.erase(&model);  // Another model may have had this address.
  }
  if (Passes(model)) {
    trace_.OnTransition(time, model, transition, state);
  }
}

}  // namespace orrery::sdk::internal
