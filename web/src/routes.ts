// SPDX-License-Identifier: MIT
// Everything the page and its server (apps/studio) say to each other, in types: every route, every event, every wish.
// tests/web/routes.mjs asks a real server and holds what it answers against these types, field by field.

// ---- What several routes speak of.

// Frames [begin, end) of a clip.
export interface Label {
  name: string;
  begin: number;
  end: number;
}

export interface ClipInfo {
  name: string;
  frames: number;
  rate: number; // frames a second
  seconds: number;
  joints: number;
  skeleton: number; // clips with the same number have the same body
  hash: string; // of the motion
  labels: Label[];
}

export interface LabelTotal {
  name: string;
  clips: number;
  seconds: number;
}

// `parameters` are what it was built with.
export interface GraphInfo {
  name: string;
  bytes: number;
  created: string;
  parameters: Record<string, unknown>;
}

// A clip that cannot be told of, and why.
export interface DamagedClip {
  name: string;
  error: string;
}

export interface LibraryState {
  path: string;
  read_only: boolean;
  clips: ClipInfo[];
  damaged: DamagedClip[];
  labels: LabelTotal[];
  graphs: GraphInfo[];
}

// Lengths in metres, times in seconds, angles in radians where no unit is named.
export interface Measures {
  has_feet: boolean;
  foot_slide_mean_mps: number;
  foot_slide_max_mps: number;
  foot_slide_max_frame: number;
  largest_jump_m: number;
  largest_jump_frame: number;
  jerk_rms: number;
  flight_s: number;
  path_m: number;
  mean_speed_mps: number;
  mean_turn_rate_rps: number;
}

// What a close look at the body shows (`loom measure`).
export interface CloseLook {
  has_feet: boolean;
  knee_backward_deg: number;
  knee_backward_frame: number;
  elbow_backward_deg: number;
  elbow_backward_frame: number;
  foot_reversed_frames: number;
  foot_reversed_frame: number;
  sole_height_m: number;
  glide_share: number;
  glide_frame: number;
  drags_per_minute: number;
  drag_max_m: number;
  drag_max_frame: number;
  self_inside_m: number;
  self_inside_frame: number;
  head_acceleration_mps2: number;
  head_acceleration_frame: number;
}

// A plane, tilted where the capture was.
export interface Floor {
  height: number;
  centre_x: number;
  centre_z: number;
  slope_x: number;
  slope_z: number;
}

// Before the roots (3 floats a frame), the rotations (4 a joint and frame) and the contacts (1 byte a frame) of a motion.
export interface ShownHeader {
  name: string;
  frames: number;
  rate: number;
  joints: number;
  body: string; // to ask for at /api/bodies
  labels: Label[];
  foot_points?: number[]; // heel and toe, left and right; -1 where there is none. Missing with the floor where
  floor?: Floor; // the body has no feet
}

// The same with how good it is.
export interface MotionHeader extends ShownHeader {
  measures: Measures;
  close_look: CloseLook | null; // none of long motions
}

// Of a clip of the library: where it came from.
export interface ClipHeader extends MotionHeader {
  source: string;
  added: string;
  made_by: unknown;
  notes: string[];
  warnings: string[];
}

// What a clip is sorted by.
export interface ClipFigures {
  clip: string;
  added: string; // UTC
  speed_mps: number;
  slide_mps: number | null; // of planted feet
}
// A label that a clip could carry, and what speaks for it.
export interface SuggestedLabel extends Label {
  clip: string;
  why: string;
}
export interface FoundStretch {
  clip: string;
  mirrored: boolean;
  begin: number;
  end: number;
  rank_cm: number; // how far off it is
}
export interface Renaming {
  from: string;
  to: string;
}

// What is to be mended of a clip, in this order.
export interface RepairBody {
  from?: number;
  to?: number;
  rate?: number;
  smooth_hz?: number;
  floor?: boolean;
  loop?: boolean;
  plant_feet?: boolean;
  in_place?: boolean;
}
export interface RepairMeasures {
  frames: number;
  rate: number;
  foot_slide_mean_mps: number | null;
  foot_slide_max_mps: number | null;
  penetration_max_m: number | null;
  floor_m: number | null;
  largest_jump_m: number;
  jerk_rms: number;
  path_m: number;
  loop_gap_m: number;
}

// Of a motion that was made here, and is kept by the server for a while under a number.
export interface MadeHeader extends MotionHeader {
  made: number;
}

export interface RepairedHeader extends MadeHeader {
  done: string[]; // a sentence a step
  before: RepairMeasures;
  after: RepairMeasures;
}

