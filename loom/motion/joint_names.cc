// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <vector>

#include <loom/motion/joint_names.h>

namespace loom::motion {
namespace {

struct WordFit {
  std::string_view word;
  LimbFit fit;
};

// CMU, Mixamo, MotionBuilder, Biped, Rigify, Unreal, VRM, Xsens, SMPL, OptiTrack, Vicon, Daz, Poser, MakeHuman,
// SmartBody, Auto-Rig Pro, Second Life, Oculus, H-Anim.
constexpr WordFit kLegWords[] = {
    {"upleg", {3, 0, 0, 0}},    {"upperleg", {3, 0, 0, 0}},   {"thigh", {3, 0, 0, 0}},
    {"femur", {3, 0, 0, 0}},    {"legupper", {3, 0, 0, 0}},   {"hip", {2, 0, 0, 0}},
    {"hips", {2, 0, 0, 0}},     {"hipjoint", {1, 0, 0, 0}},   {"buttock", {1, 0, 0, 0}},
    {"leg", {1, 2, 0, 0}},      {"lowerleg", {0, 3, 0, 0}},   {"lowleg", {0, 3, 0, 0}},
    {"leglower", {0, 3, 0, 0}}, {"calf", {0, 3, 0, 0}},       {"shin", {0, 3, 0, 0}},
    {"knee", {0, 3, 0, 0}},     {"tibia", {0, 3, 0, 0}},      {"ankle", {0, 0, 3, 0}},
    {"foot", {0, 0, 2, 1}},     {"feet", {0, 0, 2, 1}},       {"toe", {0, 0, 0, 3}},
    {"toes", {0, 0, 0, 3}},     {"toebase", {0, 0, 0, 3}},    {"ball", {0, 0, 0, 3}},
    {"forefoot", {0, 0, 0, 3}}, {"metatarsal", {0, 0, 0, 2}}, {"metatarsals", {0, 0, 0, 2}},
    {"foottoe", {0, 0, 0, 3}},  {"football", {0, 0, 0, 3}},   {"bigtoe", {0, 0, 0, 2}},
    {"toebig", {0, 0, 0, 2}},   {"legup", {3, 0, 0, 0}},      {"leglow", {0, 3, 0, 0}},
    {"legankle", {0, 0, 3, 0}}, {"footankle", {0, 0, 3, 0}},  {"footbase", {0, 0, 2, 0}},
    {"toesbase", {0, 0, 0, 3}}, {"midtarsal", {0, 0, 0, 2}},  {"metatarsophalangeal", {0, 0, 0, 3}},
};

constexpr WordFit kArmWords[] = {
    {"upperarm", {3, 0, 0, 0}},      {"uparm", {3, 0, 0, 0}},        {"uarm", {3, 0, 0, 0}},
    {"humerus", {3, 0, 0, 0}},       {"armupper", {3, 0, 0, 0}},     {"arm", {2, 0, 0, 0}},
    {"shldr", {2, 0, 0, 0}},         {"shoulder", {1, 0, 0, 0}},     {"forearm", {0, 3, 0, 0}},
    {"lowerarm", {0, 3, 0, 0}},      {"lowarm", {0, 3, 0, 0}},       {"farm", {0, 3, 0, 0}},
    {"armlower", {0, 3, 0, 0}},      {"elbow", {0, 3, 0, 0}},        {"radius", {0, 3, 0, 0}},
    {"wrist", {0, 0, 3, 0}},         {"hand", {0, 0, 2, 2}},         {"middle", {0, 0, 0, 5}},
    {"handmiddle", {0, 0, 0, 5}},    {"fmiddle", {0, 0, 0, 5}},      {"middleproximal", {0, 0, 0, 5}},
    {"mid", {0, 0, 0, 5}},           {"middlefinger", {0, 0, 0, 5}}, {"fingermiddle", {0, 0, 0, 5}},
    {"palm", {0, 0, 0, 4}},          {"finger", {0, 0, 0, 4}},       {"fingers", {0, 0, 0, 4}},
    {"index", {0, 0, 0, 3}},         {"handindex", {0, 0, 0, 3}},    {"findex", {0, 0, 0, 3}},
    {"indexproximal", {0, 0, 0, 3}}, {"indexfinger", {0, 0, 0, 3}},  {"inhandmiddle", {0, 0, 0, 5}},
    {"armup", {3, 0, 0, 0}},         {"armlow", {0, 3, 0, 0}},       {"forarm", {0, 3, 0, 0}},
    {"handwrist", {0, 0, 3, 0}},     {"radiocarpal", {0, 0, 3, 0}},  {"armpalm", {0, 0, 2, 0}},
};

// Words besides those of the limbs that may follow a side letter without a break, as in ASF's "lclavicle".
constexpr std::string_view kOtherSidedWords[] = {"clavicle", "collar", "thumb", "eye",    "ear",   "breast",
                                                 "pectoral", "brow",   "ring",  "little", "pinky", "scapula"};

// What rigs put before or after the part's own name.
constexpr std::string_view kFiller[] = {"bip",       "biped", "valve", "mixamorig", "def",    "org",     "j",
                                        "b",         "c",     "cc",    "base",      "joint",  "jnt",     "jt",
                                        "rig",       "bn",    "bone",  "armature",  "skel",   "center",  "centre",
                                        "character", "bend",  "m",     "sk",        "avatar", "stretch", "x"};

/// What MikuMikuDance calls joints, longer names before those they begin with.
struct Translation {
  std::string_view japanese, english;
};
constexpr Translation kJapanese[] = {
    {"\u5de6", " left "},                    // hidari
    {"\u53f3", " right "},                   // migi
    {"\u4e21", " both "},                    // ryou
    {"\uff29\uff2b", " ik "},                // full-width IK
    {"\u5168\u3066\u306e\u89aa", " root "},  // subete no oya
    {"\u64cd\u4f5c\u4e2d\u5fc3", " control "},
    {"\u30bb\u30f3\u30bf\u30fc", " center "},
    {"\u30b0\u30eb\u30fc\u30d6", " groove "},
    {"\u30ad\u30e3\u30f3\u30bb\u30eb", " cancel control "},
    {"\u4e0a\u534a\u8eab", " spine "},      // jouhanshin
    {"\u4e0b\u534a\u8eab", " lowerbody "},  // kahanshin
    {"\u8170", " waist "},
    {"\u9996", " neck "},
    {"\u982d", " head "},
    {"\u80a9", " shoulder "},
    {"\u8155\u6369", " arm twist "},
    {"\u8155", " upperarm "},
    {"\u3072\u3058", " elbow "},
    {"\u8098", " elbow "},
    {"\u624b\u6369", " wrist twist "},
    {"\u624b\u9996", " wrist "},
    {"\u89aa\u6307", " thumb "},
    {"\u4eba\u6307", " index "},
    {"\u4eba\u5dee\u6307", " index "},
    {"\u4e2d\u6307", " middle "},
    {"\u85ac\u6307", " ring "},
    {"\u5c0f\u6307", " little "},
    {"\u8db3\u9996", " ankle "},
    {"\u8db3\u5148", " toe "},
    {"\u3064\u307e\u5148", " toe "},
    {"\u722a\u5148", " toe "},
    {"\u3072\u3056", " knee "},
    {"\u819d", " knee "},
    {"\u8db3", " thigh "},
    {"\u76ee", " eye "},
    {"\u89aa", " parent "},  // of a control
};

template <typename List>
bool is_in(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

LimbFit fit_of(std::span<const WordFit> table, std::string_view word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const WordFit& w) { return w.word == word; });
  return found == table.end() ? LimbFit{} : found->fit;
}

bool is_limb_word(std::string_view word) {
  return leg_fit(word) != LimbFit{} || arm_fit(word) != LimbFit{} || is_in(kOtherSidedWords, word);
}

// Bytes, not characters: everything outside ASCII counts as a lower-case letter.
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a new token starts at `i`: at a change between letters and digits, at "aB", and at the last capital of a
/// run that a small letter follows ("LHip" is "L", "Hip").
bool starts_token(std::string_view name, std::size_t i) {
  const char before = name[i - 1], here = name[i];
  if (is_digit(before) != is_digit(here)) return true;
  if (!is_upper(here)) return false;
  return !is_upper(before) || (i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1]));
}

