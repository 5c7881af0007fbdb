// SPDX-License-Identifier: MIT
// A machine drawn: states in an order that keeps friends together, rings, arrows, and names that are no markup.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/report/machine_page.h>

namespace loom::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

behavior::StateMachine four_states() {
  return *behavior::parse_machine(
      "machine m\nstate a: x\nstate \"<b>\": x\nstate c: x\nstate d-e: x\ndefault c\ntransition c -> c self\n"
      "transition c -> a weight 0.9\ntransition c -> d-e weight 0.1\ntransition a -> \"<b>\"\n"
      "transition \"<b>\" -> c\ntransition d-e -> c\n",
      "m");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(MachinePage, StatesStandBesideThoseTheyGoTo) {
  // From c most often to or from d-e (0.1 + 1) and <b> (1), a (0.9); then whoever is nearest to the last.
  EXPECT_THAT(order_on_circle(four_states()), ElementsAre(2, 3, 0, 1));
}

TEST(MachinePage, EveryStateAndTransitionIsDrawnOnce) {
  const std::string drawing = machine_drawing(four_states());
  EXPECT_EQ(count(drawing, "marker-end"), 5u) << "not the one to itself";
  EXPECT_EQ(count(drawing, "class=\"inner\""), 1u) << "one state is cyclic";
  EXPECT_EQ(count(drawing, "<g class=\"state"), 4u);
  EXPECT_EQ(count(drawing, "<g class=\"state home\""), 1u);
  EXPECT_THAT(drawing, HasSubstr("c to a: 0.900"));
  EXPECT_THAT(drawing, Not(HasSubstr("nan")));
}

TEST(MachinePage, NamesAndParametersAreNoMarkup) {
  const std::string page = machine_page(four_states(), "<i>", "{\"graph\": \"<g>\"}", {"<edit>"});
  for (const char* markup : {"<b>", "<i>", "<g>", "<edit>"}) EXPECT_THAT(page, Not(HasSubstr(markup))) << markup;
  EXPECT_THAT(page, HasSubstr("&lt;edit&gt;"));
}

}  // namespace
}  // namespace loom::report
