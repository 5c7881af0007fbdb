// SPDX-License-Identifier: MIT
// The C API: numbers for objects, statuses for errors, arrays of the caller's. All that happens does so in loom/packed.
#include "bindings/c/motionloom.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/file.h>
#include <loom/character/bone_body.h>
#include <loom/motion/kinematics.h>
#include <loom/packed/packed_character.h>
#include <loom/packed/performer.h>

#include "bindings/c/handle_table.h"
#include "bindings/c/space.h"

namespace loom::c {
namespace {

constexpr std::size_t kMostBones = motion::kMaxJoints;
constexpr std::size_t kLongestName = 4096;  ///< of a bone, bytes

/// A package and all that is told of it.
struct Package {
  std::shared_ptr<const packed::PackedCharacter> packed;
  motion::Inputs inputs;
  std::vector<std::string> labels, sources;
  std::shared_ptr<const motion::Skeleton> skeleton;
  loom_package_info info{};
};

struct Character {
  std::unique_ptr<packed::Performer> performer;
  std::optional<character::BoneBody> bones;  ///< the engine's own; none: the joints of the performer's skeleton
  std::vector<Quat> rotations;               ///< memory for poses
  std::vector<Vec3> positions;
  std::vector<Quat> world;
  std::vector<character::BonePose> poses;

  [[nodiscard]] std::size_t bone_count() const { return bones ? bones->bones().size() : performer->skeleton()->size(); }
};

loom_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kBadInput:
      return LOOM_BAD_INPUT;
    case ErrorKind::kNotFound:
      return LOOM_NOT_FOUND;
    case ErrorKind::kDamaged:
      return LOOM_DAMAGED;
    case ErrorKind::kNewer:
      return LOOM_NEWER;
    case ErrorKind::kOutOfMemory:
      return LOOM_OUT_OF_MEMORY;
    case ErrorKind::kOther:
    case ErrorKind::kStopped:
    case ErrorKind::kNoSpace:
      break;
  }
  return LOOM_OTHER;
}

/// As much of `text` as there is room for, with a 0 at its end; no letter of several bytes is cut through.
void copy_text(std::string_view text, char* to, std::size_t room) {
  std::size_t length = std::min(text.size(), room - 1);
  while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  if (length > 0) std::memcpy(to, text.data(), length);
  std::memset(to + length, 0, room - length);
}

loom_status tell(loom_error* error, loom_status status, std::string_view text) {
  if (error != nullptr) {
    error->status = status;
    copy_text(text, error->text, sizeof(error->text));
  }
  return status;
}

loom_status tell(loom_error* error, const Error& why) { return tell(error, status_of(why.kind), why.to_string()); }

/// Runs a call so that nothing is thrown across C.
template <typename Call>
loom_status guarded(loom_error* error, const Call& call) noexcept {
  try {
    if (error != nullptr) tell(error, LOOM_OK, {});
    return call();
  } catch (const std::bad_alloc&) {
    return tell(error, LOOM_OUT_OF_MEMORY, "there is not enough memory");
  } catch (const std::exception& thrown) {
    return tell(error, LOOM_OTHER, thrown.what());
  } catch (...) {
    return tell(error, LOOM_OTHER, "something unknown was thrown");
  }
}

void* usual_allocate(void* /*user*/, std::size_t size, std::size_t alignment) {
  const std::size_t least = std::max(alignment, sizeof(void*));
  return std::aligned_alloc(least, (size + least - 1) / least * least);
}

void usual_release(void* /*user*/, void* memory, std::size_t /*size*/, std::size_t /*alignment*/) { std::free(memory); }

loom_status bad(loom_error* error, std::string_view text) { return tell(error, LOOM_BAD_INPUT, text); }

}  // namespace
}  // namespace loom::c

using namespace loom;
using namespace loom::c;

struct loom_context {
  loom_context(const loom_allocator& from, Space in)
      : allocator(from), space(in), packages(from), skeletons(from), characters(from) {}

  loom_allocator allocator;
  Space space;
  HandleTable<Package> packages;
  HandleTable<character::BoneBody> skeletons;
  HandleTable<Character> characters;
};