/// Names in Japanese in the words that the tables know; others as they are. `\u9996` is the neck, but `\u624b\u9996`
/// the wrist: the longest name that fits is taken.
std::string in_english(std::string_view name) {
  std::string english;
  for (std::size_t i = 0; i < name.size();) {
    const Translation* best = nullptr;
    for (const Translation& entry : kJapanese) {
      if (name.substr(i).starts_with(entry.japanese) && (!best || entry.japanese.size() > best->japanese.size()))
        best = &entry;
    }
    if (best != nullptr)
      english += best->english;
    else
      english += name[i];
    i += best != nullptr ? best->japanese.size() : 1;
  }
  return english;
}

std::vector<std::string> split_tokens(std::string_view name) {
  std::vector<std::string> tokens;
  bool inside = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_letter(name[i]) && !is_digit(name[i])) {
      inside = false;
      continue;
    }
    if (!inside || starts_token(name, i)) tokens.emplace_back();
    tokens.back() += to_lower(name[i]);
    inside = true;
  }
  return tokens;
}

Side side_of_token(std::string_view token) {
  if (token == "left" || token == "l" || token == "lft") return Side::kLeft;
  if (token == "right" || token == "r" || token == "rgt" || token == "rt") return Side::kRight;
  return Side::kMiddle;
}

