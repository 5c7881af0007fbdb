# SPDX-License-Identifier: MIT
"""Reads a graph that `loom graph export` wrote, as somebody else's program would, and prints it as JSON.

    read_graph.py graph.csv | graph.graphml

Python's own readers of CSV and XML do it, strictly; where networkx is installed its reader of GraphML must agree.
Printed are the vertices, the edges and, of small graphs, how many edges the shortest way between any two has.
"""
import collections
import csv
import json
import sys
import xml.etree.ElementTree as ElementTree

SPACE = "{http://graphml.graphdrawing.org/xmlns}"
TYPES = {"string": str, "int": int, "double": float, "boolean": lambda text: {"true": True, "false": False}[text]}


def read_csv(path):
    def rows(name):
        with open(name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file, strict=True))

    vertices = rows(path[: -len(".csv")] + ".vertices.csv")
    for vertex in vertices:
        for name in ("id", "frame"):
            vertex[name] = int(vertex[name])
        for name in ("mirrored", "recorded"):
            vertex[name] = TYPES["boolean"](vertex[name])
    edges = rows(path)
    for edge in edges:
        for name in ("source", "target", "frames"):
            edge[name] = int(edge[name])
        for name in ("cost", "distance"):
            edge[name] = float(edge[name])
    return {}, vertices, edges


def read_graphml(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == SPACE + "graphml", root.tag
    keys = {}
    for key in root.findall(SPACE + "key"):
        assert key.get("id") not in keys, "a key twice"
        keys[key.get("id")] = (key.get("for"), key.get("attr.name"), TYPES[key.get("attr.type")])
    graphs = root.findall(SPACE + "graph")
    assert len(graphs) == 1 and graphs[0].get("edgedefault") == "directed"

    def data(element, of):
        found = {}
        for item in element.findall(SPACE + "data"):
            place, name, read = keys[item.get("key")]
            assert place == of, (place, of)
            found[name] = read(item.text or "")
        return found

    vertices, edges, numbers = [], [], {}
    for node in graphs[0].findall(SPACE + "node"):
        assert node.get("id") not in numbers, "a vertex twice"
        numbers[node.get("id")] = int(node.get("id")[1:])
        vertices.append({"id": numbers[node.get("id")], **data(node, "node")})
    for edge in graphs[0].findall(SPACE + "edge"):
        ends = {"source": numbers[edge.get("source")], "target": numbers[edge.get("target")]}
        edges.append({**ends, **data(edge, "edge")})
    return data(graphs[0], "graph"), vertices, edges


def agree_with_networkx(path, vertices, edges):
    try:
        import networkx
    except ImportError:
        return
    graph = networkx.read_graphml(path)
    assert graph.is_directed()
    assert graph.number_of_nodes() == len(vertices) and graph.number_of_edges() == len(edges)
    for vertex in vertices:
        told = graph.nodes[f"n{vertex['id']}"]
        assert all(told[name] == value for name, value in vertex.items() if name != "id"), (told, vertex)


def shortest_ways(vertices, edges):
    after = collections.defaultdict(list)
    for edge in edges:
        after[edge["source"]].append(edge["target"])
    table = []
    for vertex in vertices:
        length, queue = {vertex["id"]: 0}, collections.deque([vertex["id"]])
        while queue:
            here = queue.popleft()
            for there in after[here]:
                if there not in length:
                    length[there] = length[here] + 1
                    queue.append(there)
        table.append([length.get(other["id"], -1) for other in vertices])
    return table


def main():
    path = sys.argv[1]
    graph, vertices, edges = read_csv(path) if path.endswith(".csv") else read_graphml(path)
    if path.endswith(".graphml"):
        agree_with_networkx(path, vertices, edges)
    ways = shortest_ways(vertices, edges) if len(vertices) <= 500 else []
    json.dump({"graph": graph, "vertices": vertices, "edges": edges, "ways": ways}, sys.stdout)


main()
