// SPDX-License-Identifier: MIT
// What the user sees and does: clips, time, speed and view.

const data = JSON.parse(document.getElementById('data').textContent);
const find = id => document.getElementById(id);
const categories = ['#4c78a8', '#f2a541', '#5b9e6b', '#b85c8e', '#58a6b8', '#d0603f', '#8677b8', '#9a8347', '#6f7d8c', '#a3b34a'];

const state = {
  index: -1, motion: null, at: 0, playing: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  speed: 1, loop: true, follow: true, theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
};
const camera = new Camera();
let scene = null;

// ---- clips --------------------------------------------------------------------------------------------------------

function makeClipList() {
  const list = find('clip-list');
  let group = '';
  data.clips.forEach((clip, index) => {
    if (clip.group !== group) {
      group = clip.group;
      const heading = document.createElement('h2');
      heading.textContent = group || 'other';
      list.append(heading);
    }
    const button = document.createElement('button');
    const name = document.createElement('span'), length = document.createElement('small');
    name.textContent = clip.name;
    length.textContent = `${((clip.frames - 1) / clip.rate).toFixed(1)} s`;
    button.append(name, length);
    button.setAttribute('role', 'option');
    button.dataset.index = index;
    button.title = clip.name;
    button.onclick = () => chooseClip(index);
    list.append(button);
  });
  find('filter').oninput = event => {
    const wanted = event.target.value.toLowerCase();
    for (const button of list.querySelectorAll('button')) {
      const clip = data.clips[button.dataset.index];
      button.hidden = !`${clip.name} ${clip.group}`.toLowerCase().includes(wanted);
    }
  };
  if (data.clips.length > 1 && innerWidth > 900) openClips(true);
}

function openClips(open) {
  find('clips').classList.toggle('open', open);
  find('clips-button').setAttribute('aria-expanded', open);
}

function chooseClip(index) {
  const count = data.clips.length, clip = data.clips[(index + count) % count];
  state.index = (index + count) % count;
  state.motion = new Motion(clip, data.figures[clip.figure]);
  state.at = 0;
  scene.show(state.motion);
  for (const button of find('clip-list').querySelectorAll('button')) {
    const chosen = Number(button.dataset.index) === state.index;
    button.setAttribute('aria-selected', chosen);
    if (chosen) button.scrollIntoView({ block: 'nearest' });
  }
  const seconds = ((clip.frames - 1) / clip.rate).toFixed(2);
  find('facts').textContent = `${clip.name} \u00b7 ${clip.frames} frames \u00b7 ${+clip.rate.toFixed(3)} Hz \u00b7 ${seconds} s \u00b7 ${clip.joints} joints`;
  find('slider').max = state.motion.count - 1;
  if (innerWidth <= 720) openClips(false);
  setView('start');
}

// ---- view ---------------------------------------------------------------------------------------------------------

// The middle of the body, a little below the hips' height so that feet and head are both in sight.
function bodyCentre(motion) {
  const [x, y, z] = motion.root;
  return [x, motion.floorAt(x, z) + (y - motion.floorAt(x, z)) * 0.95, z];
}

// What the panels leave of the stage, in pixels.
function freeStage() {
  const list = find('clips'), open = list.classList.contains('open') && innerWidth > 720;
  return { left: open ? list.getBoundingClientRect().right : 0, right: innerWidth, top: 0,
    bottom: document.querySelector('footer').getBoundingClientRect().top };
}

// Puts the middle of the picture in the middle of what is free.
function centreView() {
  const { left, right, top, bottom } = freeStage();
  camera.shift = [(left + right) / innerWidth - 1, 1 - (top + bottom) / innerHeight];
}

function setView(view) {
  const motion = state.motion, reach = motion.clip.unit * 32767, { top, bottom, left, right } = freeStage();
  motion.pose(state.at);
  camera.target = bodyCentre(motion);
  const share = Math.min((bottom - top) / innerHeight, (right - left) / innerHeight);
  camera.distance = Math.max(0.5, reach * 1.12 / share / Math.tan(fieldOfView / 2));
  const offset = { side: [-Math.PI / 2, 0.08], front: [0, 0.08], top: [-Math.PI / 2, Math.PI / 2], start: [-0.9, 0.22] };
  camera.azimuth = motion.heading + offset[view][0];
  camera.elevation = offset[view][1];
}

// Keeps the body in the middle: the camera is drawn after it, at once when the clip jumps.
function followBody(jumped, seconds) {
  if (!state.follow) return;
  const share = jumped ? 1 : 1 - Math.exp(-seconds * 6), centre = bodyCentre(state.motion);
  camera.target = camera.target.map((value, i) => value + (centre[i] - value) * share);
}