/// Splits a side off a token it is glued to: "leftupleg", "handright", ASF's "lfemur", OptiTrack's "LU" of "LUArm".
Side split_glued_side(std::string& token, std::string_view next) {
  for (const auto& [word, side] : {std::pair{std::string_view("left"), Side::kLeft}, {"right", Side::kRight}}) {
    if (token.size() <= word.size()) continue;
    if (token.starts_with(word)) {
      token.erase(0, word.size());
      return side;
    }
    if (token.ends_with(word)) {
      token.erase(token.size() - word.size());
      return side;
    }
  }
  if (token.size() < 2 || (token[0] != 'l' && token[0] != 'r')) return Side::kMiddle;
  const std::string rest = token.substr(1);
  const bool sided =
      !is_limb_word(token) && (is_limb_word(rest) || (rest.size() == 1 && is_limb_word(rest + std::string(next))));
  if (!sided) return Side::kMiddle;
  const Side side = token[0] == 'l' ? Side::kLeft : Side::kRight;
  token = rest;
  return side;
}

/// Takes the side out of the tokens. A lone letter counts only beside a word: "L5" is a vertebra.
Side take_side(std::vector<std::string>& tokens) {
  const auto words = std::count_if(tokens.begin(), tokens.end(), [](const std::string& t) { return !is_digit(t[0]); });
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    // SmartBody's "JtHipLf"; in front it is the L of OptiTrack's "LFArm", the forearm.
    const Side side = i > 0 && tokens[i] == "lf" ? Side::kLeft : side_of_token(tokens[i]);
    if (side == Side::kMiddle || (tokens[i].size() == 1 && words < 2)) continue;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i));
    return side;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Side side = split_glued_side(tokens[i], i + 1 < tokens.size() ? tokens[i + 1] : std::string());
    if (side != Side::kMiddle) return side;
  }
  return Side::kMiddle;
}

}  // namespace

LimbFit leg_fit(std::string_view word) { return fit_of(kLegWords, word); }
LimbFit arm_fit(std::string_view word) { return fit_of(kArmWords, word); }

bool is_hips_word(std::string_view word) {
  return word == "hips" || word == "pelvis" || word == "hip" || word == "lowertorso" || word == "spinebase";
}
bool is_neck_word(std::string_view word) {
  return word == "neck" || word == "lowerneck" || word == "necklower" || word == "necktwist" || word == "neckbase" ||
         word == "upperneck" || word == "neckupper";
}
bool is_head_word(std::string_view word) { return word == "head" || word == "skull" || word == "skullbase"; }

JointName parse_joint_name(std::string_view name) {
  if (const auto space = name.find_last_of(":|"); space != std::string_view::npos && space + 1 < name.size()) {
    name.remove_prefix(space + 1);
  }
  const bool ascii = std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  std::vector<std::string> tokens = ascii ? split_tokens(name) : split_tokens(in_english(name));
  // SMPL's "f_avg_L_Hip": whose average it is says nothing.
  if (tokens.size() > 2 && tokens[1] == "avg") tokens.erase(tokens.begin(), tokens.begin() + 2);
  JointName parsed;
  parsed.side = take_side(tokens);
  for (const std::string& token : tokens) {
    parsed.key += token;
    parsed.key += ' ';
    if (!is_digit(token[0]) && !is_in(kFiller, token)) parsed.word += token;
  }
  return parsed;
}

}  // namespace loom::motion