// A moment that could be gone to at a seam, and what it is weighed by: a value a term.
export interface SeamChoice {
  clip: string; // or what leads there
  frame: number;
  cost: number | null; // null: nothing was weighed, it goes on by itself
  values: number[];
}
// Where one piece goes over into the next: what was weighed, what was taken and what else there was, cheapest first.
export interface Seam {
  left: { clip: string; frame: number } | null;
  terms: { name: string; unit: string }[];
  taken: SeamChoice;
  others: SeamChoice[];
}
// One of the clips that a moment is mixed of.
export interface Part {
  clip: string;
  frame: number;
  share: number; // those of all add up to 1
}
// A stretch of a clip that a made motion has, and the frame at which it begins.
export interface Piece {
  clip: string;
  begin: number;
  frame: number; // of the clip, with which it begins
  what: string; // that it does; may be empty
  parts: Part[]; // where it is mixed of several: at its most telling moment
  seam: Seam | null; // with the piece before
  between: boolean; // not recorded, but mixed of two clips
}
export interface WovenHeader extends MadeHeader {
  pieces: Piece[];
}
export interface FollowedHeader extends WovenHeader {
  length_m: number;
  mean_error_m: number;
  max_error_m: number;
  end_error_m: number;
  followed: boolean;
  off_label_share: number;
}
export interface TransitionHeader extends MadeHeader {
  distance: number;
  change_frame: number;
}
export interface RetimedHeader extends MadeHeader {
  cost: number;
}
export interface BlendHeader extends MadeHeader {
  reached: number[];
  error: number;
}

export type Point = [number, number, number];
export interface Joint {
  name: string;
  parent: number;
  offset: Point;
}
export interface EndSite {
  joint: number;
  offset: Point;
}

// Before positions and normals (3 floats a vertex), carriers (4 shorts), weights (4 floats) and triangles (3 words).
export interface BodyHeader {
  joints: Joint[];
  end_sites: EndSite[];
  sides: number[]; // 0 middle, 1 left, 2 right; one a joint
  vertices: number;
  triangles: number;
}

// ---- Long work.

// What is said of files, gathered where it differs in numbers and names alone: the first of them, and whom all are about.
export interface NoteGroup {
  text: string;
  files: string[];
  notes: number;
  alike: boolean; // all say the same, word for word
}
export interface ImportFault {
  file: string;
  text: string;
  severity: number;
  mended: boolean;
}
export interface ImportResult {
  clips: string[];
  frames: number;
  fitted: number;
  failed: NoteGroup[];
  skipped: NoteGroup[];
  warnings: NoteGroup[];
  notes: NoteGroup[];
  faults: ImportFault[];
  seconds: number;
}
export interface LabelsResult {
  added: number;
  labelled: number;
  warnings: NoteGroup[];
}
export interface SamplesResult {
  clips: number;
  seconds: number;
}
// A stretch of a clip with faults of capture, of which nothing was made: frames [from, to), and why.
export interface LeftOut {
  clip: string;
  from: number;
  to: number;
  seconds: number;
  why: string;
}
export interface GraphResult {
  name: string;
  frames: number;
  nodes: number;
  transitions: number;
  threshold: number;
  share: number;
  seconds: number;
  left_out: LeftOut[];
}
export interface SelectionResult {
  name: string;
  nodes: number;
  whole_nodes: number;
  transitions: number;
  satisfied_share: number;
  left_out_nodes: number; // picked, but dead ends
  seconds: number;
}
export interface FamilyResult {
  name: string;
  examples: number;
  notes: string[];
  left_out: LeftOut[];
}
export interface PolicyResult {
  name: string;
  fragments: number;
  left_out: LeftOut[];
}
export interface StatesResult {
  name: string;
  frames: number;
  seconds: number;
  left_out: LeftOut[];
}

export interface MachineResult {
  name: string;
  states: number;
  edges: number;
  chi: number | null; // against a machine drawn by hand
  rho: number | null;
  seconds: number;
}

export interface BuiltResult {
  name: string;
  states: number;
  transitions: number;
  seconds: number;
}

export interface FileNote {
  file: string;
  text: string;
}
export interface CharacterResult {
  characters: { name: string; joints: number; vertices: number; warnings: string[] }[];
  failed: FileNote[];
}

// `result` is there once the job is done, `error` once it has failed.
interface JobOf<Kind extends string, Result> {
  id: number;
  kind: Kind;
  title: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  what: string;
  share: number;
  error?: string;
  result?: Result;
}
export type ImportJob = JobOf<'import', ImportResult>;
export type LabelsJob = JobOf<'labels', LabelsResult>;
export type Job =
  | ImportJob
  | LabelsJob
  | JobOf<'samples', SamplesResult>
  | JobOf<'graph', GraphResult>
  | JobOf<'selection', SelectionResult>
  | JobOf<'family', FamilyResult>
  | JobOf<'policy', PolicyResult>
  | JobOf<'states', StatesResult>
  | JobOf<'machine', MachineResult>
  | JobOf<'built', BuiltResult>
  | JobOf<'character', CharacterResult>
  | JobOf<'motion', { clips: number }>; // measured, to be played with

export interface Started {
  job: number;
}

