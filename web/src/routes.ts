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
export interface MotionHeader {
  name: string;
  frames: number;
  rate: number;
  joints: number;
  body: string; // to ask for at /api/bodies
  labels: Label[];
  measures: Measures;
  close_look: CloseLook | null; // none of long motions
  foot_points?: number[]; // heel and toe, left and right; -1 where there is none. Missing with the floor where
  floor?: Floor; // the body has no feet
}

// Of a clip of the library: where it came from.
export interface ClipHeader extends MotionHeader {
  source: string;
  added: string;
  made_by: unknown;
  notes: string[];
  warnings: string[];
}

// Of a motion that was made here, and is kept by the server for a while under a number.
export interface MadeHeader extends MotionHeader {
  made: number;
}

// A stretch of a clip that a motion of a graph is made of, and the frame at which it begins.
export interface Piece {
  clip: string;
  begin: number;
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

export interface FileNote {
  file: string;
  text: string;
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
  failed: FileNote[];
  skipped: FileNote[];
  warnings: FileNote[];
  notes: FileNote[];
  faults: ImportFault[];
  seconds: number;
}
export interface LabelsResult {
  added: number;
  labelled: number;
  warnings: FileNote[];
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
  | JobOf<'graph', GraphResult>
  | JobOf<'selection', SelectionResult>
  | JobOf<'family', FamilyResult>
  | JobOf<'policy', PolicyResult>
  | JobOf<'states', StatesResult>;

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

export interface SceneInfo {
  scene: number;
  bodies: string[];
}
export interface WalkInfo extends SceneInfo {
  kind: 'walk';
  clips: string[];
  rate: number;
}
export interface BlendInfo extends SceneInfo {
  kind: 'blend';
  target: number[];
}
export interface PlayInfo extends SceneInfo {
  kind: 'play';
  command: Word[];
}
export interface FightInfo extends SceneInfo {
  kind: 'fight';
  rate: number;
}

export type FileFormat = 'bvh' | 'glb';
type MotionFile = 'model/gltf-binary' | 'text/plain; charset=utf-8';

// ---- The routes. A * stands for a name. `query` and `body` are what is sent; what comes back is `json`, or `packed`:
// a JSON header of that type with arrays behind it (apps/studio/pack.h), or `file`: one of that type.
export interface Routes {
  'GET /api/library': { json: LibraryState };

  'GET /api/clips/*/motion': { packed: ClipHeader };
  'GET /api/clips/*/thumbnail': { query: { hash?: string }; file: 'image/png' };
  'GET /api/clips/*/file/*': { query: { from?: number; to?: number; mirror?: '1' }; file: MotionFile };
  'POST /api/clips/*/labels': { body: { remove?: Label; add?: Label }; json: { labels: Label[] } };
  'POST /api/clips/*/derive': { body: { as: string; mirror: boolean; from?: number; to?: number }; json: { clip: string } };
  'POST /api/clips/*/restore': { body: Record<string, never>; json: { clip: string } };
  'DELETE /api/clips/*': { json: { removed: string } };

  'GET /api/bodies/*': { packed: BodyHeader };
  'GET /api/bodies/*/coarse': { packed: BodyHeader };
  'GET /api/made/*/file/*': { file: MotionFile };
  'POST /api/made/*/keep': { body: { as: string }; json: { clip: string } };

  'PUT /api/uploads/*/*': { json: { kept: string } }; // its body is the file
  'POST /api/imports': { body: { batch: string; keep_apart?: boolean; rate?: number }; json: Started };
  'GET /api/jobs': { json: { jobs: Job[] } };
  'DELETE /api/jobs/*': { json: { cancelled: string } };

  'POST /api/graphs': { body: BuildBody; json: Started };
  'GET /api/graphs/*': { json: GraphAbout };
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

  'GET /api/policies': { json: { policies: string[]; traces: PlayedTrace[] } };
  'POST /api/policies': { body: { name: string; traces: string[] }; json: Started & { commands: Word[][] } };
  'POST /api/traces': { body: { name: string; csv: string; again: string }; json: { name: string } };
  'DELETE /api/traces/*': { json: Record<string, never> };
  'POST /api/play': { body: { policy: string; root: string; characters: number }; json: PlayInfo };

  'GET /api/fights': { json: { ready: boolean; name: string; styles: KnownStyle[] } };
  'POST /api/fights/prepare': { body: Record<string, never>; json: Started };
  'POST /api/fights': { body: { styles: string; seed: number; player: number | null }; json: FightInfo };
}

// ---- The socket at /ws. Events come as text, by their name in `event`; those of a scene carry its number.
export interface Events {
  hello: { studio: string; jobs: Job[] }; // which run of the server this is
  job: { job: Job };
  library: { replaced?: true }; // it has changed; `replaced`: another file lies in its place
  over: { scene: number; why?: string };
  piece: { scene: number; clip: string; frame: number };
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
  asked: { scene: number; time: number } & PlayWish; // of the character in the player's hand, from `time` on
  wish: { scene: number; frame: number; fighter: number; move?: string; act?: string; style?: string };
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
export type Said = PlayWish | BlendWish | { move: string; act: string } | { styles: string } | { speed: number };