function watchPointer() {
  const stage = find('stage'), pointers = new Map();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  stage.onpointerdown = event => {
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    stage.classList.add('dragging');
  };
  stage.onpointermove = event => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    const before = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 2) {
      camera.zoom(before / Math.max(spread(), 1));
      pan(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) {
      pan(dx, dy);
    } else {
      camera.turn(dx, dy);
    }
  };
  stage.onpointerup = stage.onpointercancel = event => {
    pointers.delete(event.pointerId);
    stage.classList.toggle('dragging', pointers.size > 0);
  };
  stage.oncontextmenu = event => event.preventDefault();
  stage.addEventListener('wheel', event => {
    event.preventDefault();
    camera.zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.03 : 0.0012)));
  }, { passive: false });
}

// Moving the view by hand ends following, which would pull it back.
function pan(dx, dy) {
  if (dx === 0 && dy === 0) return;
  toggle('follow', false);
  camera.pan(dx, dy, find('stage').clientHeight);
}

// ---- time ---------------------------------------------------------------------------------------------------------

function seek(at) {
  const before = state.at;
  state.at = Math.max(0, Math.min(state.motion.count - 1, at));
  state.motion.pose(state.at);
  followBody(Math.abs(state.at - before) > state.motion.rate / 4, 0);
}

function play(playing) {
  state.playing = playing;
  if (playing && !state.loop && state.at >= state.motion.count - 1) state.at = 0;
  find('play-shape').setAttribute('d', playing ? 'M5 4h3.6v12H5zM11.4 4H15v12h-3.6z' : 'M6 4l10 6-10 6z');
  find('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
}

function step(frames) {
  play(false);
  seek(Math.round(state.at) + frames);
}

function advance(seconds) {
  const last = state.motion.count - 1;
  state.at += seconds * state.speed * state.motion.rate;
  if (state.at <= last) return false;
  if (state.loop) {
    state.at = last > 0 ? state.at % last : 0;
    return true;
  }
  state.at = last;
  play(false);
  return false;
}

// ---- the time line ------------------------------------------------------------------------------------------------

function labelColors(clip) {
  const colors = new Map();
  for (const [name] of clip.labels) {
    if (!colors.has(name)) colors.set(name, categories[colors.size % categories.length]);
  }
  return colors;
}

// Labels in up to two rows so that none overlap; the rest share the last.
function labelRows(clip) {
  const taken = [0, 0];
  return [...clip.labels].sort((a, b) => a[1] - b[1]).map(([name, begin, end]) => {
    const row = taken.findIndex(until => until <= begin);
    taken[row < 0 ? 1 : row] = end;
    return { name, begin, end, row: row < 0 ? 1 : row };
  });
}

const rowHeight = 16;  // of labels, in pixels

// Makes the canvas as dense as the screen and empties it.
function clearTimeline(canvas) {
  const dense = Math.min(devicePixelRatio || 1, 2), { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * dense)) canvas.width = Math.round(width * dense);
  if (canvas.height !== Math.round(height * dense)) canvas.height = Math.round(height * dense);
  const paint = canvas.getContext('2d');
  paint.setTransform(dense, 0, 0, dense, 0, 0);
  paint.clearRect(0, 0, width, height);
  return paint;
}

function drawLabels(paint, clip, x, ink) {
  const colors = labelColors(clip);
  paint.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  paint.textBaseline = 'middle';
  for (const { name, begin, end, row } of labelRows(clip)) {
    const from = x(begin / clip.stride), to = Math.max(x(end / clip.stride), from + 2);
    paint.globalAlpha = 0.35;
    paint.fillStyle = colors.get(name);
    paint.beginPath();
    paint.roundRect(from, row * rowHeight, to - from - 1, rowHeight - 2, 4);
    paint.fill();
    paint.globalAlpha = 1;
    if (to - from < 24) continue;
    paint.save();
    paint.clip();
    paint.fillStyle = ink;
    paint.fillText(name, from + 6, row * rowHeight + rowHeight / 2);
    paint.restore();
  }
}

// Heel and toe of the left foot, then of the right, as bars.
function drawContacts(paint, planted, x, top, height, colors) {
  const each = height / 4;
  for (let bit = 0; bit < 4; ++bit) {
    paint.fillStyle = colors[bit >> 1];
    paint.globalAlpha = bit % 2 === 0 ? 0.6 : 1;
    const down = f => planted[f] >> bit & 1;
    for (let f = 0, end; f < planted.length; f = end) {
      for (end = f + 1; end < planted.length && down(end) === down(f);) ++end;
      if (down(f)) paint.fillRect(x(f), top + bit * each, Math.max(x(end) - x(f), 1), each - 1.5);
    }
  }
  paint.globalAlpha = 1;
}