// ---- Graphs.

export interface BuildBody {
  name: string;
  labels: string[];
  mirror: boolean;
  metric: string;
  threshold?: number;
  connect?: number;
  match_stance?: boolean;
  lambda?: number; // with motion between recordings
  body?: string; // number of the one that is wanted, where clips move several
}

export interface Loss {
  clip: string;
  frames_lost: number;
  frames: number;
  joins_at: number | null;
  reason: string;
}

// A stretch of a clip, from one moment to another, in seconds.
export interface PickRange {
  clip: string;
  begin: number;
  end: number;
}
// What is asked of the ways between key motions: 1 to 4 (Zhao 2009 §5.2), and frames.
export interface Asked {
  requirement: number;
  within: number;
}
export interface PickBody extends Asked {
  keys: PickRange[];
  picked: PickRange[];
}
// Stretches as commands name them: walk:20-60. Of what was picked, those that the graph has.
export interface PickTexts {
  key_texts: string[];
  picked_texts: string[];
}
// How the ways from a frame of one key motion to one of another are within what was picked; worst pairs come first.
export interface PickedPair {
  from: number; // of the key motions
  to: number;
  connected_share: number;
  satisfied_share: number; // as quick as was asked for, or as the whole graph can
  mean_frames: number | null;
  best_frames: number; // in the whole graph
}
export interface PickJudged extends PickTexts {
  rate: number; // of the graph, in frames of which ways are counted
  graph_frames: number;
  frames: number; // picked, key motions included
  edges: number;
  key_frames: number;
  frames_of_keys: number[]; // that the graph has of each: 0 where pruning lost it
  connected_share: number;
  satisfied_share: number;
  beyond_share: number; // ways that the whole graph cannot make as quick as asked for either
  mean_frames: number | null;
  best_frames: number;
  pairs: PickedPair[];
}

// What is known of a graph before anything is measured: enough to walk on it.
export interface GraphOutline {
  name: string;
  frames: number; // that were recorded
  nodes: number; // of which one can walk
  transitions: number;
  threshold: number;
  behaviors: string[];
}

// What is known of a graph. A time is null where no frames give it.
export interface GraphAbout {
  name: string;
  clip_count: number;
  rate: number;
  threshold: number;
  frames: number;
  nodes: number;
  recorded_nodes: number;
  edges: number;
  transitions: number;
  component_share: number;
  memory_bytes: number;
  mean_time_s: number | null;
  mean_transition_s: number | null;
  sources: number;
  histogram_bin_s: number;
  histogram: number[];
  behaviors: string[];
  missing_behaviors: string[];
  between_s: Record<string, Record<string, number | null>>;
  maneuverability_s: Record<string, number | null>;
  maneuverability_between_s: Record<string, Record<string, number | null>>;
  maneuverability_histogram: number[];
  local_maneuverability_s: number | null;
  shares: [number, number][]; // threshold, share of the frames
  lost: Loss[];
}

export interface NearPair {
  from_clip: string;
  from_title: string;
  from_frame: number;
  to_clip: string;
  to_title: string;
  to_frame: number;
  distance: number;
  cost: number;
  in_graph: boolean;
}

export interface Way {
  from: string;
  to: string;
  connected: boolean;
  quickest_s: number | null;
  mean_s: number | null;
  connects_at: number | null;
  route: { clip: string; title: string; from: number; to: number }[]; // the quickest way: frames of clips, one after the other
  best: NearPair[];
}

export interface Explanation {
  threshold: number;
  there: Way;
  back: Way;
}

// ---- Two clips against each other.

export interface ClipPair {
  a: string;
  b: string;
}

export type Cell = [number, number]; // a frame of the first clip (row), a frame of the second (column)

// Before rows times columns floats.
export interface MatrixHeader {
  rows: number;
  columns: number;
  row_step: number;
  column_step: number;
  rate: number;
  frames: Cell;
  minima: Point[]; // a frame of each clip, and their distance
}
export interface CostsHeader extends MatrixHeader {
  strokes: number[][];
  headings: number[];
}

// What is held of a warp: cells written as 30:41, several with commas between.
export interface WarpQuery extends ClipPair {
  pins?: string;
  from?: string;
  to?: string;
  free?: '1';
  strokes?: '0';
}
export interface Warp {
  cells: Cell[];
  strokes: Cell[];
  cost: number;
  rate: number;
}

// ---- Families.

export interface FamilyInfo {
  name: string;
  created: string;
}
export interface FamilyParameter {
  name: string;
  unit: string;
}
export interface FamilyMember {
  title: string;
  clip: string;
  begin: number;
  end: number;
  cost: number;
  values: number[]; // one a parameter
}
export interface FamilyAbout {
  name: string;
  kind: string;
  places: boolean; // the parameters are a place: x, y, z
  joint: number; // the one that is placed, of `joints`; -1: none
  joints: string[];
  strokes: number; // moments at which targets can be met
  rate: number;
  reference: number;
  parameters: FamilyParameter[];
  methods: string[];
  members: FamilyMember[];
}