namespace {

/// Runs `act` with a character nobody else uses meanwhile.
template <typename Act>
loom_status with(loom_context* context, loom_character number, const Act& act) noexcept {
  if (context == nullptr) return LOOM_BAD_INPUT;
  return guarded(nullptr, [&]() -> loom_status {
    const auto character = context->characters.borrow(number.number);
    return character ? act(*character) : character.status;
  });
}

/// Runs `act` with a package.
template <typename Act>
loom_status with(loom_context* context, loom_package number, const Act& act) noexcept {
  if (context == nullptr) return LOOM_BAD_INPUT;
  return guarded(nullptr, [&]() -> loom_status {
    const auto package = context->packages.find(number.number);
    return package ? act(*package) : LOOM_BAD_HANDLE;
  });
}

loom_status add_package(loom_context& context, std::span<const std::byte> bytes, loom_package& number,
                        loom_error* error) {
  auto read = packed::packed_character_from_bytes(bytes);
  if (!read) return tell(error, read.error());
  Package package;
  package.packed = std::make_shared<const packed::PackedCharacter>(std::move(*read));
  const auto shown = packed::Performer::create(package.packed);
  if (!shown) return tell(error, shown.error());
  const auto player = packed::play(*package.packed);
  if (!player) return tell(error, player.error());
  package.inputs = (*shown)->inputs();
  package.labels = packed::labels_of(*package.packed);
  package.sources = player->stream->source_names();
  package.skeleton = (*shown)->skeleton();
  loom_package_info& info = package.info;
  info.kind = static_cast<loom_kind>(package.packed->kind);
  info.joints = static_cast<std::uint32_t>(package.skeleton->size());
  info.behaviors = static_cast<std::uint32_t>(package.inputs.behaviors.size());
  info.flags = static_cast<std::uint32_t>(package.inputs.flags.size());
  info.labels = static_cast<std::uint32_t>(package.labels.size());
  info.sources = static_cast<std::uint32_t>(package.sources.size());
  info.velocity = package.inputs.velocity ? 1 : 0;
  info.turn = package.inputs.turn ? 1 : 0;
  info.rate = (*shown)->rate();
  info.seconds = packed::content_of(*package.packed).seconds;
  info.bytes = bytes.size();
  number.number = context.packages.add(std::move(package));
  return LOOM_OK;
}

/// The pose of a character on its bones; either array may be null.
void write_pose(Character& who, const Space& space, loom_transform* local, loom_transform* model) {
  const packed::Performer& performer = *who.performer;
  std::copy(performer.rotations().begin(), performer.rotations().end(), who.rotations.begin());
  who.rotations[0] = performer.model_root_rotation();
  const Vec3 root = performer.model_root();
  const std::size_t count = who.bone_count();
  if (who.bones) {
    const std::span<character::BonePose> poses(who.poses);
    local != nullptr ? who.bones->write(root, who.rotations, poses, {})
                     : who.bones->write(root, who.rotations, {}, poses);
    for (std::size_t b = 0; b < count; ++b) (local != nullptr ? local : model)[b] = space.transform(poses[b]);
    return;
  }
  const motion::Skeleton& skeleton = *performer.skeleton();
  if (local != nullptr) {
    for (std::size_t j = 0; j < count; ++j) {
      local[j] = space.transform({j == 0 ? root : skeleton.joint(j).offset, who.rotations[j]});
    }
    return;
  }
  motion::forward_kinematics(skeleton, root, who.rotations, who.positions, who.world);
  for (std::size_t j = 0; j < count; ++j) model[j] = space.transform({who.positions[j], who.world[j]});
}

void make_room(Character& who) {
  const motion::Skeleton& skeleton = *who.performer->skeleton();
  who.rotations.resize(skeleton.size());
  who.world.resize(skeleton.size());
  who.positions.resize(skeleton.point_count());
  who.poses.resize(who.bone_count());
}

}  // namespace

