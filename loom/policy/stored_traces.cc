// SPDX-License-Identifier: MIT
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/policy/stored_traces.h>
#include <loom/policy/trace_file.h>

namespace loom::policy {
Result<void> store_trace(library::Library& library, const std::string& name, const Trace& trace) {
  if (trace.times.empty()) return fail("a trace without anything in it is not kept");
  library::ArtefactInfo info;
  info.kind = kTraceKind;
  info.name = name;
  info.parameters = json_text({{"seconds", trace.seconds()}, {"simulated", trace.simulated}});
  const std::string text = to_csv(trace);
  return library.put_artefact(info, std::as_bytes(std::span(text)));
}

Result<Trace> load_trace(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kTraceKind, name);
  if (!artefact) return fail_from(artefact);
  const std::string_view text(reinterpret_cast<const char*>(artefact->data.data()), artefact->data.size());
  auto trace = parse_trace(text, fmt::format("trace '{}' of {}", name, library.path()));
  if (!trace) trace.error().kind = ErrorKind::kDamaged;
  if (trace) trace->name = name;
  return trace;
}

Result<Trace> find_trace(const library::Library& library, const std::string& name) {
  std::error_code unknown;
  if (std::filesystem::exists(name, unknown)) return read_trace(name);
  const auto known = library.artefacts(kTraceKind);
  if (!known) return fail_from(known);
  for (const library::ArtefactInfo& info : *known) {
    if (info.name == name) return load_trace(library, name);
  }
  return fail_as(ErrorKind::kNotFound, "there is no such file, and no trace of that name in the library", name);
}

Result<std::vector<StoredTrace>> stored_traces(const library::Library& library) {
  const auto known = library.artefacts(kTraceKind);
  if (!known) return fail_from(known);
  std::vector<StoredTrace> traces;
  for (const library::ArtefactInfo& info : *known) {
    const auto about = parse_json(info.parameters);
    StoredTrace trace{info.name, info.created};
    if (about.is_object() && about.contains("seconds") && about["seconds"].is_number()) {
      trace.seconds = about["seconds"].get<double>();
    }
    trace.simulated = about.is_object() && about.contains("simulated") && about["simulated"] == true;
    traces.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace loom::policy
