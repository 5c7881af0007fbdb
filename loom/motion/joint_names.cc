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
constexpr std::string_view kFiller[] = {"bip",  "biped",    "valve",   "mixamorig", "def",    "org",       "j",    "b",
                                        "c",    "cc",       "base",    "joint",     "jnt",    "jt",        "rig",  "bn",
                                        "bone", "armature", "skel",    "center",    "centre", "character", "bend", "m",
                                        "sk",   "avatar",   "stretch", "x",         "bind"};

/// What is written without letters of the Latin script: Japanese as MikuMikuDance has it, Chinese, Korean, Russian.
struct Translation {
  std::string_view theirs, english;
};
constexpr Translation kOtherScripts[] = {
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
    // Chinese
    {"\u5934", " head "},
    {"\u9888", " neck "},
    {"\u8116\u5b50", " neck "},
    {"\u9501\u9aa8", " clavicle "},
    {"\u80a9\u8180", " shoulder "},
    {"\u4e0a\u81c2", " upperarm "},
    {"\u5927\u81c2", " upperarm "},
    {"\u524d\u81c2", " forearm "},
    {"\u4e0b\u81c2", " forearm "},
    {"\u5c0f\u81c2", " forearm "},
    {"\u624b\u8098", " elbow "},
    {"\u624b\u8155", " wrist "},
    {"\u624b\u638c", " hand "},
    {"\u624b", " hand "},
    {"\u5927\u817f", " thigh "},
    {"\u5c0f\u817f", " shin "},
    {"\u819d\u76d6", " knee "},
    {"\u811a\u8e1d", " ankle "},
    {"\u811a\u638c", " foot "},
    {"\u811a", " foot "},
    {"\u811a\u8dbe", " toe "},
    {"\u810a\u690e", " spine "},
    {"\u810a\u67f1", " spine "},
    {"\u80f8", " chest "},
    {"\u9aa8\u76c6", " hips "},
    {"\u76c6\u9aa8", " hips "},
    {"\u81c0", " hips "},
    {"\u624b\u6307", " finger "},
    // Korean
    {"\uc67c\ucabd", " left "},
    {"\uc67c", " left "},
    {"\uc624\ub978\ucabd", " right "},
    {"\uc624\ub978", " right "},
    {"\uace8\ubc18", " hips "},
    {"\ucc99\ucd94", " spine "},
    {"\uac00\uc2b4", " chest "},
    {"\ubaa9", " neck "},
    {"\uba38\ub9ac", " head "},
    {"\uc1c4\uace8", " clavicle "},
    {"\uc5b4\uae68", " shoulder "},
    {"\uc704\ud314", " upperarm "},
    {"\ud314", " arm "},
    {"\uc544\ub798\ud314", " forearm "},
    {"\ud314\uafc8\uce58", " elbow "},
    {"\uc190\ubaa9", " wrist "},
    {"\uc190", " hand "},
    {"\uc190\uac00\ub77d", " finger "},
    {"\ud5c8\ubc85\uc9c0", " thigh "},
    {"\ubb34\ub98e", " knee "},
    {"\uc885\uc544\ub9ac", " shin "},
    {"\ubc1c\ubaa9", " ankle "},
    {"\ubc1c", " foot "},
    {"\ubc1c\uac00\ub77d", " toe "},
    // Russian
    {"\u043b\u0435\u0432\u0430\u044f", " left "},
    {"\u043b\u0435\u0432\u044b\u0439", " left "},
    {"\u043b\u0435\u0432\u043e\u0435", " left "},
    {"\u043b\u0435\u0432", " left "},
    {"\u043f\u0440\u0430\u0432\u0430\u044f", " right "},
    {"\u043f\u0440\u0430\u0432\u044b\u0439", " right "},
    {"\u043f\u0440\u0430\u0432\u043e\u0435", " right "},
    {"\u043f\u0440\u0430\u0432", " right "},
    {"\u0442\u0430\u0437", " hips "},
    {"\u043f\u043e\u0437\u0432\u043e\u043d\u043e\u0447\u043d\u0438\u043a", " spine "},
    {"\u0433\u0440\u0443\u0434\u044c", " chest "},
    {"\u0448\u0435\u044f", " neck "},
    {"\u0433\u043e\u043b\u043e\u0432\u0430", " head "},
    {"\u043a\u043b\u044e\u0447\u0438\u0446\u0430", " clavicle "},
    {"\u043f\u043b\u0435\u0447\u043e", " upperarm "},
    {"\u043f\u0440\u0435\u0434\u043f\u043b\u0435\u0447\u044c\u0435", " forearm "},
    {"\u043b\u043e\u043a\u043e\u0442\u044c", " elbow "},
    {"\u043a\u0438\u0441\u0442\u044c", " hand "},
    {"\u0437\u0430\u043f\u044f\u0441\u0442\u044c\u0435", " wrist "},
    {"\u0431\u0435\u0434\u0440\u043e", " thigh "},
    {"\u043a\u043e\u043b\u0435\u043d\u043e", " knee "},
    {"\u0433\u043e\u043b\u0435\u043d\u044c", " shin "},
    {"\u0441\u0442\u043e\u043f\u0430", " foot "},
    {"\u043b\u043e\u0434\u044b\u0436\u043a\u0430", " ankle "},
    {"\u043d\u043e\u0441\u043e\u043a", " toe "},
    {"\u043f\u0430\u043b\u044c\u0446\u044b", " fingers "},
};