extern "C" {

uint32_t loom_api_version(void) { return LOOM_API_VERSION; }

const char* loom_status_name(loom_status status) {
  switch (status) {
    case LOOM_OK:
      return "ok";
    case LOOM_BAD_INPUT:
      return "bad input";
    case LOOM_NOT_FOUND:
      return "not found";
    case LOOM_DAMAGED:
      return "damaged";
    case LOOM_NEWER:
      return "newer";
    case LOOM_OUT_OF_MEMORY:
      return "out of memory";
    case LOOM_BAD_HANDLE:
      return "bad handle";
    case LOOM_BUSY:
      return "busy";
    case LOOM_TOO_SMALL:
      return "too small";
    default:
      return "other";
  }
}

loom_status loom_open(const loom_options* options, loom_context** context, loom_error* error) {
  return guarded(error, [&]() -> loom_status {
    if (context == nullptr) return bad(error, "there is nowhere to put the context");
    *context = nullptr;
    loom_allocator allocator{usual_allocate, usual_release, nullptr};
    Space space;
    if (options != nullptr) {
      if (options->api_version == 0 || options->api_version > LOOM_API_VERSION) {
        return tell(error, LOOM_NEWER, "the program was built for another version of this library");
      }
      if (!Space::is_known(options->space)) return bad(error, "there is no such space");
      space = Space(options->space);
      if (options->allocator != nullptr) {
        allocator = *options->allocator;
        if (allocator.allocate == nullptr || allocator.release == nullptr) {
          return bad(error, "an allocator allocates and releases");
        }
      }
    }
    Allocator<loom_context> memory(allocator);
    loom_context* place = memory.allocate(1);
    try {
      *context = new (place) loom_context(allocator, space);
    } catch (...) {
      memory.deallocate(place, 1);
      throw;
    }
    return LOOM_OK;
  });
}

void loom_close(loom_context* context) {
  if (context == nullptr) return;
  Allocator<loom_context> memory(context->allocator);
  context->~loom_context();
  memory.deallocate(context, 1);
}

loom_status loom_package_load(loom_context* context, const void* bytes, size_t size, loom_package* package,
                              loom_error* error) {
  return guarded(error, [&]() -> loom_status {
    if (context == nullptr || package == nullptr || (bytes == nullptr && size > 0))
      return bad(error, "a pointer is null");
    return add_package(*context, {static_cast<const std::byte*>(bytes), size}, *package, error);
  });
}

loom_status loom_package_read(loom_context* context, const char* path, loom_package* package, loom_error* error) {
  return guarded(error, [&]() -> loom_status {
    if (context == nullptr || package == nullptr || path == nullptr) return bad(error, "a pointer is null");
    const auto file = load_file(path);
    if (!file) return tell(error, file.error());
    return add_package(*context, std::as_bytes(std::span(file->text())), *package, error);
  });
}

loom_status loom_package_free(loom_context* context, loom_package package) {
  return context == nullptr ? LOOM_BAD_INPUT : context->packages.remove(package.number);
}

loom_status loom_package_describe(loom_context* context, loom_package package, loom_package_info* info) {
  return with(context, package, [&](const Package& known) -> loom_status {
    if (info == nullptr) return LOOM_BAD_INPUT;
    *info = known.info;
    return LOOM_OK;
  });
}

loom_status loom_package_name(loom_context* context, loom_package package, loom_name which, uint32_t index, char* text,
                              size_t size, size_t* length) {
  return with(context, package, [&](const Package& known) -> loom_status {
    if (text == nullptr || size == 0) return LOOM_BAD_INPUT;
    const std::vector<std::string>* list = nullptr;
    std::string_view name;
    if (which == LOOM_NAME_BEHAVIOR) list = &known.inputs.behaviors;
    if (which == LOOM_NAME_FLAG) list = &known.inputs.flags;
    if (which == LOOM_NAME_LABEL) list = &known.labels;
    if (which == LOOM_NAME_SOURCE) list = &known.sources;
    if (list != nullptr) {
      if (index >= list->size()) return LOOM_NOT_FOUND;
      name = (*list)[index];
    } else if (which == LOOM_NAME_PACKAGE && index == 0) {
      name = known.packed->name;
    } else if (which == LOOM_NAME_JOINT && index < known.skeleton->size()) {
      name = known.skeleton->joint(index).name;
    } else {
      return LOOM_NOT_FOUND;
    }
    if (length != nullptr) *length = name.size();
    copy_text(name, text, size);
    return name.size() < size ? LOOM_OK : LOOM_TOO_SMALL;
  });
}

loom_status loom_package_parameters(loom_context* context, loom_package package, uint32_t behavior, uint32_t* count) {
  return with(context, package, [&](const Package& known) -> loom_status {
    if (count == nullptr) return LOOM_BAD_INPUT;
    if (behavior >= known.info.behaviors) return LOOM_NOT_FOUND;
    *count = 0;
    if (!known.packed->machine) return LOOM_OK;
    const auto& parameters = known.packed->machine->states[behavior].parameters;
    if (parameters) *count = static_cast<std::uint32_t>(parameters->space.size());
    return LOOM_OK;
  });
}

loom_status loom_package_parameter(loom_context* context, loom_package package, uint32_t behavior, uint32_t index,
                                   loom_parameter* parameter) {
  return with(context, package, [&](const Package& known) -> loom_status {
    if (parameter == nullptr) return LOOM_BAD_INPUT;
    if (!known.packed->machine || behavior >= known.info.behaviors) return LOOM_NOT_FOUND;
    const auto& parameters = known.packed->machine->states[behavior].parameters;
    if (!parameters || index >= parameters->space.size()) return LOOM_NOT_FOUND;
    copy_text(parameters->space.parameters[index].name, parameter->name, sizeof(parameter->name));
    copy_text(parameters->space.parameters[index].unit, parameter->unit, sizeof(parameter->unit));
    parameter->least = parameters->least[index];
    parameter->most = parameters->most[index];
    parameter->usual = parameters->usual[index];
    return LOOM_OK;
  });
}

loom_status loom_package_bones(loom_context* context, loom_package package, int32_t* parents, loom_transform* rest,
                               size_t count) {
  return with(context, package, [&](const Package& known) -> loom_status {
    if (count < known.skeleton->size()) return LOOM_TOO_SMALL;
    for (std::size_t j = 0; j < known.skeleton->size(); ++j) {
      const motion::Joint& joint = known.skeleton->joint(j);
      if (parents != nullptr) parents[j] = joint.parent;
      if (rest != nullptr) rest[j] = context->space.transform(character::BonePose{joint.offset, {}});
    }
    return LOOM_OK;
  });
}

loom_status loom_skeleton_make(loom_context* context, const loom_bone* bones, size_t count, loom_skeleton* skeleton,
                               loom_error* error) {
  return guarded(error, [&]() -> loom_status {
    if (context == nullptr || skeleton == nullptr || bones == nullptr) return bad(error, "a pointer is null");
    if (count == 0 || count > kMostBones) return bad(error, "a skeleton has 1 to 4096 bones");
    std::vector<character::Bone> own(count);
    for (std::size_t b = 0; b < count; ++b) {
      if (bones[b].name == nullptr) return bad(error, "a bone has no name");
      const std::size_t length = ::strnlen(bones[b].name, kLongestName);
      if (length == kLongestName) return bad(error, "the name of a bone is too long");
      own[b] = {std::string(bones[b].name, length), bones[b].parent, context->space.transform(bones[b].rest)};
    }
    auto made = character::BoneBody::create(std::move(own));
    if (!made) return tell(error, made.error());
    skeleton->number = context->skeletons.add(std::move(*made));
    return LOOM_OK;
  });
}

loom_status loom_skeleton_free(loom_context* context, loom_skeleton skeleton) {
  return context == nullptr ? LOOM_BAD_INPUT : context->skeletons.remove(skeleton.number);
}

loom_status loom_skeleton_find(loom_context* context, loom_skeleton skeleton, const char* part, int32_t* bone) {
  if (context == nullptr || part == nullptr || bone == nullptr) return LOOM_BAD_INPUT;
  return guarded(nullptr, [&]() -> loom_status {
    const auto known = context->skeletons.find(skeleton.number);
    if (!known) return LOOM_BAD_HANDLE;
    const auto role = character::find_role(part);
    if (!role) return LOOM_NOT_FOUND;
    *bone = known->bone_of(*role);
    return LOOM_OK;
  });
}

loom_status loom_character_make(loom_context* context, loom_package package, loom_skeleton skeleton,
                                const loom_character_options* options, loom_character* character, loom_error* error) {
  return guarded(error, [&]() -> loom_status {
    if (context == nullptr || character == nullptr) return bad(error, "a pointer is null");
    const auto known = context->packages.find(package.number);
    if (!known) return tell(error, LOOM_BAD_HANDLE, "there is no such package");
    packed::PerformerOptions how;
    if (options != nullptr) {
      if (!(options->rate >= 0 && options->rate <= 1000)) return bad(error, "a rate is 0 to 1000 poses a second");
      how.play.rate = options->rate;
      how.play.seed = options->seed == 0 ? 1 : options->seed;
      how.hold_feet = options->loose_feet == 0;
    }
    Character made;
    if (skeleton.number != 0) {
      const auto own = context->skeletons.find(skeleton.number);
      if (!own) return tell(error, LOOM_BAD_HANDLE, "there is no such skeleton");
      made.bones = *own;
      how.onto = own->body();
    }
    auto performer = packed::Performer::create(known->packed, how);
    if (!performer) return tell(error, performer.error());
    made.performer = std::move(*performer);
    make_room(made);
    character->number = context->characters.add(std::move(made));
    return LOOM_OK;
  });
}

loom_status loom_character_free(loom_context* context, loom_character character) {
  return context == nullptr ? LOOM_BAD_INPUT : context->characters.remove(character.number);
}

loom_status loom_character_reload(loom_context* context, loom_character character, loom_package package,
                                  loom_error* error) {
  return guarded(error, [&]() -> loom_status {
    if (context == nullptr) return bad(error, "a pointer is null");
    const auto known = context->packages.find(package.number);
    if (!known) return tell(error, LOOM_BAD_HANDLE, "there is no such package");
    const auto who = context->characters.borrow(character.number);
    if (!who) return tell(error, who.status, loom_status_name(who.status));
    if (const auto gone_over = who->performer->reload(known->packed); !gone_over) return tell(error, gone_over.error());
    make_room(*who);
    return LOOM_OK;
  });
}

loom_status loom_character_control(loom_context* context, loom_character character, const loom_control* control) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (control == nullptr) return LOOM_BAD_INPUT;
    const Vec3 velocity = context->space.vector(control->velocity);
    if (!is_finite(velocity) || !std::isfinite(control->turn_rate)) return LOOM_BAD_INPUT;
    if (control->behavior < -1 || control->behavior >= static_cast<int>(who.performer->inputs().behaviors.size())) {
      return LOOM_NOT_FOUND;
    }
    who.performer->control({velocity, control->turn_rate, control->behavior, control->flags});
    return LOOM_OK;
  });
}

