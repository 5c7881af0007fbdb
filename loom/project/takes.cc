// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/blend/align/strokes.h>
#include <loom/character/human_body.h>
#include <loom/character/transfer.h>
#include <loom/motion/body.h>
#include <loom/project/build.h>
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
  blend::FamilyOptions family;
  family.label = options.label;
  family.body = kept.clip.name;
  family.kind = blend::FamilyKind::kReach;
  family.leave_out_strangers = true;
  const auto built = build_family(library, options.family, family, progress);
  if (built) {
    kept.examples = built->family.members.size();
    kept.notes.insert(kept.notes.end(), built->notes.begin(), built->notes.end());
  } else {
    kept.notes.push_back(fmt::format("The family was not built: {}.", built.error().message));
  }
  return kept;
}

}  // namespace loom::project
