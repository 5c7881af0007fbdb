// SPDX-License-Identifier: MIT
#include <loom/fight/activity_settings.h>
#include <loom/fight/fighting_machine.h>

namespace loom::fight {

const std::string& fighting_machine_text() {
  static const std::string text = R"(# The built-in fighting machine (Chiu 2007, figure 2a).
machine fighting

# Where motion carries labels of several states, the state written first takes it: a punch thrown from the
# fighting stance is a punch.
state punch whole: punch
state kick whole: kick
state evade whole: evade?, block?, slip?, dodge?
# What a body does that is hit, where the library knows it; elsewhere the motion is bent.
state reaction whole optional: hit?, reaction?, stagger?, "hit-reaction"?
state locomotion: fight-stance else boxing else walk
default locomotion

transition locomotion -> locomotion self
transition locomotion -> punch full
transition locomotion -> kick full
transition locomotion -> evade full
transition punch -> locomotion
transition kick -> locomotion
transition evade -> locomotion
transition locomotion -> reaction
transition reaction -> locomotion

# A supervisor asks the activities from the highest priority down and takes the first reasonable offer.
activity evade: evade in evade
  priority 30
  eager 0.6
  rest 0.6
  delay 0.3
  danger 0.2
  near 0.55
activity punch: attack in punch
  priority 20
  eager 0.35
  rest 0.8
  reach 0.12
  delay 0.35
activity kick: attack in kick
  priority 20
  eager 0.35
  rest 1.2
  reach 0.12
  delay 0.35
activity reaction: react in reaction
activity shadow: shadow in locomotion
  priority 1
  distance 1.0

style aggressive
  punch.priority 40
  kick.priority 40
  punch.eager 0.9
  kick.eager 0.9
  punch.rest 0.2
  kick.rest 0.4
  evade.eager 0.3
style defensive
  evade.priority 50
  evade.eager 1
  evade.rest 0.2
  evade.danger 0.4
  evade.near 0.75
  punch.eager 0.04
  kick.eager 0.04
  shadow.distance 1.25
style puncher
  punch.priority 45
  punch.eager 0.9
  kick.eager 0.02
  shadow.distance 0.85
# The same four by priority alone, as the work has them: who is asked first, and nothing else. Below shadowing nothing is
# ever asked.
style attack-first
  punch.priority 40
  kick.priority 40
style evade-first
  evade.priority 50
style punch-only
  punch.priority 45
  kick.priority 0
style kick-only
  kick.priority 45
  punch.priority 0
style kicker
  kick.priority 45
  kick.eager 0.9
  punch.eager 0.02
  shadow.distance 1.15
)";
  return text;
}

behavior::StateMachine fighting_machine() {
  auto machine = behavior::parse_machine(fighting_machine_text(), "built-in fighting machine").value();
  static_cast<void>(settle_activities(machine));  // nothing is wrong with it, as a test sees
  return machine;
}

}  // namespace loom::fight