loom_status loom_character_parameter(loom_context* context, loom_character character, uint32_t behavior, uint32_t index,
                                     double value) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (!std::isfinite(value)) return LOOM_BAD_INPUT;
    return who.performer->set_parameter(behavior, index, value) ? LOOM_OK : LOOM_NOT_FOUND;
  });
}

loom_status loom_character_put(loom_context* context, loom_character character, const loom_place* place) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (place == nullptr) return LOOM_BAD_INPUT;
    const Vec3 at = context->space.vector(place->position);
    if (!is_finite(at) || !std::isfinite(place->heading)) return LOOM_BAD_INPUT;
    who.performer->put(context->space.place(*place));
    return LOOM_OK;
  });
}

loom_status loom_character_advance(loom_context* context, loom_character character, double seconds) {
  return with(context, character, [&](Character& who) -> loom_status {
    return who.performer->advance(seconds) ? LOOM_OK : LOOM_BAD_INPUT;
  });
}

loom_status loom_characters_advance(loom_context* context, const loom_character* characters, size_t count,
                                    double seconds, loom_status* statuses) {
  if (context == nullptr || (characters == nullptr && count > 0)) return LOOM_BAD_INPUT;
  loom_status first = LOOM_OK;
  for (std::size_t c = 0; c < count; ++c) {
    const loom_status status = loom_character_advance(context, characters[c], seconds);
    if (statuses != nullptr) statuses[c] = status;
    if (first == LOOM_OK) first = status;
  }
  return first;
}

