// SPDX-License-Identifier: MIT
// The programs that run on the graphics card.

// A unit capsule, stretched for each instance over two balls: `corner` is which ball (0 or 1), the share of the way
// from that ball's pole to the ring where both balls' common cone touches it, and the angle around the axis.
const capsuleVertex = `#version 300 es
in vec3 corner;
in vec4 ballA, ballB;   // centre, radius
in vec3 tint;
uniform mat4 view;
out vec3 place, normal, color;
void main() {
  vec3 along = ballB.xyz - ballA.xyz;
  float gap = length(along);
  vec3 axis = gap > 1e-6 ? along / gap : vec3(0, 1, 0);
  vec3 side = normalize(cross(axis, abs(axis.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  float touch = asin(clamp((ballA.w - ballB.w) / max(gap, 1e-6), -1.0, 1.0));
  float latitude = corner.x < 0.5 ? mix(-1.5707963, touch, corner.y) : mix(touch, 1.5707963, corner.y);
  normal = cos(latitude) * (cos(corner.z) * side + sin(corner.z) * cross(axis, side)) + sin(latitude) * axis;
  vec4 ball = corner.x < 0.5 ? ballA : ballB;
  place = ball.xyz + normal * ball.w;
  color = tint;
  gl_Position = view * vec4(place, 1);
}`;

const depthFragment = `#version 300 es
precision highp float;
void main() {}`;

// How much light reaches a place, from the depth map seen by the light: 25 looks around it.
const shadowFunction = `
uniform highp sampler2DShadow shadows;
uniform mat4 light;
float lit(vec3 place, float bias) {
  vec3 at = (light * vec4(place, 1)).xyz * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0))) || any(greaterThan(at, vec3(1)))) return 1.0;
  float texel = 1.3 / float(textureSize(shadows, 0).x), sum = 0.0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y) sum += texture(shadows, vec3(at.xy + vec2(x, y) * texel, at.z - bias));
  return sum / 25.0;
}
vec3 display(vec3 linear) { return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)); }
`;

const capsuleFragment = `#version 300 es
precision highp float;
in vec3 place, normal, color;
uniform vec3 eye, sun, sky, ground;
out vec4 pixel;
${shadowFunction}
void main() {
  vec3 n = normalize(normal), toEye = normalize(eye - place);
  float key = max(dot(n, sun), 0.0) * lit(place + n * 0.012, 0.0008);
  float rim = pow(1.0 - max(dot(n, toEye), 0.0), 3.0) * 0.22;
  float gloss = pow(max(dot(n, normalize(sun + toEye)), 0.0), 40.0) * 0.12 * step(0.001, key);
  vec3 ambient = mix(ground, sky, n.y * 0.5 + 0.5);
  pixel = vec4(display(color * (ambient + key * 1.05) + sky * rim + gloss), 1);
}`;

// The floor: a wide square about the body, with lines each metre and finer ones each quarter, that fades into the
// background.
const floorVertex = `#version 300 es
in vec2 corner;
uniform mat4 view;
uniform vec3 centre;
uniform vec2 slope;
uniform float reach;
out vec3 place;
void main() {
  vec2 away = corner * reach;
  place = centre + vec3(away.x, dot(slope, away), away.y);
  gl_Position = view * vec4(place, 1);
}`;

const floorFragment = `#version 300 es
precision highp float;
in vec3 place;
uniform vec3 centre, paper, tile, ink;
uniform float reach;
out vec4 pixel;
${shadowFunction}
float lines(vec2 at, float every, float width) {
  vec2 scaled = at / every, blur = fwidth(scaled);
  vec2 near = abs(fract(scaled - 0.5) - 0.5);
  vec2 line = (1.0 - smoothstep(vec2(0), blur * 1.2 + width / every, near)) * clamp(1.0 - blur * 3.0, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {
  float away = length(place.xz - centre.xz);
  float grid = max(lines(place.xz, 1.0, 0.004) * 0.16, lines(place.xz, 0.25, 0.0015) * 0.05);
  float dark = 1.0 - lit(place, 0.0004);
  float blob = exp(-away * away * 5.0) * 0.1;
  vec3 color = mix(tile, ink, grid) * (1.0 - 0.5 * dark) * (1.0 - blob);
  float fade = smoothstep(reach * 0.25, reach * 0.9, away);
  pixel = vec4(mix(display(color), paper, fade), 1);
}`;

// A footprint: a soft sole between heel and toe; `glow` lights its heel and its toes.
const printVertex = `#version 300 es
in vec2 corner;
in vec3 heel, toe, tint;
in vec2 glow;
uniform mat4 view;
out vec2 at;      // metres: along from the heel, across
out float span;
out vec3 color;
out vec2 light;
void main() {
  const float margin = 0.16;
  vec3 along = toe - heel;
  span = max(length(along), 0.01);
  vec3 forward = along / span, across = normalize(cross(forward, vec3(0, 1, 0)));
  at = vec2(mix(-margin, span + margin, corner.x * 0.5 + 0.5), corner.y * (margin + 0.05));
  color = tint;
  light = glow;
  gl_Position = view * vec4(heel + forward * at.x + across * at.y + vec3(0, 0.003, 0), 1);
}`;

const printFragment = `#version 300 es
precision highp float;
in vec2 at;
in float span;
in vec3 color;
in vec2 light;
uniform float night;
out vec4 pixel;
void main() {
  float along = clamp(at.x / span, 0.0, 1.0);
  float width = mix(0.03, 0.042, smoothstep(0.3, 0.8, along)) - 0.006 * smoothstep(0.5, 0.0, abs(along - 0.35));
  float outside = length(vec2(at.x - clamp(at.x, 0.0, span), at.y)) - width;
  float sole = 1.0 - smoothstep(-0.004, 0.004, outside);
  float lamp = mix(light.x, light.y, smoothstep(0.35, 0.65, at.x / span));
  float halo = exp(-max(outside, 0.0) * 26.0) * lamp * mix(0.5, 0.75, night);
  float alpha = max(sole * mix(0.16, 0.95, lamp), halo * 0.7);
  pixel = vec4(mix(color, vec3(1), sole * lamp * mix(0.12, 0.3, night)), alpha);
}`;

// The way of the root over the floor; what is past is stronger.
const pathVertex = `#version 300 es
in vec4 point;   // place, frame
uniform mat4 view;
out float when;
void main() { when = point.w; gl_Position = view * vec4(point.xyz, 1); }`;

const pathFragment = `#version 300 es
precision highp float;
in float when;
uniform float now;
uniform vec3 ink;
out vec4 pixel;
void main() { pixel = vec4(ink, when <= now ? 0.5 : 0.16); }`;