function drawTimeline() {
  const canvas = find('timeline'), { clientWidth: width, clientHeight: height } = canvas, { motion } = state;
  const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name);
  const x = frame => Math.min(frame / Math.max(motion.count - 1, 1), 1) * width;
  const paint = clearTimeline(canvas), top = 2 * rowHeight + 3;
  drawLabels(paint, motion.clip, x, color('--ink'));
  if (motion.planted) drawContacts(paint, motion.planted, x, top, height - top, [color('--left'), color('--right')]);
  paint.fillStyle = color('--ink');
  paint.fillRect(x(state.at) - 0.75, 0, 1.5, height);
}

function watchTimeline() {
  const canvas = find('timeline');
  const scrub = event => {
    const box = canvas.getBoundingClientRect();
    seek((event.clientX - box.left) / box.width * (state.motion.count - 1));
  };
  canvas.onpointerdown = event => {
    canvas.setPointerCapture(event.pointerId);
    play(false);
    scrub(event);
  };
  canvas.onpointermove = event => { if (event.buttons) scrub(event); };
}

let shownLabels = '';
function showTime() {
  const { motion } = state, { clip } = motion, frame = motion.frameNumber(state.at);
  find('slider').value = Math.round(state.at);
  const clock = find('clock');
  clock.textContent = `frame ${frame} `;
  const seconds = document.createElement('small');
  seconds.textContent = `of ${clip.frames - 1} \u00b7 ${(frame / clip.rate).toFixed(2)} s`;
  clock.append(seconds);
  const now = clip.labels.filter(([, begin, end]) => begin <= frame && frame < end).map(([name]) => name);
  const key = `${state.index}\n${now.join('\n')}`;
  if (key === shownLabels) return;
  shownLabels = key;
  const colors = labelColors(clip);
  find('labels').replaceChildren(...[...new Set(now)].map(name => {
    const mark = document.createElement('span');
    mark.textContent = name;
    mark.style.background = `color-mix(in srgb, ${colors.get(name)} 35%, transparent)`;
    return mark;
  }));
}

// ---- controls -----------------------------------------------------------------------------------------------------

function toggle(name, on = !state[name]) {
  state[name] = on;
  find(name).setAttribute('aria-pressed', on);
}

function setTheme(theme) {
  state.theme = theme;
  document.documentElement.dataset.theme = theme;
}

function changeSpeed(by) {
  const speed = find('speed');
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  state.speed = Number(speed.value);
}

function watchControls() {
  find('play').onclick = () => play(!state.playing);
  find('back').onclick = () => step(-1);
  find('forward').onclick = () => step(1);
  find('loop').onclick = () => toggle('loop');
  find('follow').onclick = () => toggle('follow');
  find('theme').onclick = () => setTheme(state.theme === 'dark' ? 'light' : 'dark');
  find('help-button').onclick = () => find('help').showModal();
  find('clips-button').onclick = () => openClips(!find('clips').classList.contains('open'));
  find('speed').onchange = event => { state.speed = Number(event.target.value); };
  find('slider').oninput = event => {
    play(false);
    seek(Number(event.target.value));
  };
  for (const button of document.querySelectorAll('[data-view]')) {
    button.onclick = () => setView(button.dataset.view);
  }
}

const keys = {
  ' ': () => play(!state.playing),
  ArrowLeft: event => step(event.shiftKey ? -10 : -1),
  ArrowRight: event => step(event.shiftKey ? 10 : 1),
  ArrowUp: () => chooseClip(state.index - 1),
  ArrowDown: () => chooseClip(state.index + 1),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  '[': () => changeSpeed(-1),
  ']': () => changeSpeed(1),
  1: () => setView('side'),
  2: () => setView('front'),
  3: () => setView('top'),
  f: () => toggle('follow'),
  l: () => toggle('loop'),
  t: () => find('theme').click(),
  '?': () => find('help').showModal(),
};

function watchKeys() {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || find('help').open) return;
    if (event.target.matches('input[type=search], select')) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

let lastTime = 0, shownLook = '';
function tick(time) {
  const seconds = Math.min((time - lastTime) / 1000, 0.1);
  lastTime = time;
  const jumped = state.playing && advance(seconds);
  state.motion.pose(state.at);
  followBody(jumped, seconds);
  centreView();
  const look = [state.index, state.at, state.theme, camera.eye(), camera.target, camera.shift, innerWidth, innerHeight, devicePixelRatio].join();
  if (look !== shownLook) {  // a picture that stands still costs nothing
    shownLook = look;
    scene.draw(state.motion, state.at, camera, state.theme);
    drawTimeline();
    showTime();
  }
  requestAnimationFrame(tick);
}

try {
  scene = new Scene(find('stage'));
  setTheme(state.theme);
  makeClipList();
  watchPointer();
  watchTimeline();
  watchControls();
  watchKeys();
  chooseClip(0);
  play(state.playing);
  requestAnimationFrame(time => {
    lastTime = time;
    tick(time);
  });
} catch (trouble) {
  find('trouble').hidden = false;
  find('trouble').textContent = trouble.message;
  throw trouble;
}