loom_status loom_character_where(loom_context* context, loom_character character, loom_place* place) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (place == nullptr) return LOOM_BAD_INPUT;
    *place = context->space.place(who.performer->place());
    return LOOM_OK;
  });
}

loom_status loom_character_bones(loom_context* context, loom_character character, uint32_t* count) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (count == nullptr) return LOOM_BAD_INPUT;
    *count = static_cast<std::uint32_t>(who.bone_count());
    return LOOM_OK;
  });
}

loom_status loom_character_local(loom_context* context, loom_character character, loom_transform* bones, size_t count) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (bones == nullptr) return LOOM_BAD_INPUT;
    if (count < who.bone_count()) return LOOM_TOO_SMALL;
    write_pose(who, context->space, bones, nullptr);
    return LOOM_OK;
  });
}

loom_status loom_character_model(loom_context* context, loom_character character, loom_transform* bones, size_t count) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (bones == nullptr) return LOOM_BAD_INPUT;
    if (count < who.bone_count()) return LOOM_TOO_SMALL;
    write_pose(who, context->space, nullptr, bones);
    return LOOM_OK;
  });
}

loom_status loom_character_contacts(loom_context* context, loom_character character, uint32_t* parts) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (parts == nullptr) return LOOM_BAD_INPUT;
    *parts = who.performer->planted();
    return LOOM_OK;
  });
}

loom_status loom_character_events(loom_context* context, loom_character character, loom_event* events, size_t room,
                                  size_t* count) {
  return with(context, character, [&](Character& who) -> loom_status {
    if (count == nullptr || (events == nullptr && room > 0)) return LOOM_BAD_INPUT;
    std::array<packed::Event, packed::Performer::kMostEvents> taken;
    *count = who.performer->take_events(std::span(taken).first(std::min(room, taken.size())));
    for (std::size_t e = 0; e < *count; ++e) {
      events[e] = {static_cast<loom_event_kind>(taken[e].kind), taken[e].what, taken[e].seconds};
    }
    return LOOM_OK;
  });
}

}  // extern "C"