// Before the places (3 floats each) and how far off each comes out (1).
export interface CoverageHeader {
  samples: number;
  dimensions: number;
  spacing: number;
  covered: number;
  error: number;
  tolerance: number;
  suggestion?: { at: number[]; covered_after: number };
}

// ---- Machines of behaviors.

// `parameters` say what it was mined from and how, or which file it was read from.
export interface MachineInfo {
  name: string;
  created: string;
  parameters: Record<string, unknown>;
}
export interface MachineState {
  name: string;
  cyclic: boolean; // one can stay in it
  default: boolean; // one comes back to it
  takes: string[]; // labels, clips and families
  after: string | null; // the state that follows when its motion is over
}
export interface MachineEdge {
  from: string;
  to: string;
  probability: number;
}
export interface MachineAbout {
  name: string;
  states: MachineState[];
  edges: MachineEdge[];
  edits: string[]; // ways that were preferred, in order
  built: boolean; // its states were filled with motion
  parameters: Record<string, unknown>;
}
// Two states without an edge between them, and why.
export interface MissingEdge {
  from: string;
  to: string;
  why: 'no_motion' | 'no_step' | 'pruned' | 'rare';
  no_way: boolean; // not through other states either
  nearest: { from: string; from_frame: number; to: string; to_frame: number; distance: number } | null;
}
// What a machine lacks; of one that was not mined nothing is known. With `against`: compared with one drawn by hand.
export interface MachineGaps {
  mined: boolean;
  missing: MissingEdge[];
  chi: number | null; // edges for each drawn one
  rho: number | null; // share of the drawn edges that were found
  common_edges: number | null;
  hand_edges: number | null;
}
// What a method would make of ways that are to be the cheapest.
export interface PreferAnswer {
  method: 'least' | 'quadratic';
  refused: string | null; // why it cannot; then the rest says nothing
  edges_changed: number;
  ways_changed: number; // between how many other pairs of states another way becomes the cheapest
  relative_change: number;
  seconds: number;
  edges: MachineEdge[]; // as they would be
}

// Seconds of the motion that is left and of the one that is entered.
export type Knot = [number, number];
// Where one goes from a state to another; between knots time goes evenly.
export interface MachineWarp {
  knots: Knot[];
  pinned: boolean; // by hand: a new build keeps it
  out: boolean; // thrown out
}
// Before rows times columns floats: the distances of the motions of two states.
export interface CrossingsHeader extends MatrixHeader {
  from_seconds: [number, number]; // from when to when its motion goes
  to_seconds: [number, number];
  transitions: { knots: Knot[]; cost: number; pinned: boolean }[]; // that are played
  warps: MachineWarp[]; // of the machine
}
export interface CrossingHeader extends MadeHeader {
  change_frame: number; // at which it begins to go over
  changed_frame: number; // and has
}
export interface StateParameter {
  name: string;
  unit: string;
  least: number;
  most: number;
  usual: number;
}

// ---- Playing and fighting.

// A word of a command: one that somebody chose is `given` (command_words.ts).
export interface Given {
  given: string;
}
export type Word = string | number | Given;

export interface PlayedTrace {
  name: string;
  seconds: number;
  created: string;
}
export interface KnownStyle {
  name: string;
  sliders: Record<string, number>;
}

// What a state of the fighting machine asks of a library: motion with one of these labels, and how much of it there is.
export interface FightNeed {
  state: string;
  labels: string[];
  clips: number;
  seconds: number;
  met: boolean;
  optional: boolean; // it fights without, too
}

export interface SceneInfo {
  scene: number;
  bodies: string[];
  clips: string[]; // that its poses are taken from; none where they are made otherwise
}
// Sources of live motion.
export interface SensorInfo {
  name: string;
  role: string | null; // where it is worn
}
export interface SourceInfo {
  id: number;
  address: string; // vmc:127.0.0.1:39539, or pages
  rate_hz: number;
  jitter_ms: number;
  silent_s: number; // -1: it never said anything
  frames: number;
  malformed: number;
  lost: number;
  parts: string[]; // of its newest frame
  used: number; // how many of them move the body
  sensors: SensorInfo[]; // once it is calibrated
  fault: string; // what was wrong with the last packet that was not understood
}
export interface LiveState {
  protocols: { name: string; port: number; what: string }[];
  sources: SourceInfo[];
  roles: string[];
}
export interface CaptureInfo extends SceneInfo {
  kind: 'capture';
  rate: number;
  driven: boolean; // something else moves the character while nobody performs, or its legs
}
// What is shown of a source: alone, or over a character that something drives.
export interface CaptureBody {
  mirror: boolean;
  delay: number; // seconds
  over: string; // nothing, matching or policy
  policy: string;
  part: string; // upper or body: what of it the performer moves
}
// What a family of takes has come to.
export interface TakeFamily {
  examples: number;
  notes: string[];
}
export interface KeptTake extends TakeFamily {
  clip: string;
  pieces: { begin: number; end: number; stroke: number | null }[];
}
// Clips to take out, to put back again and to mirror; and the family, of all that carries the label, that is built anew.
export interface TakesBody {
  remove?: string[];
  restore?: string[];
  mirror?: string[];
  label: string;
  family: string;
}
export interface TakesChanged extends TakeFamily {
  mirrored: string[]; // the new clips
  label: string; // that the family was built of: another one where something was mirrored
  family: string;
}
export interface WalkInfo extends SceneInfo {
  kind: 'walk';
  rate: number;
}
export interface BlendInfo extends SceneInfo {
  kind: 'blend';
  target: number[];
}
export interface PlayInfo extends SceneInfo {
  kind: 'play';
  command: Word[];
  part?: { clips: number; of: number }; // what moves until all motion is measured
}
export interface FightInfo extends SceneInfo {
  kind: 'fight';
  rate: number;
}

