// SPDX-License-Identifier: MIT
// The stage in 3D: body, floor, shadow, footprints and path, drawn with WebGL 2.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => scale(a, 1 / Math.max(Math.hypot(...a), 1e-9));
const linear = hex => [16, 8, 0].map(shift => Math.pow((hex >> shift & 255) / 255, 2.2));
const plain = hex => [16, 8, 0].map(shift => (hex >> shift & 255) / 255);

// Matrices are 16 numbers, column by column.
function times(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      for (let k = 0; k < 4; ++k) out[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    }
  }
  return out;
}

function lookAt(eye, target, up) {
  const z = unit(add(eye, scale(target, -1))), x = unit(cross(up, z)), y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

// `shift` moves the picture by shares of half the stage, so that its middle lies between the panels.
function perspective(fieldOfView, aspect, near, far, shift) {
  const f = 1 / Math.tan(fieldOfView / 2);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, -shift[0], -shift[1], (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0]);
}

function parallel(radius, depth) {
  return new Float32Array([1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1]);
}

const themes = {
  light: { paper: 0xeef1f4, tile: 0xf6f8fa, ink: 0x52606d, sky: 0xc9d4e0, ground: 0x9a938a,
    sides: [0xb4bcc5, 0xe8743b, 0x2b6cb0], prints: [0xe8743b, 0x2b6cb0] },
  dark: { paper: 0x14181d, tile: 0x20262d, ink: 0xaab7c4, sky: 0x8296ad, ground: 0x4a4a50,
    sides: [0x98a3af, 0xf2935f, 0x5b9fe0], prints: [0xff9a5c, 0x62b0ff] },
};

const fieldOfView = 0.62;  // radians, top to bottom
const sunlight = unit([0.45, 1, 0.35]);

