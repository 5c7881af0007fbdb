/* SPDX-License-Identifier: MIT */
/*
 * Motion Loom in C: packed characters (`loom pack-character`) played in any program, without a library or a file
 * system.
 *
 *     loom_context* loom;
 *     loom_package hero;
 *     loom_character somebody;
 *     loom_open(NULL, &loom, NULL);
 *     loom_package_load(loom, bytes, size, &hero, NULL);
 *     loom_character_make(loom, hero, loom_no_skeleton, NULL, &somebody, NULL);
 *     each frame:
 *       loom_character_control(loom, somebody, &control);
 *       loom_character_advance(loom, somebody, seconds);
 *       loom_character_local(loom, somebody, bones, bone_count);
 *     loom_close(loom);
 *
 * Errors. Every function returns a loom_status; LOOM_OK is 0. Those that may fail for a reason worth telling take a
 * loom_error, which may be NULL. Nothing is thrown, printed or kept in a global; a call that fails changes nothing.
 *
 * Handles. Packages, skeletons and characters are numbers that belong to one context. One that was freed, or never was,
 * is refused with LOOM_BAD_HANDLE, whatever was made since. The context itself is a pointer and must not be used after
 * loom_close. A package or a skeleton may be freed while characters use it: they keep what they need.
 *
 * Threads. Any number of threads may use one context. Two that use one character at the same time do not wait for each
 * other: the second is refused with LOOM_BUSY. Packages and skeletons are only read and may be used by all at once.
 * A context's loom_close must be its last call.
 *
 * Memory. Nothing is allocated in a frame: only loom_open, the functions that load and make, and
 * loom_character_reload allocate. Text and arrays are copied into memory of the caller's. A caller's allocator gets the
 * context, its table of handles and the objects of this layer; the C++ library beneath (motion, tables, players) uses
 * `operator new` of the program, which an engine that counts every byte replaces as C++ allows.
 *
 * Space. All numbers are in the loom_space the context was opened with. Quaternions are x, y, z, w.
 */
#ifndef MOTIONLOOM_H
#define MOTIONLOOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LOOM_API __attribute__((visibility("default")))
#define LOOM_UNUSED __attribute__((unused))
#else
#define LOOM_API
#define LOOM_UNUSED
#endif

/* Grows when functions or values are added; nothing that is here changes. */
#define LOOM_API_VERSION 1

typedef int32_t loom_status;
enum {
  LOOM_OK = 0,
  LOOM_OTHER = 1,         /* none of the following */
  LOOM_BAD_INPUT = 2,     /* what was given cannot be understood, or is out of range */
  LOOM_NOT_FOUND = 3,     /* a file, a name or a number of something that is not there */
  LOOM_DAMAGED = 4,       /* a package that was sound once */
  LOOM_NEWER = 5,         /* a package made by a newer Motion Loom */
  LOOM_OUT_OF_MEMORY = 6, /* there is no more */
  LOOM_BAD_HANDLE = 7,    /* freed, or never made */
  LOOM_BUSY = 8,          /* another thread uses this character now */
  LOOM_TOO_SMALL = 9      /* the array has less room than is needed */
};

/* Why a call failed. `text` is UTF-8, ends with 0 and is cut off where it is longer. */
typedef struct loom_error {
  loom_status status;
  char text[252];
} loom_error;

/* Axes and units. */
typedef int32_t loom_space;
enum {
  LOOM_SPACE_LOOM = 0,  /* metres, Y up, right-handed, who faces ahead faces +Z: glTF, Godot, three.js */
  LOOM_SPACE_UNITY = 1, /* metres, Y up, left-handed, facing +Z, left is -X */
  LOOM_SPACE_UNREAL = 2 /* centimetres, Z up, left-handed, facing +X, right is +Y */
};

/* `allocate` returns memory of `size` bytes aligned to `alignment` (a power of two), or NULL; `release` takes it back.
 */
typedef struct loom_allocator {
  void* (*allocate)(void* user, size_t size, size_t alignment);
  void (*release)(void* user, void* memory, size_t size, size_t alignment);
  void* user;
} loom_allocator;

typedef struct loom_options {
  uint32_t api_version;            /* LOOM_API_VERSION */
  loom_space space;                /* 0: LOOM_SPACE_LOOM */
  const loom_allocator* allocator; /* NULL: malloc and free */
} loom_options;

typedef struct loom_context loom_context;
typedef struct loom_package {
  uint64_t number;
} loom_package;
typedef struct loom_skeleton {
  uint64_t number;
} loom_skeleton;
typedef struct loom_character {
  uint64_t number;
} loom_character;

typedef struct loom_vector {
  float x, y, z;
} loom_vector;
typedef struct loom_quaternion {
  float x, y, z, w;
} loom_quaternion;

/* Where a bone is and how it is turned. */
typedef struct loom_transform {
  loom_vector position;
  loom_quaternion rotation;
} loom_transform;