// A state that is filled with motion; points: where its examples are in its parameters.
export interface BuiltState {
  name: string;
  cyclic: boolean;
  examples: number;
  parameters: StateParameter[];
  points: number[][];
}

export interface MachineScene extends SceneInfo {
  kind: 'machine';
  rate: number;
  states: BuiltState[];
}

// ---- Worlds: metres and degrees; a heading of 0 faces +z, and positive ones turn towards +x.

export type Ask = 'nothing' | 'duck' | 'step' | 'jump';
export type Place = [x: number, z: number];
export interface DrawnObstacle {
  name: string;
  shape: 'box' | 'cylinder' | 'polygon';
  x: number; // of its middle; of a polygon 0
  z: number;
  turn: number;
  bottom: number; // above the floor
  top: number;
  width: number; // of a box, along its own x
  depth: number;
  radius: number; // of a cylinder
  outline: Place[]; // of a polygon
  ask: Ask;
  path: number[][]; // seconds, x, z, turn: it moves
  loops: boolean;
}
export interface DrawnSpot {
  name: string;
  x: number;
  z: number;
  turn: number | null; // null: any
}
export interface WorldDrawing {
  name: string;
  ground: number[][]; // x, z, x, z: two corners
  obstacles: DrawnObstacle[];
  starts: DrawnSpot[];
  goals: DrawnSpot[];
}
// A place to stand, to show something from.
export interface ShowCandidate {
  x: number;
  z: number;
  turn: number;
  clearance: number; // how much is seen, from 0 to 1
  rejected: string; // why nobody stands there; empty: one can
}
export interface ShowPrint {
  x: number;
  z: number;
  turn: number;
  left: boolean;
}
// Where the hand was to go, and where it goes: x, y, z of a point.
export interface ShowHand {
  planned: number[][];
  went: number[][]; // one a frame, from `begin` on
  begin: number;
}
// Somebody who walks up to a thing and shows it.
export interface ShowPlan {
  chosen: number; // of the candidates
  method: string;
  hand_error_m: number;
  stop_error_m: number;
  stop_error_deg: number;
  walked_s: number;
  sight_off_deg: number;
  gaze: { at_s: number; at: string }[];
  footprints: ShowPrint[]; // none where nobody walks
  way: number[][]; // x, z of the corners that one walks around; none where nobody walks
  hand: ShowHand;
  pieces: Piece[];
  tree: number[][]; // x, y, z of the hand at one node and at the one it grew from
}
export interface ShowTold {
  milliseconds: number;
  candidates: ShowCandidate[];
  plan: ShowPlan | null;
  made: number | null;
  error: string | null; // why there is no plan
  joint: string; // that meets the target
  no_walk: string | null; // why nobody can walk there
}
// A walk that was found.
export interface PlanTold {
  made: number;
  seconds: number; // of motion
  length_m: number;
  floor_m: number; // no way on the floor is shorter
  bound: number; // it takes at most this many times the least time
  searched_s: number;
  first_s: number; // to the first answer
  expanded: number;
  end_error_m: number;
  end_error_deg: number;
  collisions: number; // poses that touch something
  way: number[][]; // x, z of the root as it was found, before its end was bent to the goal and feet were planted
  pieces: Piece[];
}
export interface PlanInfo extends SceneInfo {
  kind: 'plan';
}
export interface CrowdInfo extends SceneInfo {
  kind: 'crowd';
  rate: number;
  goals: Place[]; // one a character
}

// ---- Characters: models of the library, with which joint of theirs is which.

