// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <loom/blend/align/strokes.h>
#include <loom/blend/family/stored_family.h>
#include <loom/character/human_body.h>
#include <loom/character/transfer.h>
#include <loom/motion/body.h>
#include <loom/motion/mirror.h>
#include <loom/project/build.h>
#include <loom/project/dependents.h>
#include <loom/project/takes.h>

namespace loom::project {
namespace {

using library::Library;

/// The clip whose body takes are carried to: the one that is named, or the first of the library; nothing where it is
/// empty.
Result<std::string> body_clip(const Library& library, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const auto clips = library.clips();
  if (!clips) return fail_from(clips);
  return clips->empty() ? std::string() : clips->front().name;
}

Result<motion::Clip> carried(const Library& library, const motion::Clip& take, const std::string& wanted,
                             std::vector<std::string>& notes) {
  const auto name = body_clip(library, wanted);
  if (!name) return fail_from(name);
  if (name->empty()) return take;
  const auto like = library.read_clip(*name);
  if (!like) return fail_from(like);
  if (*like->skeleton == *take.skeleton) return take;
  const auto to = character::look_at_body(*like);
  const auto from = character::look_at_body(take);
  if (!to || !from) {
    const Error& why = to ? from.error() : to.error();
    if (!wanted.empty()) return fail_because(why, why.message);
    notes.push_back(fmt::format("It stays on its own body: '{}' is moved by another kind ({}).", *name, why.message));
    return take;
  }
  auto transfer = character::Transfer::between(*from, *to);
  return character::transfer_clip(transfer, take);
}

constexpr float kFalseStroke = 0.3f;  ///< of the widest: a stop after less travel is a hesitation, no stroke

/// One piece a stroke of the hand that moves more.
std::vector<blend::Piece> cut(const motion::Clip& clip) {
  const motion::Body body = motion::find_body(*clip.skeleton);
  const blend::Piece whole{0, clip.frames(), {}};
  int hand = -1;
  float widest = 0;
  for (const int wrist : {body.left_arm.end, body.right_arm.end}) {
    if (wrist < 0) continue;
    const float travel = blend::widest_travel(clip, whole, wrist);
    if (travel > widest) hand = wrist;
    widest = std::max(widest, travel);
  }
  if (hand < 0) return {};
  std::vector<blend::Piece> pieces = blend::cut_strokes(clip, whole, hand);
  std::erase_if(pieces, [&](const blend::Piece& piece) {
    return blend::widest_travel(clip, piece, hand) < kFalseStroke * widest;
  });
  return pieces;
}

Result<std::string> free_name(const Library& library, const std::string& wanted) {
  std::string name = wanted.empty() ? "take" : wanted;
  for (int n = 2;; ++n) {
    const auto taken = library.has_clip(name);
    if (!taken) return fail_from(taken);
    if (!*taken) return name;
    name = fmt::format("{}-{}", wanted.empty() ? "take" : wanted, n);
  }
}

/// The family of all that carries `label`, on the body of the clip `body`.
Result<blend::BuiltFamily> build_of(Library& library, const std::string& name, const std::string& label,
                                    const std::string& body, const Progress& progress) {
  blend::FamilyOptions family;
  family.label = label;
  family.body = body;
  family.kind = blend::FamilyKind::kReach;
  family.leave_out_strangers = true;
  return build_family(library, name, family, progress);
}

constexpr std::string_view kMirrored = "-mirrored";

/// Adds the mirror image of a clip, its strokes labelled as those of the other hand; how it is called.
Result<std::string> add_mirrored(Library& library, const std::string& name, const std::string& label) {
  const auto clip = library.read_clip(name);
  if (!clip) return fail_from(clip);
  auto image = motion::mirror(*clip);
  if (!image) return fail_from(image);
  for (std::size_t i = 0; i < image->labels.size(); ++i) {
    if (clip->labels[i].name == label) image->labels[i].name = mirrored_label(label);
  }
  auto called = free_name(library, mirrored_label(name));
  if (!called) return fail_from(called);
  image->name = *called;
  library::Provenance provenance;
  provenance.options = R"({"command": "live record", "mirror": true})";
  if (const auto added = library.add_clip(*image, provenance); !added) return fail_from(added);
  return called;
}

/// The last clip that carries the label; empty where none does.
Result<std::string> newest_with(const Library& library, const std::string& label) {
  const auto clips = library.clips();
  if (!clips) return fail_from(clips);
  const auto carries = [&](const library::ClipInfo& clip) {
    return std::any_of(clip.labels.begin(), clip.labels.end(), [&](const auto& one) { return one.name == label; });
  };
  const auto found = std::find_if(clips->rbegin(), clips->rend(), carries);
  return found == clips->rend() ? std::string() : found->name;
}

}  // namespace

Result<KeptTake> keep_take(Library& library, const motion::Clip& take, const std::string& name,
                           const TakeOptions& options, const Progress& progress) {
  KeptTake kept;
  auto clip = carried(library, take, options.body, kept.notes);
  if (!clip) return fail_from(clip);
  kept.clip = std::move(*clip);
  const auto called = free_name(library, name);
  if (!called) return fail_from(called);
  kept.clip.name = *called;
  kept.clip.labels.clear();
  if (!options.label.empty()) {
    kept.pieces = cut(kept.clip);
    for (const blend::Piece& piece : kept.pieces) {
      kept.clip.labels.push_back({options.label, piece.begin, piece.end});
      if (piece.stroke) kept.clip.labels.push_back({blend::kStrokeLabel, *piece.stroke, *piece.stroke + 1});
    }
    if (kept.pieces.empty()) kept.notes.emplace_back("No hand comes to a stop in it: it has no strokes.");
  }
  library::Provenance provenance;
  provenance.options = R"({"command": "live record"})";
  if (const auto added = library.add_clip(kept.clip, provenance); !added) return fail_from(added);
  if (options.family.empty() || options.label.empty()) return kept;
  const auto built = build_of(library, options.family, options.label, kept.clip.name, progress);
  if (built) {
    kept.examples = built->family.members.size();
    kept.notes.insert(kept.notes.end(), built->notes.begin(), built->notes.end());
  } else {
    kept.notes.push_back(fmt::format("The family was not built: {}.", built.error().message));
  }
  return kept;
}

Result<TakeFamily> build_take_family(Library& library, const std::string& family, const std::string& label,
                                     const Progress& progress) {
  const auto body = newest_with(library, label);
  if (!body) return fail_from(body);
  TakeFamily now;
  if (!body->empty()) {
    auto built = build_of(library, family, label, *body, progress);
    if (built) {
      now.examples = built->family.members.size();
      now.notes = std::move(built->notes);
      return now;
    }
    if (built.error().kind == ErrorKind::kStopped) return fail_from(built);
    now.notes.push_back(fmt::format("The family was not built: {}.", built.error().message));
  }
  const auto all = library.artefacts(blend::kFamilyKind);
  if (!all) return fail_from(all);
  if (std::none_of(all->begin(), all->end(), [&](const auto& one) { return one.name == family; })) return now;
  if (const auto gone = remove_artefact(library, blend::kFamilyKind, family); !gone) return fail_from(gone);
  now.notes.push_back(fmt::format("The family '{}' is no more: too little is left of it.", family));
  return now;
}

std::string mirrored_label(const std::string& label) {
  if (label.empty()) return {};
  return label.ends_with(kMirrored) ? label.substr(0, label.size() - kMirrored.size()) : label + std::string(kMirrored);
}

Result<TakesChanged> change_takes(Library& library, const TakeChange& change) {
  TakesChanged changed;
  const auto done = library.transact([&]() -> Result<void> {
    for (const std::string& name : change.remove) {
      auto clip = library.read_clip(name);
      if (!clip) return fail_from(clip);
      auto provenance = library.provenance(name);
      if (!provenance) return fail_from(provenance);
      if (auto gone = library.remove_clip(name); !gone) return gone;
      changed.removed.emplace_back(std::move(*clip), std::move(*provenance));
    }
    for (const auto& [clip, provenance] : change.restore) {
      if (auto added = library.add_clip(clip, provenance); !added) return added;
    }
    for (const std::string& name : change.mirror) {
      auto made = add_mirrored(library, name, change.label);
      if (!made) return fail_from(made);
      changed.mirrored.push_back(std::move(*made));
    }
    return {};
  });
  if (!done) return fail_from(done);
  return changed;
}

}  // namespace loom::project
