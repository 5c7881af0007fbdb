// SPDX-License-Identifier: MIT
// Where src/motionloom.ts takes things to be in the structs of motionloom.h, held by the compiler of the page's
// machine.
#include <cstddef>

#include <bindings/c/motionloom.h>

static_assert(offsetof(loom_error, text) == 4 && sizeof(loom_error) == 256);
static_assert(offsetof(loom_package_info, joints) == 4 && offsetof(loom_package_info, behaviors) == 8);
static_assert(offsetof(loom_package_info, flags) == 12 && offsetof(loom_package_info, labels) == 16);
static_assert(offsetof(loom_package_info, sources) == 20 && offsetof(loom_package_info, velocity) == 24);
static_assert(offsetof(loom_package_info, turn) == 28 && offsetof(loom_package_info, rate) == 32);
static_assert(offsetof(loom_package_info, seconds) == 40 && offsetof(loom_package_info, bytes) == 48);
static_assert(sizeof(loom_package_info) == 56);
static_assert(offsetof(loom_parameter, unit) == 64 && offsetof(loom_parameter, least) == 80);
static_assert(offsetof(loom_parameter, most) == 88 && offsetof(loom_parameter, usual) == 96);
static_assert(sizeof(loom_parameter) == 104);
static_assert(offsetof(loom_bone, parent) == 4 && offsetof(loom_bone, rest) == 8 && sizeof(loom_bone) == 36);
static_assert(offsetof(loom_transform, rotation) == 12 && sizeof(loom_transform) == 28);
static_assert(offsetof(loom_character_options, rate) == 0 && offsetof(loom_character_options, seed) == 8);
static_assert(offsetof(loom_character_options, loose_feet) == 16 && sizeof(loom_character_options) == 24);
static_assert(offsetof(loom_control, turn_rate) == 12 && offsetof(loom_control, behavior) == 16);
static_assert(offsetof(loom_control, flags) == 20 && sizeof(loom_control) == 24);
static_assert(offsetof(loom_place, heading) == 12 && sizeof(loom_place) == 16);
static_assert(offsetof(loom_event, what) == 4 && offsetof(loom_event, seconds) == 8 && sizeof(loom_event) == 16);
static_assert(sizeof(loom_package) == 8 && sizeof(loom_skeleton) == 8 && sizeof(loom_character) == 8);