export interface CharacterInfo {
  name: string;
  file: string; // that it was read from
  created: string;
  bytes: number;
  joints: number; // below and with the hips
  vertices: number;
}
export interface CharacterJoint {
  name: string;
  parent: number; // -1: a root
  node: number; // of the model's file
}
export interface CharacterRole {
  role: string;
  joint: number; // -1: it has none
  confidence: number; // 0 to 1
}
export interface CharacterAbout {
  name: string;
  joints: CharacterJoint[];
  roles: CharacterRole[];
  twists: number;
  fingers: number;
  vertices: number;
  triangles: number;
  metres_per_unit: number;
  warnings: string[];
}
// Before what the nodes do, track after track: rotations (4 floats each), then translations (3); as many as there are
// frames, or one for all of them. Then the ways of left and right hand, left and right foot, frame by frame (3 floats
// each): the source's, and the character's, both in metres.
export interface CarriedHeader {
  name: string;
  character: string;
  frames: number;
  rate: number;
  scale: number; // its legs over the source's
  metres_per_unit: number; // of its file
  floor: number; // that the source stands on; the character stands on 0
  tracks: { node: number; rotations: number; translations: number }[];
}

export type FileFormat = 'bvh' | 'glb';
type MotionFile = 'model/gltf-binary' | 'text/plain; charset=utf-8';

// ---- The routes. A * stands for a name. `query` and `body` are what is sent; what comes back is `json`, or `packed`:
// a JSON header of that type with arrays behind it (loom/picture/pack.h), or `file`: one of that type.
export interface Routes {
  'GET /api/library': { json: LibraryState };

  'GET /api/clips/*/motion': { packed: ClipHeader };
  'GET /api/clips/*/thumbnail': { query: { hash?: string }; file: 'image/png' };
  'GET /api/clips/*/file/*': { query: { from?: number; to?: number; mirror?: '1'; on?: string }; file: MotionFile }; // on: a character
  'GET /api/clips/*/on/*': { packed: CarriedHeader };
  'POST /api/clips/*/labels': { body: { remove?: Label; add?: Label }; json: { labels: Label[] } };
  'POST /api/clips/*/derive': { body: { as: string; mirror: boolean; from?: number; to?: number }; json: { clip: string } };
  'POST /api/clips/*/restore': { body: Record<string, never>; json: { clip: string } };
  'DELETE /api/clips/*': { json: { removed: string } };

  'POST /api/clips/*/repair': { body: RepairBody; packed: RepairedHeader };
  'POST /api/find': {
    body: { clip: string; from?: number; to?: number; mirror: boolean; most: number };
    json: { found: FoundStretch[]; example: string; within_cm: number };
  };
  'POST /api/many/figures': { body: { clips: string[] }; json: { figures: ClipFigures[] } };
  'POST /api/many/suggest': { body: { clips: string[] }; json: { suggested: SuggestedLabel[] } };
  'POST /api/many/labels': { body: { changes: { clip: string; remove?: Label; add?: Label }[] }; json: { changed: number } };
  'POST /api/many/rename': {
    body: { clips?: string[]; as?: string; renamings?: Renaming[]; anyway?: boolean };
    json: { renamed: Renaming[]; dependents: string[] }; // nothing is renamed where something depends on it, unless `anyway`
  };
  'POST /api/many/remove': { body: { clips: string[] }; json: { removed: string[] } };
  'POST /api/many/restore': { body: { clips: string[] }; json: { clips: string[] } };

  'GET /api/bodies/*': { packed: BodyHeader };
  'GET /api/bodies/*/coarse': { packed: BodyHeader };
  'GET /api/made/*/file/*': { query: { on?: string }; file: MotionFile };
  'GET /api/made/*/on/*': { packed: CarriedHeader };
  'GET /api/made/*/motion': { packed: MadeHeader };
  'POST /api/made/*/keep': { body: { as: string }; json: { clip: string } };

  'PUT /api/uploads/*/*': { json: { kept: string } }; // its body is the file
  'POST /api/imports': { body: { batch: string; keep_apart?: boolean; rate?: number }; json: Started };
  'POST /api/samples': { body: { only?: string[] }; json: Started };
  'GET /api/jobs': { json: { jobs: Job[] } };
  'DELETE /api/jobs/*': { json: { cancelled: string } };

  'POST /api/graphs': { body: BuildBody; json: Started };
  'GET /api/graphs/*': { json: GraphAbout };
  'GET /api/graphs/*/outline': { json: GraphOutline };
  'GET /api/graphs/*/closure': { query: { t?: number }; file: 'image/png' }; // t: so that another graph is another picture
  'GET /api/graphs/*/explain': { query: { from: string; to: string }; json: Explanation };
  'DELETE /api/graphs/*': { json: { removed: string } };
  'POST /api/graphs/*/keys': { body: { keys: string[] }; packed: WovenHeader };
  'POST /api/graphs/*/follow': { body: { points: number[][]; label: string }; packed: FollowedHeader };
  'POST /api/graphs/*/finish': {
    body: PickBody;
    // What lies between the key motions, with what was picked before.
    json: PickTexts & { picked: PickRange[]; frames: number; beyond_share: number };
  };
  'POST /api/graphs/*/pick': { body: PickBody; json: PickJudged };
  'POST /api/graphs/*/select': { body: PickBody & { name: string }; json: Started & PickTexts }; // finished, and kept
  'POST /api/graphs/*/walk': { body: { seed: number; want?: string[] }; json: WalkInfo };
  'POST /api/graphs/*/walked': { body: { seed: number; want?: string[]; seconds: number }; packed: WovenHeader };