/* What decides what a character does next. */
typedef int32_t loom_kind;
enum {
  LOOM_KIND_GRAPH = 0,         /* a stroll through a motion graph: hears nothing */
  LOOM_KIND_STEERED_GRAPH = 1, /* a motion graph with a policy: velocity, turn, behaviors */
  LOOM_KIND_POLICY = 2,        /* a policy over fragments: velocity, turn, flags */
  LOOM_KIND_MACHINE = 3,       /* a machine of behaviors: behaviors and their parameters */
  LOOM_KIND_MATCHING = 4       /* motion matching: velocity, turn, flags */
};

typedef struct loom_package_info {
  loom_kind kind;
  uint32_t joints;    /* of the body it moves where no other skeleton is given */
  uint32_t behaviors; /* what loom_control.behavior counts */
  uint32_t flags;     /* what the bits of loom_control.flags mean, from the lowest on */
  uint32_t labels;    /* that events tell of */
  uint32_t sources;   /* clips that motion is taken from */
  int32_t velocity;   /* 1 where it hears loom_control.velocity */
  int32_t turn;       /* 1 where it hears loom_control.turn_rate */
  double rate;        /* poses a second of what plays within; what is shown lies between two */
  double seconds;     /* of motion in it */
  uint64_t bytes;     /* of the package */
} loom_package_info;

typedef int32_t loom_name;
enum {
  LOOM_NAME_PACKAGE = 0, /* index 0 only */
  LOOM_NAME_BEHAVIOR = 1,
  LOOM_NAME_FLAG = 2,
  LOOM_NAME_LABEL = 3,
  LOOM_NAME_SOURCE = 4,
  LOOM_NAME_JOINT = 5
};

/* A parameter of a behavior of a machine. */
typedef struct loom_parameter {
  char name[64]; /* "speed"; cut off where it is longer */
  char unit[16]; /* "m/s" */
  double least, most, usual;
} loom_parameter;

/* A bone of a skeleton, at rest, seen from its parent. */
typedef struct loom_bone {
  const char* name; /* UTF-8, ends with 0 */
  int32_t parent;   /* an earlier bone; -1 for a root */
  loom_transform rest;
} loom_bone;

typedef struct loom_character_options {
  double rate;        /* poses a second of what plays within, where it can choose; 0: its own */
  uint64_t seed;      /* of strolls through a graph; 0 counts as 1 */
  int32_t loose_feet; /* 1: feet are not held where they are planted */
  int32_t reserved;   /* 0 */
} loom_character_options;

/* What is wanted of a character. What its package does not hear is ignored. */
typedef struct loom_control {
  loom_vector velocity; /* over the floor, units of length a second, in the world; its height is ignored */
  float turn_rate;      /* radians a second, positive to the left */
  int32_t behavior;     /* counts the package's behaviors; -1: no wish */
  uint32_t flags;       /* bits of the package's flags */
} loom_control;

/* Where a character stands and which way it faces. */
typedef struct loom_place {
  loom_vector position; /* on the floor */
  float heading;        /* radians to the left of facing ahead (+Z, of Unreal +X) */
} loom_place;

/* Parts of feet, in loom_character_contacts and events. */
enum { LOOM_LEFT_HEEL = 1, LOOM_LEFT_TOE = 2, LOOM_RIGHT_HEEL = 4, LOOM_RIGHT_TOE = 8 };

typedef int32_t loom_event_kind;
enum {
  LOOM_EVENT_FOOT_DOWN = 0,   /* `what` is the part of the foot */
  LOOM_EVENT_FOOT_UP = 1,     /* the same */
  LOOM_EVENT_BEHAVIOR = 2,    /* `what` is the behavior of a machine that is entered */
  LOOM_EVENT_SOURCE = 3,      /* `what` is the clip that motion is taken from now */
  LOOM_EVENT_LABEL_BEGIN = 4, /* `what` is the label that motion carries from now on */
  LOOM_EVENT_LABEL_END = 5    /* and no longer */
};

typedef struct loom_event {
  loom_event_kind kind;
  uint32_t what;
  double seconds; /* of the character's own time */
} loom_event;

/* In place of a handle: none. */
LOOM_UNUSED static const loom_skeleton loom_no_skeleton = {0};

/* ---- The context --------------------------------------------------------------------------------------------- */

/* The LOOM_API_VERSION of the library that runs. */
LOOM_API uint32_t loom_api_version(void);
/* "ok", "bad input", ...: never NULL. */
LOOM_API const char* loom_status_name(loom_status status);

/* Begins. `options` may be NULL. Fails on a newer api_version than the library's, and on an unknown space. */
LOOM_API loom_status loom_open(const loom_options* options, loom_context** context, loom_error* error);
/* Frees all that is left. NULL is ignored. */
LOOM_API void loom_close(loom_context* context);

/* ---- Packages ------------------------------------------------------------------------------------------------ */

/* Reads a package from memory, which is not needed afterwards. Takes milliseconds; may run on a thread of its own. */
LOOM_API loom_status loom_package_load(loom_context* context, const void* bytes, size_t size, loom_package* package,
                                       loom_error* error);
