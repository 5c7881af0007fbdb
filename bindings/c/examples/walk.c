/* SPDX-License-Identifier: MIT */
/*
 * Plays a packed character and prints where it goes: the whole of the C API in a hundred lines of C99.
 *   walk hero.loomrt [seconds]
 */
#include <math.h>
#include <motionloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_A_SECOND 60

static int failed(const char *what, loom_status status, const loom_error *error) {
  fprintf(stderr, "%s: %s (%s)\n", what, error->text, loom_status_name(status));
  return 1;
}

/* What it can be asked for. */
static void print_inputs(loom_context *loom, loom_package hero) {
  loom_package_info info;
  char name[64];
  uint32_t i;
  if (loom_package_describe(loom, hero, &info) != LOOM_OK) return;
  loom_package_name(loom, hero, LOOM_NAME_PACKAGE, 0, name, sizeof name, NULL);
  printf("%s: %u joints, %.0f poses a second, %.1f s of motion\n", name, (unsigned)info.joints, info.rate, info.seconds);
  printf("hears:%s%s\n", info.velocity ? " velocity" : "", info.turn ? " turn" : "");
  for (i = 0; i < info.behaviors; ++i) {
    loom_package_name(loom, hero, LOOM_NAME_BEHAVIOR, i, name, sizeof name, NULL);
    printf("behavior %u: %s\n", (unsigned)i, name);
  }
}

/* One character for so many seconds: straight ahead, then in a curve to the left. */
static int play(loom_context *loom, loom_package hero, int seconds) {
  loom_error error;
  loom_character somebody;
  loom_control control;
  loom_transform *bones;
  uint32_t bone_count = 0;
  int frame, steps = 0;
  loom_status status = loom_character_make(loom, hero, loom_no_skeleton, NULL, &somebody, &error);
  if (status != LOOM_OK) return failed("making a character", status, &error);
  loom_character_bones(loom, somebody, &bone_count);
  bones = malloc(bone_count * sizeof *bones);
  if (bones == NULL) return 1;
  memset(&control, 0, sizeof control);
  control.behavior = -1;
  for (frame = 0; frame < seconds * FRAMES_A_SECOND; ++frame) {
    loom_event events[16];
    size_t count = 0, e;
    loom_place place;
    loom_character_where(loom, somebody, &place);
    control.velocity.x = 1.2f * sinf(place.heading); /* +X is to the left of who looks along +Z */
    control.velocity.z = 1.2f * cosf(place.heading);
    control.turn_rate = frame < seconds * FRAMES_A_SECOND / 2 ? 0.0f : 0.7f;
    loom_character_control(loom, somebody, &control);
    status = loom_character_advance(loom, somebody, 1.0 / FRAMES_A_SECOND);
    if (status == LOOM_OK) status = loom_character_local(loom, somebody, bones, bone_count);
    if (status != LOOM_OK) break;
    loom_character_events(loom, somebody, events, 16, &count);
    for (e = 0; e < count; ++e) {
      const int is_heel = events[e].what == LOOM_LEFT_HEEL || events[e].what == LOOM_RIGHT_HEEL;
      steps += events[e].kind == LOOM_EVENT_FOOT_DOWN && is_heel;
    }
    if ((frame + 1) % FRAMES_A_SECOND == 0) {
      loom_character_where(loom, somebody, &place);
      printf("%2d s: at %+.2f %+.2f, facing %+.2f, hips %.2f m high, %d steps\n", (frame + 1) / FRAMES_A_SECOND,
             place.position.x, place.position.z, place.heading, bones[0].position.y, steps);
    }
  }
  free(bones);
  loom_character_free(loom, somebody);
  return status == LOOM_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  loom_context *loom = NULL;
  loom_package hero;
  loom_error error;
  loom_status status;
  int seconds = argc > 2 ? atoi(argv[2]) : 10;
  int result;
  if (argc < 2 || seconds < 1) {
    fprintf(stderr, "usage: walk hero.loomrt [seconds]\n");
    return 2;
  }
  status = loom_open(NULL, &loom, &error);
  if (status != LOOM_OK) return failed("opening", status, &error);
  status = loom_package_read(loom, argv[1], &hero, &error);
  if (status != LOOM_OK) {
    result = failed(argv[1], status, &error);
  } else {
    print_inputs(loom, hero);
    result = play(loom, hero, seconds);
  }
  loom_close(loom);
  return result;
}
