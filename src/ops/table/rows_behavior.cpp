// SPDX-License-Identifier: MIT
#include "ops/behavior/edit.h"
#include "ops/behavior/graph.h"
#include "ops/behavior/list.h"
#include "ops/behavior/run.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {

std::vector<Operation> behavior_rows() {
  const InputInfo file{
      .role = "file",
      .placeholder = "FILE",
      .help = "behaviour, character or project files: XML, packfiles, packfiles with node ids; or folders",
      .is_main = true};
  const InputInfo one{.role = "file", .placeholder = "FILE", .help = "a behaviour or character", .is_main = true};
  const InputInfo character{
      .role = "file", .placeholder = "CHARACTER", .help = "character files, male and female together", .is_main = true};
  return {
      reads({.name = "behavior list",
             .summary = "list events, variables, clips, states and transitions of behaviours, with node numbers",
             .details = "Of a character: its rig, its behaviour and its animations; of a project: its characters.",
             .inputs = {file}},
            Parts::None, &list_behavior),
      reads({.name = "behavior find",
             .summary = "find everything in a behaviour that uses an event, a clip or a variable",
             .inputs = {file}},
            Parts::None, &find_in_behavior),
      prints({.name = "behavior graph",
              .summary = "draw a behaviour: state machines as boxes with their states, transitions and clips",
              .details = "The extension of the output decides: .svg is a picture to zoom, fold and search in a "
                         "browser, .dot is for Graphviz,\n.json lists nodes and pointers.",
              .inputs = {one},
              .text_extension = ".svg",
              .is_bounded = true},
             Parts::None, &draw_behavior),
      prints(
          {.name = "behavior run",
           .summary = "walk a behaviour: which states are active and which clips play when events arrive",
           .details =
               "Columns: time,machine,state,clip,clip_time,weight; an output of .hkx, .xml or .glb is a clip of what\n"
               "plays, blended on the character's rig. Start states, transitions on events, "
               "selectors, clip times and\ntriggers are evaluated exactly; everything else that is met is "
               "named in notes.",
           .inputs = {{.role = "file",
                       .placeholder = "PROJECT",
                       .help = "a project, character or behaviour; files around it are found",
                       .is_main = true}},
           .text_extension = ".csv"},
          Parts::None, &run_behavior),
      edits({.name = "behavior add-event", .summary = "add events to a behaviour", .inputs = {one}}, Parts::None,
            &add_behavior_event),
      edits({.name = "behavior add-variable",
             .summary = "add a variable with its start value to a behaviour, or a property to a character",
             .inputs = {one}},
            Parts::None, &add_variable),
      edits({.name = "behavior add-animation",
             .summary = "add animations to the lists of characters, at the same index in all that are given",
             .details = "A character with female animations gets the female file for a male one.",
             .inputs = {character}},
            Parts::None, &add_animation),
      edits({.name = "behavior add-clip",
             .summary = "add a clip, a state that plays it and an event that leads there",
             .details = "The character must list the animation too: see add-animation.",
             .inputs = {one}},
            Parts::None, &add_clip),
      edits(
          {.name = "behavior add-state", .summary = "add a state that plays a generator of the file", .inputs = {one}},
          Parts::None, &add_state),
      edits({.name = "behavior add-transition",
             .summary = "add a transition between two states on an event",
             .inputs = {one}},
            Parts::None, &add_transition),
      edits({.name = "behavior set",
             .summary = "give members of a node other values; events and variables are taken by name",
             .details = "The element just after the last one of a list is made: transitions[3] of a list of three.",
             .inputs = {one}},
            Parts::None, &set_field),
      edits(
          {.name = "behavior remove",
           .summary =
               "remove a node, an element of a list, an event, a variable or an animation; all indices are kept right",
           .details = "States and blender children that play a node go with it, and the transitions to such "
                      "states. What is still used\nelsewhere is not removed: the message names its first use.",
           .inputs = {one}},
          Parts::None, &remove_node),
      edits({.name = "behavior rename",
             .summary = "rename an event or a variable, in its table and in all expressions",
             .inputs = {one}},
            Parts::None, &rename_in_behavior),
      edits({.name = "behavior edit",
             .summary = "run a script of edits, one per line",
             .details = "A line is a verb of behavior with its words, without FILE and -o; # begins a comment.",
             .inputs = {one}},
            Parts::None, &run_behavior_script)};
}

}  // namespace marrow