/* The same from a file. */
LOOM_API loom_status loom_package_read(loom_context* context, const char* path, loom_package* package,
                                       loom_error* error);
LOOM_API loom_status loom_package_free(loom_context* context, loom_package package);
LOOM_API loom_status loom_package_describe(loom_context* context, loom_package package, loom_package_info* info);
/* A name into `text`, which has room for `size` bytes with the 0 at its end. `length`, where not NULL, gets how long
   the name is without it. LOOM_TOO_SMALL where it is longer than the room: `text` then has its beginning. */
LOOM_API loom_status loom_package_name(loom_context* context, loom_package package, loom_name which, uint32_t index,
                                       char* text, size_t size, size_t* length);
/* How many parameters a behavior has: none but of machines. */
LOOM_API loom_status loom_package_parameters(loom_context* context, loom_package package, uint32_t behavior,
                                             uint32_t* count);
LOOM_API loom_status loom_package_parameter(loom_context* context, loom_package package, uint32_t behavior,
                                            uint32_t index, loom_parameter* parameter);
/* The bones of the body it moves, at rest: parents and rest poses. Names are LOOM_NAME_JOINT. `count` is the room of
   both arrays; either may be NULL. */
LOOM_API loom_status loom_package_bones(loom_context* context, loom_package package, int32_t* parents,
                                        loom_transform* rest, size_t count);

/* ---- The engine's own skeleton --------------------------------------------------------------------------------- */

/* A skeleton that characters are to be shown on: which bone is which part of a human is found by names and shape.
   Fails where it is no human's, saying what it lacks. Bones that do not hang from the hips stay at rest. */
LOOM_API loom_status loom_skeleton_make(loom_context* context, const loom_bone* bones, size_t count,
                                        loom_skeleton* skeleton, loom_error* error);
LOOM_API loom_status loom_skeleton_free(loom_context* context, loom_skeleton skeleton);
/* The bone that is a part of the body, or -1 where none is: "hips", "left_shin", as `loom character map` calls them. */
LOOM_API loom_status loom_skeleton_find(loom_context* context, loom_skeleton skeleton, const char* part, int32_t* bone);

/* ---- Characters ------------------------------------------------------------------------------------------------ */

/* A character that plays the package, on `skeleton` or, with loom_no_skeleton, on the body it was packed with. */
LOOM_API loom_status loom_character_make(loom_context* context, loom_package package, loom_skeleton skeleton,
                                         const loom_character_options* options, loom_character* character,
                                         loom_error* error);
LOOM_API loom_status loom_character_free(loom_context* context, loom_character character);
/* Goes over to another package from where it stands and in what it does: hot reload. With the same body the join is
   smooth. */
LOOM_API loom_status loom_character_reload(loom_context* context, loom_character character, loom_package package,
                                           loom_error* error);

/* What is wanted from now on. */
LOOM_API loom_status loom_character_control(loom_context* context, loom_character character,
                                            const loom_control* control);
/* A parameter of a behavior of a machine from now on. */
LOOM_API loom_status loom_character_parameter(loom_context* context, loom_character character, uint32_t behavior,
                                              uint32_t index, double value);
/* Puts it somewhere. */
LOOM_API loom_status loom_character_put(loom_context* context, loom_character character, const loom_place* place);
/* Time goes by: 0 to 10 seconds. Never allocates, locks for longer than a look at a table, or searches deeply. */
LOOM_API loom_status loom_character_advance(loom_context* context, loom_character character, double seconds);
/* Many at once, one after the other on this thread. `statuses`, where not NULL, gets one each; the answer is the first
   that is not LOOM_OK. */
LOOM_API loom_status loom_characters_advance(loom_context* context, const loom_character* characters, size_t count,
                                             double seconds, loom_status* statuses);

/* Where it stands: the root motion. The transform of the character in the world. */
LOOM_API loom_status loom_character_where(loom_context* context, loom_character character, loom_place* place);
/* How many bones poses have. */
LOOM_API loom_status loom_character_bones(loom_context* context, loom_character character, uint32_t* count);
/* The pose, each bone seen from its parent; roots are seen from where the character stands. `count`: room of `bones`.
 */
LOOM_API loom_status loom_character_local(loom_context* context, loom_character character, loom_transform* bones,
                                          size_t count);
/* The pose, each bone seen from where the character stands. */
LOOM_API loom_status loom_character_model(loom_context* context, loom_character character, loom_transform* bones,
                                          size_t count);
/* Which parts of the feet are planted. */
LOOM_API loom_status loom_character_contacts(loom_context* context, loom_character character, uint32_t* parts);
/* What happened since this was asked last, the oldest first: `count` gets how many were written. 64 are remembered. */
LOOM_API loom_status loom_character_events(loom_context* context, loom_character character, loom_event* events,
                                           size_t room, size_t* count);

#ifdef __cplusplus
}
#endif

#endif /* MOTIONLOOM_H */
