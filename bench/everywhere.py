# SPDX-License-Identifier: MIT
"""What Python costs: poses a second through the module, BVH read beside a loader in plain Python. Processor time.

  make python && PYTHONPATH=build/python /usr/bin/python3 bench/everywhere.py [FOLDER of bench_everywhere's packages]
"""

import glob
import os
import sys
import tempfile
import time

import numpy as np

import loom


def seconds_of(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def a_second(work, least=1.0):
    work()
    done, begin = 0, time.process_time()
    while time.process_time() - begin < least:
        for _ in range(20):
            work()
        done += 20
    return done / (time.process_time() - begin)


def plain_bvh(path):
    """The loader that Python packages have: the hierarchy word by word, frames as lines of numbers, matrices made by
    NumPy joint by joint."""
    joints, channels, words = [], [], []
    with open(path) as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] in ("ROOT", "JOINT"):
                joints.append(words[1])
            elif words[0] == "CHANNELS":
                channels.append(words[2:])
            elif words[0] == "Time:" or words[:2] == ["Frame", "Time:"]:
                break
        frames = np.array([[float(w) for w in line.split()] for line in lines if line.strip()])
    at, rotations = 0, []
    for names in channels:
        turn = np.broadcast_to(np.eye(3), (len(frames), 3, 3))
        for name in names:
            if name.endswith("rotation"):
                a = np.radians(frames[:, at])
                c, s, one = np.cos(a), np.sin(a), np.zeros_like(a)
                m = np.zeros((len(frames), 3, 3))
                i, j = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[name[0]]
                k = 3 - i - j
                m[:, i, i], m[:, j, j], m[:, i, j], m[:, j, i], m[:, k, k] = c, c, -s, s, one + 1
                turn = turn @ m
            at += 1
        rotations.append(turn)
    return np.stack(rotations, 1)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    for path in sorted(glob.glob(os.path.join(folder, "*.loomrt"))) if folder else []:
        hero = loom.open(path).character()
        hero.control(velocity=(0, 1.2))
        frame = 1 / hero.rate
        advance, pose = a_second(lambda: hero.advance(frame)), a_second(lambda: next(hero))
        print(f"{os.path.basename(path):22} {advance:9.0f} advances a second, {pose:9.0f} poses a second as arrays")

    made = loom.samples(["walk", "run", "fight-step"])
    with tempfile.TemporaryDirectory() as where:
        paths = []
        for clip in made:
            paths.append(os.path.join(where, clip.name + ".bvh"))
            loom.write(paths[-1], clip.resample(120))
        megabytes = sum(os.path.getsize(p) for p in paths) / 1e6
        ours = seconds_of(lambda: [loom.read(p) for p in paths])
        plain = seconds_of(lambda: [plain_bvh(p) for p in paths])
    print(f"BVH, {len(paths)} files, {megabytes:.1f} MB: loom.read {megabytes / ours:.0f} MB/s, plain Python "
          f"{megabytes / plain:.1f} MB/s")


if __name__ == "__main__":
    main()