  'GET /api/matrix': { query: ClipPair; packed: MatrixHeader };
  'GET /api/transition': { query: ClipPair & { i: number; j: number }; packed: TransitionHeader };
  'GET /api/align': { query: ClipPair; packed: CostsHeader };
  'GET /api/warp': { query: WarpQuery; json: Warp | { refused: string } };
  'GET /api/retimed': { query: WarpQuery; packed: RetimedHeader };

  'GET /api/families': { json: { families: FamilyInfo[] } };
  'POST /api/families': { body: { name: string; label?: string; clips?: string[]; mirror: boolean }; json: Started };
  'GET /api/families/*': { json: FamilyAbout };
  'GET /api/families/*/coverage': { packed: CoverageHeader };
  'POST /api/families/*/scene': { body: { method: string }; json: BlendInfo };
  'POST /api/families/*/make': {
    body: { values?: number[]; targets?: string[]; objective?: string; method: string };
    packed: BlendHeader;
  };
  'DELETE /api/families/*': { json: { removed: string } };

  'GET /api/machines': { json: { machines: MachineInfo[] } };
  'POST /api/machines': { body: { name: string; graph: string; against: string }; json: Started };
  'GET /api/machines/*': { json: MachineAbout };
  'GET /api/machines/*/file': { file: 'text/plain; charset=utf-8' };
  'GET /api/machines/*/gaps': { query: { against?: string }; json: MachineGaps };
  'POST /api/machines/*/read': { body: { file: string; text: string }; json: MachineAbout };
  'POST /api/machines/*/ways': { body: { ways: string[][] }; json: { answers: PreferAnswer[]; now: string[][] } };
  'POST /api/machines/*/prefer': { body: { ways: string[][]; method: string }; json: MachineAbout };
  'POST /api/machines/*/undo': { body: { what: string }; json: MachineAbout };
  'POST /api/machines/*/build': { body: Record<string, never>; json: Started };
  'GET /api/machines/*/states': { json: { states: BuiltState[] } };
  'GET /api/machines/*/crossings': { query: { from: string; to: string }; packed: CrossingsHeader };
  'GET /api/machines/*/crossing': { query: { from: string; to: string; index: number }; packed: CrossingHeader };
  'POST /api/machines/*/warps': { body: { from: string; to: string; warps: MachineWarp[] }; json: { changed: string } };
  'POST /api/machines/*/play': { body: Record<string, never>; json: MachineScene };
  'DELETE /api/machines/*': { json: { removed: string } };

  'GET /api/policies': { json: { policies: string[]; traces: PlayedTrace[] } };
  'POST /api/policies': { body: { name: string; traces: string[] }; json: Started & { commands: Word[][] } };
  'POST /api/traces': { body: { name: string; csv: string; again: string }; json: { name: string } };
  'DELETE /api/traces/*': { json: Record<string, never> };
  // `at_once`: frames that may be measured before anything moves, where that is not left to the server.
  'POST /api/play': { body: { policy: string; root: string; characters: number; at_once?: number }; json: PlayInfo };
  'POST /api/play/played': { body: { policy: string; root: string; csv: string }; packed: MadeHeader };

  'GET /api/fights': { json: { ready: boolean; name: string; styles: KnownStyle[]; needs: FightNeed[] } };
  'POST /api/fights/prepare': { body: Record<string, never>; json: Started };
  'POST /api/fights': { body: { styles: string; seed: number; player: number | null }; json: FightInfo };
  'POST /api/fights/fought': {
    body: { styles: string; seed: number; seconds: number; wishes: string };
    json: { bout: number; hits: number[] };
  };
  'GET /api/fights/fought/*': { file: 'model/gltf-binary' };

  'POST /api/worlds/read': { body: { file: string; text: string; cell?: number }; json: WorldDrawing };
  'POST /api/worlds/text': { body: { world: WorldDrawing }; json: { text: string } };
  'POST /api/worlds/plan': { body: { world: WorldDrawing; with: string; seconds: number; bound: number }; json: PlanInfo };
  'POST /api/worlds/show': {
    body: {
      world: WorldDrawing;
      family: string;
      target: { x: number; y: number; z: number };
      observers: { x: number; z: number }[];
      walk: boolean;
    };
    json: ShowTold;
  };
  'POST /api/worlds/crowd': {
    body: { world: WorldDrawing; characters: number; seed: number; steering: string; anywhere: boolean };
    json: CrowdInfo;
  };

