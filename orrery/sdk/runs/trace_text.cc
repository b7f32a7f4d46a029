#include "orrery/sdk/runs/trace_text.h"

#include <algorithm>
#include <utility>

#include "orrery/base/text/pattern.h"

namespace orrery::sdk::internal {

TraceText::TraceText(devs::Trace::Format format,
                     std::function<void(std::string_view)> write)
    : buffer_(std::move(write)), out_(&buffer_), trace_(out_, format) {
  // An error of writing ends the run.
  out_.exceptions(std::ios::badbit);
}

void TraceText::Observe(devs::Simulator& run,
                        std::span<const std::string> patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    filters_.emplace_back(trace_, patterns.first(i));
    run.Observe(filters_.back(), patterns[i]);
  }
}

std::streamsize TraceText::Buffer::xsputn(const char* text,
                                          std::streamsize size) {
  write_(std::string_view(text, static_cast<std::size_t>(size)));
  return size;
}

TraceText::Buffer::int_type TraceText::Buffer::overflow(int_type byte) {
  if (!traits_type::eq_int_type(byte, traits_type::eof())) {
    const char text = traits_type::to_char_type(byte);
    write_(std::string_view(&text, 1));
  }
  return traits_type::not_eof(byte);
}

bool TraceText::Filter::Passes(const devs::Model& model) {
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

void TraceText::Filter::OnOutput(Duration time,
                                 const devs::Model& model,
                                 const devs::Bag& y) {
  if (Passes(model)) {
    trace_.OnOutput(time, model, y);
  }
}

void TraceText::Filter::OnInput(Duration time,
                                const devs::Model& model,
                                const devs::Bag& x) {
  if (Passes(model)) {
    trace_.OnInput(time, model, x);
  }
}

void TraceText::Filter::OnTransition(Duration time,
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