/// What joints are called in languages that are written like English. Words that mean something else to a rigger
/// (French "main", a control) are left out.
constexpr Translation kOtherWords[] = {
    // German
    {"becken", "hips"},
    {"huefte", "hips"},
    {"hufte", "hips"},
    {"h\u00fcfte", "hips"},
    {"wirbelsaeule", "spine"},
    {"wirbels\u00e4ule", "spine"},
    {"bauch", "spine"},
    {"brust", "chest"},
    {"hals", "neck"},
    {"kopf", "head"},
    {"schluesselbein", "clavicle"},
    {"schl\u00fcsselbein", "clavicle"},
    {"schulter", "shoulder"},
    {"oberarm", "upperarm"},
    {"unterarm", "forearm"},
    {"ellbogen", "elbow"},
    {"handgelenk", "wrist"},
    {"oberschenkel", "thigh"},
    {"unterschenkel", "shin"},
    {"knie", "knee"},
    {"fuss", "foot"},
    {"fu\u00df", "foot"},
    {"knoechel", "ankle"},
    {"kn\u00f6chel", "ankle"},
    {"zeh", "toe"},
    {"zehe", "toe"},
    {"zehen", "toe"},
    // French
    {"bassin", "hips"},
    {"hanche", "hip"},
    {"hanches", "hips"},
    {"colonne", "spine"},
    {"poitrine", "chest"},
    {"cou", "neck"},
    {"tete", "head"},
    {"t\u00eate", "head"},
    {"clavicule", "clavicle"},
    {"epaule", "shoulder"},
    {"\u00e9paule", "shoulder"},
    {"bras", "upperarm"},
    {"coude", "elbow"},
    {"poignet", "wrist"},
    {"cuisse", "thigh"},
    {"genou", "knee"},
    {"mollet", "shin"},
    {"cheville", "ankle"},
    {"pied", "foot"},
    {"orteil", "toe"},
    {"orteils", "toe"},
    // Spanish and Portuguese
    {"cadera", "hips"},
    {"caderas", "hips"},
    {"quadril", "hips"},
    {"columna", "spine"},
    {"coluna", "spine"},
    {"pecho", "chest"},
    {"peito", "chest"},
    {"cuello", "neck"},
    {"pescoco", "neck"},
    {"pesco\u00e7o", "neck"},
    {"cabeza", "head"},
    {"cabeca", "head"},
    {"cabe\u00e7a", "head"},
    {"clavicula", "clavicle"},
    {"hombro", "shoulder"},
    {"ombro", "shoulder"},
    {"brazo", "upperarm"},
    {"braco", "upperarm"},
    {"bra\u00e7o", "upperarm"},
    {"antebrazo", "forearm"},
    {"antebraco", "forearm"},
    {"antebra\u00e7o", "forearm"},
    {"codo", "elbow"},
    {"cotovelo", "elbow"},
    {"muneca", "wrist"},
    {"mu\u00f1eca", "wrist"},
    {"pulso", "wrist"},
    {"mano", "hand"},
    {"mao", "hand"},
    {"m\u00e3o", "hand"},
    {"muslo", "thigh"},
    {"coxa", "thigh"},
    {"rodilla", "knee"},
    {"joelho", "knee"},
    {"pantorrilla", "shin"},
    {"tobillo", "ankle"},
    {"tornozelo", "ankle"},
    {"pie", "foot"},
    {"p\u00e9", "foot"},
    // Italian
    {"bacino", "hips"},
    {"petto", "chest"},
    {"collo", "neck"},
    {"testa", "head"},
    {"spalla", "shoulder"},
    {"braccio", "upperarm"},
    {"avambraccio", "forearm"},
    {"gomito", "elbow"},
    {"polso", "wrist"},
    {"coscia", "thigh"},
    {"ginocchio", "knee"},
    {"gamba", "shin"},
    {"caviglia", "ankle"},
    {"piede", "foot"},
    // Sides
    {"links", "left"},
    {"linke", "left"},
    {"linker", "left"},
    {"linkes", "left"},
    {"gauche", "left"},
    {"izquierda", "left"},
    {"izquierdo", "left"},
    {"izq", "left"},
    {"esquerda", "left"},
    {"esquerdo", "left"},
    {"esq", "left"},
    {"sinistra", "left"},
    {"sinistro", "left"},
    {"sx", "left"},
    {"rechts", "right"},
    {"rechte", "right"},
    {"rechter", "right"},
    {"rechtes", "right"},
    {"droite", "right"},
    {"droit", "right"},
    {"derecha", "right"},
    {"derecho", "right"},
    {"direita", "right"},
    {"direito", "right"},
    {"destra", "right"},
    {"destro", "right"},
    {"dx", "right"},
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

/// Capitals of the Cyrillic script made small; the rest as it is.
std::string small_cyrillic(std::string_view name) {
  std::string small(name);
  for (std::size_t i = 0; i + 1 < small.size(); ++i) {
    if (small[i] != '\xd0') continue;
    const auto second = static_cast<unsigned char>(small[i + 1]);
    if (second >= 0x90 && second <= 0x9f) small[i + 1] = static_cast<char>(second + 0x20);
    if (second >= 0xa0 && second <= 0xaf) small[i] = '\xd1', small[i + 1] = static_cast<char>(second - 0x20);
  }
  return small;
}

/// Names of other scripts in the words that the tables know; others as they are. `\u9996` is the neck, but
/// `\u624b\u9996` the wrist: the longest name that fits is taken.
std::string in_english(std::string_view written) {
  const std::string name = small_cyrillic(written);
  std::string english;
  for (std::size_t i = 0; i < name.size();) {
    const Translation* best = nullptr;
    for (const Translation& entry : kOtherScripts) {
      if (std::string_view(name).substr(i).starts_with(entry.theirs) &&
          (!best || entry.theirs.size() > best->theirs.size()))
        best = &entry;
    }
    if (best != nullptr)
      english += best->english;
    else
      english += name[i];
    i += best != nullptr ? best->theirs.size() : 1;
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
  for (std::string& token : tokens) {
    const auto found = std::find_if(std::begin(kOtherWords), std::end(kOtherWords),
                                    [&](const Translation& entry) { return entry.theirs == token; });
    if (found != std::end(kOtherWords)) token = found->english;
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
  // Of two the one at the end: the ring finger's palm is "PalmR.L".
  std::size_t found = tokens.size();
  Side its = Side::kMiddle;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    // SmartBody's "JtHipLf"; in front it is the L of OptiTrack's "LFArm", the forearm.
    const Side side = i > 0 && tokens[i] == "lf" ? Side::kLeft : side_of_token(tokens[i]);
    if (side == Side::kMiddle || (tokens[i].size() == 1 && words < 2)) continue;
    if (found < tokens.size() && i + 1 < tokens.size()) continue;
    found = i, its = side;
  }
  if (its != Side::kMiddle) {
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(found));
    return its;
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
