// SPDX-License-Identifier: MIT
#pragma once

namespace loom::app {

class Commands;

/// Adds all subcommands, in the order in which `loom --help` lists them.
void add_all(Commands& commands);

// One function a subcommand, each in the file of its name.
void add_blend_align(Commands& commands);
void add_blend_analyze(Commands& commands);
void add_blend_coverage(Commands& commands);
void add_blend_family(Commands& commands);
void add_blend_lead(Commands& commands);
void add_blend_make(Commands& commands);
void add_blend_steps(Commands& commands);
void add_character_keep(Commands& commands);
void add_character_map(Commands& commands);
void add_convert(Commands& commands);
void add_crowd(Commands& commands);
void add_cut(Commands& commands);
void add_demo(Commands& commands);
void add_export(Commands& commands);
void add_fight(Commands& commands);
void add_find(Commands& commands);
void add_fragments_cut(Commands& commands);
void add_fragments_eval(Commands& commands);
void add_fragments_inspect(Commands& commands);
void add_fragments_play(Commands& commands);
void add_fragments_traces(Commands& commands);
void add_fragments_train(Commands& commands);
void add_graph_build(Commands& commands);
void add_graph_connect(Commands& commands);
void add_graph_select(Commands& commands);
void add_graph_compare(Commands& commands);
void add_graph_export(Commands& commands);
void add_graph_play(Commands& commands);
void add_graph_steer(Commands& commands);
void add_graph_tell(Commands& commands);
void add_graph_train(Commands& commands);
void add_import(Commands& commands);
void add_info(Commands& commands);
void add_label(Commands& commands);
void add_list(Commands& commands);
void add_match_play(Commands& commands);
void add_measure(Commands& commands);
void add_pack(Commands& commands);
void add_pack_character(Commands& commands);
void add_picture(Commands& commands);
void add_plan_reach(Commands& commands);
void add_plan_show(Commands& commands);
void add_plan_walk(Commands& commands);
void add_remove(Commands& commands);
void add_rename(Commands& commands);
void add_repair(Commands& commands);
void add_retarget(Commands& commands);
void add_sample(Commands& commands);
void add_states_build(Commands& commands);
void add_states_play(Commands& commands);
void add_machine_mine(Commands& commands);
void add_machine_files(Commands& commands);
void add_machine_prefer(Commands& commands);
void add_machine_show(Commands& commands);
void add_machine_build(Commands& commands);
void add_machine_wish(Commands& commands);
void add_states_tell(Commands& commands);
void add_studio(Commands& commands);
void add_world(Commands& commands);

}  // namespace loom::app