class Scene {
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'low-power' });
    if (!gl) throw new Error('This page needs WebGL 2, which this browser does not offer.');
    this.canvas = canvas;
    this.gl = gl;
    this.body = this.program(capsuleVertex, capsuleFragment);
    this.depth = this.program(capsuleVertex, depthFragment);
    this.floor = this.program(floorVertex, floorFragment);
    this.print = this.program(printVertex, printFragment);
    this.path = this.program(pathVertex, pathFragment);
    this.makeShapes();
    this.makeShadowMap(2048);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    // One place for each attribute in all programs, so that one array serves them all.
    ['corner', 'ballA', 'ballB', 'tint', 'heel', 'toe', 'glow', 'point'].forEach((name, i) => gl.bindAttribLocation(program, i, name));
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++i) {
      const name = gl.getActiveUniform(program, i).name;
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms };
  }

  // A vertex array with per-corner data in location 0 and, from `instances`, per-instance data in the others.
  vertexArray(corners, cornerSize, location, instances) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    if (corners) gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    const cornerBuffer = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, cornerSize, gl.FLOAT, false, 0, 0);
    if (!instances) return { array, buffer: cornerBuffer };
    const buffer = gl.createBuffer(), stride = 4 * instances.reduce((sum, [, size]) => sum + size, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    let offset = 0;
    for (const [at, size] of instances) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(at, 1);
      offset += 4 * size;
    }
    return { array, buffer };
  }

  makeShapes() {
    const gl = this.gl, rings = 7, around = 24;
    const corners = [], indices = [];
    for (let ring = 0; ring < 2 * rings; ++ring) {
      const ball = ring < rings ? 0 : 1, share = (ring % rings) / (rings - 1);
      for (let k = 0; k <= around; ++k) corners.push(ball, share, 2 * Math.PI * k / around);
    }
    for (let ring = 0; ring + 1 < 2 * rings; ++ring) {
      for (let k = 0; k < around; ++k) {
        const a = ring * (around + 1) + k, b = a + around + 1;
        indices.push(a, a + 1, b, b, a + 1, b + 1);
      }
    }
    this.capsules = this.vertexArray(new Float32Array(corners), 3, 0, [[1, 4], [2, 4], [3, 3]]);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);
    this.capsuleIndices = indices.length;
    const square = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
    this.square = this.vertexArray(square, 2, 0);
    this.soles = this.vertexArray(square, 2, 0, [[4, 3], [5, 3], [3, 3], [6, 2]]);
    this.ribbon = this.vertexArray(null, 4, 7);
  }

  makeShadowMap(size) {
    const gl = this.gl;
    this.shadowSize = size;
    this.shadows = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadows);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.shadowTarget = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadows, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // Takes a motion's path to the card; called when another clip is shown.
  show(motion) {
    const half = 0.007, vertices = [];
    for (let f = 0; f < motion.count; ++f) {
      const at = i => [motion.roots[i * 4], motion.roots[i * 4 + 2]];
      const [x, z] = at(f), [bx, bz] = at(Math.max(0, f - 1)), [ax, az] = at(Math.min(motion.count - 1, f + 1));
      const way = Math.hypot(ax - bx, az - bz) || 1, nx = -(az - bz) / way * half, nz = (ax - bx) / way * half;
      for (const s of [1, -1]) {
        vertices.push(x + s * nx, motion.floorAt(x, z) + 0.002, z + s * nz, f);
      }
    }
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.ribbon.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
    this.ribbonLength = vertices.length / 4;
  }

  resize() {
    const dense = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * dense));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * dense));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    return width / height;
  }

  set(program, values) {
    const gl = this.gl;
    gl.useProgram(program.program);
    for (const [name, value] of Object.entries(values)) {
      const at = program.uniforms[name];
      if (at === undefined) continue;
      if (typeof value === 'number') gl.uniform1f(at, value);
      else if (value.length === 2) gl.uniform2fv(at, value);
      else if (value.length === 3) gl.uniform3fv(at, value);
      else gl.uniformMatrix4fv(at, false, value);
    }
  }

  fillInstances(array, numbers) {
    const gl = this.gl;
    gl.bindVertexArray(array.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, array.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.DYNAMIC_DRAW);
  }

  placeBody(motion, theme) {
    const colors = theme.sides.map(linear), p = motion.points, numbers = [];
    for (const [a, b, radiusA, radiusB, side] of motion.figure.parts) {
      numbers.push(p[a * 3], p[a * 3 + 1], p[a * 3 + 2], radiusA, p[b * 3], p[b * 3 + 1], p[b * 3 + 2], radiusB, ...colors[side]);
    }
    this.fillInstances(this.capsules, numbers);
  }

  drawBody(motion) {
    const gl = this.gl;
    gl.bindVertexArray(this.capsules.array);
    gl.drawElementsInstanced(gl.TRIANGLES, this.capsuleIndices, gl.UNSIGNED_SHORT, 0, motion.figure.parts.length);
  }

  drawPrints(motion, at, theme, view, night) {
    const gl = this.gl, frame = Math.round(at), colors = theme.prints.map(plain), numbers = [];
    for (const { heel, toe, side, begin, end } of motion.prints) {
      const bits = frame >= begin && frame < end ? motion.planted[frame] >> (2 * side) & 3 : 0;
      numbers.push(...heel, ...toe, ...colors[side], bits & 1 ? 1 : 0, bits & 2 ? 1 : 0);
    }
    this.fillInstances(this.soles, numbers);
    this.set(this.print, { view, night });
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, motion.prints.length);
  }

  // Draws the motion as it is at shown frame `at` (its pose must be set) as `camera` sees it.
  draw(motion, at, camera, themeName) {
    const gl = this.gl, theme = themes[themeName], aspect = this.resize();
    const [x, y, z] = motion.root, floor = motion.floorAt(x, z), reach = motion.clip.unit * 32767;
    this.placeBody(motion, theme);

    const lightAt = [x, y, z], radius = Math.max(1.1, reach * 1.25), depth = 6 * radius + Math.abs(y - floor);
    const light = times(parallel(radius, depth), lookAt(add(lightAt, sunlight), lightAt, [0, 0, 1]));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.viewport(0, 0, this.shadowSize, this.shadowSize);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    this.set(this.depth, { view: light });
    this.drawBody(motion);

    const eye = camera.eye(), far = camera.distance + 80;
    const lens = perspective(fieldOfView, aspect, Math.max(0.02, camera.distance * 0.02), far, camera.shift);
    const view = times(lens, lookAt(eye, camera.target, camera.up()));
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...plain(theme.paper), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.bindTexture(gl.TEXTURE_2D, this.shadows);
    gl.bindVertexArray(this.square.array);
    this.set(this.floor, { view, light, centre: [x, floor, z], slope: motion.clip.floor.slice(3), reach: Math.max(12, camera.distance * 3),
      paper: plain(theme.paper), tile: linear(theme.tile), ink: linear(theme.ink) });
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);

    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    this.set(this.path, { view, now: at, ink: plain(theme.ink) });
    gl.bindVertexArray(this.ribbon.array);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, this.ribbonLength);
    if (motion.prints.length > 0) this.drawPrints(motion, at, theme, view, themeName === 'dark' ? 1 : 0);
    gl.depthMask(true);
    gl.disable(gl.BLEND);

    this.set(this.body, { view, light, eye, sun: sunlight, sky: linear(theme.sky), ground: linear(theme.ground) });
    this.drawBody(motion);
  }
}

// A camera on a sphere about what it looks at.
class Camera {
  constructor() {
    this.target = [0, 1, 0];
    this.distance = 4;
    this.azimuth = 0;
    this.elevation = 0.2;
    this.shift = [0, 0];
  }
  eye() {
    const level = Math.cos(this.elevation);
    return add(this.target, scale([level * Math.sin(this.azimuth), Math.sin(this.elevation), level * Math.cos(this.azimuth)], this.distance));
  }
  // Never parallel to the line of sight, so that looking straight down works.
  up() {
    const s = Math.sin(this.elevation), c = Math.cos(this.elevation);
    return [-s * Math.sin(this.azimuth), c, -s * Math.cos(this.azimuth)];
  }
  turn(dx, dy) {
    this.azimuth -= dx * 0.006;
    this.elevation = Math.max(-0.2, Math.min(Math.PI / 2, this.elevation + dy * 0.006));
  }
  zoom(factor) { this.distance = Math.max(0.4, Math.min(60, this.distance * factor)); }
  // Moves what is looked at by pixels of a stage `height` pixels high.
  pan(dx, dy, height) {
    const perPixel = 2 * Math.tan(fieldOfView / 2) * this.distance / height, up = this.up();
    const toward = unit(add(this.eye(), scale(this.target, -1))), right = cross(up, toward);
    this.target = add(this.target, add(scale(right, -dx * perPixel), scale(up, dy * perPixel)));
  }
}

