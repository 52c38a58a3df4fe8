"""Where the graph is drawn: columns from subjects to objects, every edge with a row of its own for its label.

Names flow from left to right. A name that is subject of many triples, ends a cycle or would open one column too many is
repeated (dashed in the drawing), so that lines stay short and labels readable with one triple or with sixty. Time is
linear in the triples, and the same graph is always drawn the same way.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from grapheval.report.graph import Edge, Graph
from grapheval.report.measure import width, wrap

FONT = 13.0
SMALL = 12.0
LINE = 17.0
NODE_WIDTH = 186.0
LABEL_WIDTH = 156.0
PAGE_WIDTH = 1170.0
MAX_COLUMNS = 4
MAX_CHILDREN = 9
DENSE = 20
"""With more triples, an object of several subjects is repeated: lines across the whole drawing cannot be followed."""

_PAD_X, _PAD_Y, _GAP_Y, _CURVE, _ARROW, _MARGIN, _GUTTER = 11.0, 7.0, 12.0, 46.0, 16.0, 8.0, 36.0


@dataclass(slots=True)
class Box:
    """A drawn name; several boxes may stand for one.

    Args:
        node: Position of the name in the graph.
        lines: The name, wrapped.
        again: Whether the name is drawn elsewhere too, this being a repetition.
        x: Left edge.
        y: Vertical centre.
        width: In pixels.
        height: In pixels.
        column: 0 for subjects that are no object.
        inputs: Edges that end here.
        outputs: Edges that begin here.
        children: Boxes that are placed with this one.
        band: Height that the box and its children take.
    """

    node: int
    lines: list[str]
    again: bool
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    column: int = 0
    inputs: list[Line] = field(default_factory=list)
    outputs: list[Line] = field(default_factory=list)
    children: list[Box] = field(default_factory=list)
    band: float = 0.0
    placed: bool = False


@dataclass(slots=True)
class Line:
    """A drawn triple.

    Args:
        edge: The triple.
        source: The subject's box.
        target: The object's box.
        label: The relation, wrapped.
        label_width: In pixels.
        x: Where the curve ends and the straight part under the label begins.
        y: Height of the straight part.
    """

    edge: Edge
    source: Box
    target: Box
    label: list[str]
    label_width: float
    x: float = 0.0
    y: float = 0.0

    @property
    def height(self) -> float:
        """What its label needs."""
        return len(self.label) * LINE + 8


@dataclass(frozen=True, slots=True)
class Layout:
    """The drawing: its size, its boxes and lines."""

    width: float
    height: float
    boxes: list[Box]
    lines: list[Line]


def lay_out(graph: Graph) -> Layout:
    """Place every name and triple of a graph."""
    boxes, lines = _unrolled(graph)
    roots = _bands(boxes)
    groups = _groups(roots, lines)
    widths = _columns(boxes, lines)
    strip = widths[-1]
    strips = max(1, min(len(groups), int((PAGE_WIDTH + _GUTTER) // (strip + _GUTTER))))
    total = sum(root.band for group in groups for root in group)
    x, y, lowest, used = _MARGIN, _MARGIN, 0.0, 1
    for group in groups:
        height = sum(root.band for root in group)
        if y > _MARGIN and used < strips and y - _MARGIN + height / 2 > total / strips:
            x, y, used = x + strip + _GUTTER, _MARGIN, used + 1
        for root in group:
            _place(root, x, y, widths)
            y += root.band
        lowest = max(lowest, y)
    for box in boxes:
        _slots(box)
    return Layout(x + strip + _MARGIN, lowest + _MARGIN - _GAP_Y, boxes, lines)


# ------------------------------------------------------------------------------------------------------------- boxes


def _unrolled(graph: Graph) -> tuple[list[Box], list[Line]]:
    """Boxes and lines without cycles, at most `MAX_COLUMNS` columns and `MAX_CHILDREN` lines out of a box."""
    outgoing: dict[int, list[Edge]] = defaultdict(list)
    incoming: set[int] = set()
    for edge in graph.edges:
        outgoing[edge.source].append(edge)
        if edge.source != edge.target:
            incoming.add(edge.target)
    order, back = _topological(graph, outgoing, incoming)
    boxes: list[Box] = []
    lines: list[Line] = []
    home: dict[int, Box] = {}

    def box(node: int, *, again: bool = False, column: int = 0) -> Box:
        lines = wrap(graph.nodes[node], FONT, NODE_WIDTH - 2 * _PAD_X, 3)
        wide = min(NODE_WIDTH, max(width(line, FONT) for line in lines) + 2 * _PAD_X)
        boxes.append(Box(node, lines, again, max(wide, 40.0), len(lines) * LINE + 2 * _PAD_Y, column=column))
        return boxes[-1]

    for node in order:
        home[node] = box(node)
    for node in order:
        source = home[node]
        for edge in outgoing[node]:
            if source.column == MAX_COLUMNS - 1 or len(source.outputs) == MAX_CHILDREN:
                source = box(node, again=True)
            target = home[edge.target]
            shared = len(graph.edges) > DENSE and any(line.source is not source for line in target.inputs)
            if edge.number in back or shared:
                target = box(edge.target, again=True)
            target.column = max(target.column, source.column + 1)
            label = wrap(edge.relation, SMALL, LABEL_WIDTH - 34, 2)
            wide = max(width(line, SMALL) for line in label) + 30
            lines.append(Line(edge, source, target, label, min(wide, LABEL_WIDTH)))
            source.outputs.append(lines[-1])
            target.inputs.append(lines[-1])
    return boxes, lines


def _topological(graph: Graph, outgoing: dict[int, list[Edge]], incoming: set[int]) -> tuple[list[int], frozenset[int]]:
    """The nodes, subjects before objects, and the numbers of the edges that would close a cycle."""
    starts = [node for node in range(len(graph.nodes)) if node not in incoming]
    starts += [node for node in range(len(graph.nodes)) if node in incoming]
    state: dict[int, bool] = {}  # absent: new, False: open, True: done
    finished: list[int] = []
    back: set[int] = set()
    for start in starts:
        if start in state:
            continue
        state[start] = False
        stack = [(start, iter(reversed(outgoing[start])))]
        while stack:
            node, rest = stack[-1]
            edge = next(rest, None)
            if edge is None:
                state[node] = True
                finished.append(node)
                stack.pop()
            elif edge.target not in state:
                state[edge.target] = False
                stack.append((edge.target, iter(reversed(outgoing[edge.target]))))
            elif not state[edge.target]:
                back.add(edge.number)
    return finished[::-1], frozenset(back)


def _bands(boxes: list[Box]) -> list[Box]:
    """Give every box its children and the height of its band; the roots, in the order of their first claim."""
    roots = [box for box in boxes if not box.inputs]
    roots.sort(key=lambda box: box.outputs[0].edge.number if box.outputs else 0)
    for root in roots:
        stack = [root]
        order = []
        root.placed = True
        while stack:
            box = stack.pop()
            order.append(box)
            for line in box.outputs:
                if not line.target.placed:
                    line.target.placed = True
                    box.children.append(line.target)
            stack += reversed(box.children)
        for box in reversed(order):
            own = max(box.height, sum(line.height for line in box.inputs)) + _GAP_Y
            box.band = max(own, sum(child.band for child in box.children))
        root.band += _GAP_Y
    return roots


def _groups(roots: list[Box], lines: list[Line]) -> list[list[Box]]:
    """Bands that a line connects stay together; the others can stand beside each other."""
    root_of: dict[int, int] = {}
    for number, root in enumerate(roots):
        stack = [root]
        while stack:
            box = stack.pop()
            root_of[id(box)] = number
            stack += box.children
    group = list(range(len(roots)))

    def find(number: int) -> int:
        while group[number] != number:
            group[number] = group[group[number]]
            number = group[number]
        return number

    for line in lines:
        one, other = find(root_of[id(line.source)]), find(root_of[id(line.target)])
        group[max(one, other)] = min(one, other)
    found: dict[int, list[Box]] = defaultdict(list)
    for number, root in enumerate(roots):
        found[find(number)].append(root)
    return list(found.values())


def _columns(boxes: list[Box], lines: list[Line]) -> list[float]:
    """Left edge of each column, and at the end the width of them all."""
    last = max((box.column for box in boxes), default=0)
    nodes, labels = [0.0] * (last + 1), [0.0] * (last + 1)
    for box in boxes:
        nodes[box.column] = max(nodes[box.column], box.width)
    for line in lines:
        labels[line.target.column] = max(labels[line.target.column], line.label_width)
    edges, x = [], 0.0
    for column in range(last + 1):
        x += (_CURVE + labels[column] + _ARROW) if column else 0.0
        edges.append(x)
        x += nodes[column]
    return [*edges, x]


def _place(root: Box, x: float, top: float, columns: list[float]) -> None:
    stack = [(root, top)]
    while stack:
        box, begin = stack.pop()
        box.x, box.y = x + columns[box.column], begin + (box.band - _GAP_Y) / 2
        begin += (box.band - sum(child.band for child in box.children)) / 2
        for child in box.children:
            stack.append((child, begin))
            begin += child.band


def _slots(box: Box) -> None:
    """Lines that end in one box: their labels stand one above the other, in the order of where they come from."""
    inputs = sorted(box.inputs, key=lambda line: (line.source.y, line.edge.number))
    y = box.y - sum(line.height for line in inputs) / 2
    for line in inputs:
        line.y = y + line.height / 2
        line.x = box.x - _ARROW - line.label_width
        y += line.height
