// SPDX-License-Identifier: MIT
#include "loom/subcommands.h"

#include "loom/live_commands.h"

namespace loom::app {

void add_all(Commands& commands) {
  add_demo(commands);
  add_sample(commands);
  add_import(commands);
  add_list(commands);
  add_info(commands);
  add_label(commands);
  add_cut(commands);
  add_repair(commands);
  add_rename(commands);
  add_find(commands);
  add_measure(commands);
  add_convert(commands);
  add_export(commands);
  add_picture(commands);
  add_remove(commands);
  add_pack(commands);
  add_graph_build(commands);
  add_graph_connect(commands);
  add_graph_select(commands);
  add_graph_compare(commands);
  add_graph_play(commands);
  add_graph_tell(commands);
  add_graph_export(commands);
  add_blend_align(commands);
  add_blend_analyze(commands);
  add_blend_coverage(commands);
  add_blend_family(commands);
  add_blend_lead(commands);
  add_blend_make(commands);
  add_blend_steps(commands);
  add_states_build(commands);
  add_states_tell(commands);
  add_states_play(commands);
  add_machine_mine(commands);
  add_machine_files(commands);
  add_machine_prefer(commands);
  add_machine_show(commands);
  add_machine_build(commands);
  add_machine_wish(commands);
  add_character_map(commands);
  add_character_keep(commands);
  add_retarget(commands);
  add_pack_character(commands);
  add_fight(commands);
  add_world(commands);
  add_plan_walk(commands);
  add_plan_reach(commands);
  add_plan_show(commands);
  add_crowd(commands);
  add_live_list(commands);
  add_live_calibrate(commands);
  add_live_record(commands);
  add_live_replay(commands);
  add_live_send(commands);
  add_studio(commands);
  add_fragments_cut(commands);
  add_fragments_train(commands);
  add_fragments_eval(commands);
  add_fragments_traces(commands);
  add_fragments_play(commands);
  add_fragments_inspect(commands);
  add_graph_train(commands);
  add_graph_steer(commands);
  add_match_play(commands);
}

}  // namespace loom::app