  'GET /api/characters': { json: { characters: CharacterInfo[] } };
  'POST /api/characters': { body: { batch: string; name?: string }; json: Started };
  'GET /api/characters/*': { json: CharacterAbout };
  'GET /api/characters/*/model': { query: { t?: string }; file: 'model/gltf-binary' };
  'GET /api/characters/*/map': { file: 'text/plain; charset=utf-8' };
  'POST /api/characters/*/map': { body: { role: string; joint: number | null }; json: CharacterAbout };
  'DELETE /api/characters/*': { json: { removed: string } };
  // What a live scene is shown as: metres a unit of the file for each of its bodies, and the nodes that move.
  'POST /api/scenes/*/wear': { body: { character: string }; json: { sizes: number[]; nodes: number[] } };

  'GET /api/live': { json: LiveState };
  'POST /api/live': { body: { source: string }; json: { source: number } };
  'DELETE /api/live/*': { json: Record<string, never> };
  'POST /api/live/*/calibrate': { body: { pose: string; seconds: number }; json: { sensors: SensorInfo[]; corrected: number } };
  'POST /api/live/*/worn': { body: { sensor: string; role: string | null }; json: { sensors: SensorInfo[] } };
  'POST /api/live/*/show': { body: CaptureBody; json: CaptureInfo };
  'POST /api/takes/*/keep': { body: { name: string; label: string; family: string; replaces?: string }; json: KeptTake };
  'POST /api/takes': { body: TakesBody; json: TakesChanged };
}

// ---- The socket at /ws. Events come as text, by their name in `event`; those of a scene carry its number.
export interface Events {
  hello: { studio: string; jobs: Job[]; gone?: true }; // which run of the server this is; `gone`: there is no library now
  job: { job: Job };
  // It has changed. `replaced`: another file lies in its place; `gone`: there is none; `look`: its file was written to,
  // here or elsewhere.
  library: { replaced?: true; gone?: true; look?: true };
  over: { scene: number; why?: string };
  piece: { scene: number; character: number; clip: string; frame: number; what: string; seam: Seam | null }; // begins now
  mix: { scene: number; character: number; parts: Part[] }; // what the moment is mixed of, ten times a second
  bout: {
    scene: number;
    kind: 'attack' | 'evade' | 'hit';
    fighter: number;
    other: number;
    seconds: number;
    limb: string;
    part: string;
    place?: Point; // of a hit
  };
  // What a machine does just now, whenever it changes.
  machine: {
    scene: number;
    state: string;
    next: string; // the state that is entered, or the same
    mode: 'playback' | 'preparation' | 'transition';
    queue: { state: string; own: boolean }[]; // own: what follows a motion that ends
    way: string[]; // states still to come for the first of them
    answers: number;
    delay: number | null; // seconds after which the last wish was answered
  };
  // How a search for a walk stands, ten times a second: what of its tree has grown since (centimetres: x, z, x, z a line).
  search: { scene: number; tree: number[]; expanded: number; at_s: number; bound: number | null; cost_s: number | null };
  planned: { scene: number; plan: PlanTold | null; error: string | null };
  asked: { scene: number; time: number } & PlayWish; // of the character in the player's hand, from `time` on
  whole: { scene: number; clips: string[] }; // it has gone over from a part of the motion to all, and begins anew
  wish: { scene: number; frame: number; fighter: number; move?: string; act?: string; style?: string };
  take: { scene: number; made: number; seconds: number }; // what was recorded, until it is kept
}

// What a page says to the scene it has joined.
export interface PlayWish {
  left: number;
  forward: number;
  turn: number;
  jump: boolean;
}
// A mesh of local coverage around the target.
export interface MeshWish {
  shape: string; // table, wall or ball
  size: number; // metres across
  points: number; // along a side
}
// Targets, as `loom blend make --target` takes them, go before parameters.
export interface BlendWish {
  target: number[];
  targets: string[];
  objective: string;
  method: string;
  playing: boolean;
  mesh: MeshWish | null;
}
export interface MachineWish {
  wish?: string;
  queue?: boolean; // after those that wait, not in place of them
  drop?: true;
  state?: string;
  parameter?: string;
  value?: number;
}
// An obstacle is to glide there.
export interface ObstacleWish {
  move: string;
  x: number;
  z: number;
  turn: number;
}
// A frame of live motion in our own protocol (docs/live.md).
export type Quaternion = [number, number, number, number]; // w, x, y, z
export interface FrameWish {
  frame: { loom: number; t: number; n: number; up: string; parts: Record<string, { q: Quaternion }> };
}
export type Said =
  | PlayWish
  | BlendWish
  | MachineWish
  | ObstacleWish
  | FrameWish
  | { record: boolean }
  | { enough: true }
  | { move: string; act: string }
  | { styles: string }
  | { speed: number };
