# SPDX-License-Identifier: MIT
"""Motion Loom in Python: recorded motion woven into motion that can be directed, on NumPy arrays.

>>> import loom
>>> walk = loom.sample("walk-normal-1")
>>> loom.measure(walk)["foot_slide_mean_mps"] < 0.1
True

Metres, Y up, right-handed, seconds; quaternions are w, x, y, z. Arrays of clips are the clips' own memory. Work that
takes long takes `progress`, a function of (share, what); what it raises, and Ctrl-C, stop the work. What fails raises
`loom.Error` with `kind`, `file` and `line`; arrays of another shape raise ValueError.
"""

import os as _os
import tempfile as _tempfile

from . import _loom
from ._loom import (
    Character,
    Clip,
    Error,
    Graph,
    Label,
    Library,
    Motion,
    Packed,
    Skeleton,
    Stream,
    Trace,
    distances,
    graph_of_pairs,
    is_motion_file,
    load,
    measure,
    open,
    pack_graph,
    pack_machine,
    pack_matching,
    pack_policy,
    read,
    sample,
    samples,
    simulate_players,
    viewer_page,
    warp,
)

__version__ = _loom.__version__
__all__ = [
    "Character", "Clip", "Error", "Graph", "Label", "Library", "Motion", "Packed", "Skeleton", "Stream", "Trace",
    "distances", "from_networkx", "graph_of_pairs", "is_motion_file", "load", "measure", "open", "pack_graph", "pack_machine",
    "pack_matching", "pack_policy", "pack_samples", "read", "sample", "samples", "show", "simulate_players", "to_networkx",
    "viewer_page", "warp", "write",
]


def write(path, clips, name="motion"):
    """Writes one clip, or clips of one body, to a .bvh, .glb or .gltf file.

    >>> import os, tempfile
    >>> write(os.path.join(tempfile.mkdtemp(), "two.glb"), [sample("walk-normal-1"), sample("idle-1")])
    """
    _loom.write(_os.fspath(path), [clips] if isinstance(clips, Clip) else list(clips), name)


def pack_samples(groups=("walk", "idle", "start", "stop")):
    """Motion matching over the sample motions, to try things with.

    >>> pack_samples().kind
    'matching'
    """
    with _tempfile.TemporaryDirectory() as folder:
        library = Library(_os.path.join(folder, "samples.loom"), "create")
        library.add(samples(list(groups)))
        packed = pack_matching(library)
        del library
    return packed


def to_networkx(graph):
    """The graph as a networkx.DiGraph: nodes have 'clip' and 'frame', edges 'cost', 'distance' and 'recorded'."""
    import networkx

    made = networkx.DiGraph(threshold=graph.threshold, rate=graph.rate)
    nodes, edges = graph.nodes(), graph.edges()
    made.add_nodes_from(
        (n, {"clip": int(c), "frame": int(f)}) for n, (c, f) in enumerate(zip(nodes["clip"], nodes["frame"]))
    )
    made.add_edges_from(
        (int(a), int(b), {"cost": float(c), "distance": float(d), "recorded": bool(r)})
        for a, b, c, d, r in zip(edges["from"], edges["to"], edges["cost"], edges["distance"], edges["recorded"])
    )
    return made


def from_networkx(made, motion, connect=1.0):
    """A graph of the transitions of a networkx.DiGraph whose nodes have 'clip' and 'frame', over `motion`.

    Edges that are not 'recorded' say that a frame may go on with another; 'distance' says how unlike they are. Of what
    is connected the largest part is kept, as always.
    """
    import numpy

    first = numpy.concatenate([[0], numpy.cumsum([len(clip) for clip in motion.clips])])
    at = {n: int(first[d["clip"]]) + d["frame"] for n, d in made.nodes(data=True)}
    pairs, distances_ = [], []
    for a, b, d in made.edges(data=True):
        if d.get("recorded") or at[b] == 0:
            continue
        pairs.append((at[a], at[b] - 1))  # frames i and j are alike: i may go on with j + 1
        distances_.append(d.get("distance", 0.0))
    threshold = max(distances_, default=0.0)
    return graph_of_pairs(motion, numpy.array(pairs, numpy.uint32).reshape(-1, 2), numpy.array(distances_),
                          threshold=threshold, connect=connect)


class show:
    """Clips that show themselves moving in a notebook: `loom.show(clip)`, or several.

    >>> page = show(sample("idle-1"))._repr_html_()
    >>> page.startswith("<iframe") and "srcdoc" in page
    True
    """

    def __init__(self, *clips, height=420, title="Motion Loom"):
        self.clips = list(clips)
        self.height = height
        self.title = title

    def _repr_html_(self):
        import html

        page = viewer_page(self.clips, self.title)
        return f'<iframe style="width: 100%; height: {int(self.height)}px; border: 0" srcdoc="{html.escape(page)}"></iframe>'


Clip._repr_html_ = lambda self: show(self, title=self.name)._repr_html_()
