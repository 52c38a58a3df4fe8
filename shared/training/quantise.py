"""From fp32 to int8 with the labels kept: channels made alike, embeddings row by row, then dynamic int8.

Plain dynamic quantisation changed three labels in a hundred: one scale for all channels of an activation is too coarse
where a few channels are much greater than the rest (after GELU above all), and one scale for the whole embedding table
is too. So every matrix product first gets its input divided by a factor per channel that its weights are multiplied
by (SmoothQuant, Xiao et al. 2023, with an explicit division), and every row of the table has its own scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE = "word_embeddings.weight"
ALPHA = 0.75
"""How much of a channel's size goes from the activation (1) to the weight (0)."""


def encoder_products(model: Any) -> dict[str, list[Any]]:
    """Return the encoder's MatMul nodes that have constant weights, by the name of their input."""
    constants = {i.name for i in model.graph.initializer}
    found: dict[str, list[Any]] = {}
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            found.setdefault(node.input[0], []).append(node)
    return found


def channel_sizes(path: Path, names: Sequence[str], feeds: Sequence[dict[str, Any]]) -> dict[str, NDArray[np.float32]]:
    """Return the greatest absolute value of every channel of the named tensors over some inputs."""
    import numpy as np
    import onnx
    import onnxruntime

    model = onnx.load(path)
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    sizes: dict[str, NDArray[np.float32]] = {}
    for feed in feeds:
        for name, value in zip(names, session.run(list(names), feed), strict=True):
            top = np.abs(value).reshape(-1, value.shape[-1]).max(axis=0)
            sizes[name] = np.maximum(sizes.get(name, top), top)
    return sizes


def smooth(source: Path, target: Path, feeds: Sequence[dict[str, Any]], alpha: float = ALPHA) -> None:
    """Write the network with a division before each product, and its weights multiplied to make up for it."""
    import numpy as np
    import onnx
    from onnx import numpy_helper

    model = onnx.load(source)
    products = encoder_products(model)
    sizes = channel_sizes(source, list(products), feeds)
    weights = {i.name: i for i in model.graph.initializer}
    for number, (name, nodes) in enumerate(products.items()):
        arrays = [numpy_helper.to_array(weights[node.input[1]]) for node in nodes]
        width = np.max([np.abs(a).max(axis=1) for a in arrays], axis=0)
        factor = np.maximum(sizes[name], 1e-3) ** alpha / np.maximum(width, 1e-3) ** (1 - alpha)
        factor = (factor / np.exp(np.log(factor).mean())).astype(np.float32)
        for node, array in zip(nodes, arrays, strict=True):
            weights[node.input[1]].CopyFrom(
                numpy_helper.from_array((array * factor[:, None]).astype(np.float32), node.input[1])
            )
        scale, smoothed = f"smooth.{number}.scale", f"smooth.{number}.output"
        model.graph.initializer.append(numpy_helper.from_array((1 / factor).astype(np.float32), scale))
        place = min(list(model.graph.node).index(node) for node in nodes)
        model.graph.node.insert(place, onnx.helper.make_node("Mul", [name, scale], [smoothed], f"smooth.{number}"))
        for node in nodes:
            node.input[0] = smoothed
    onnx.save(model, target)


def shrink_table(source: Path, target: Path) -> None:
    """Write the network with its word embeddings as int8, one scale a row."""
    import numpy as np
    import onnx
    from onnx import TensorProto, numpy_helper

    model = onnx.load(source)
    table = next(i for i in model.graph.initializer if i.name.endswith(TABLE))
    values = numpy_helper.to_array(table)
    scales = np.maximum(np.abs(values).max(axis=1, keepdims=True) / 127, 1e-12).astype(np.float32)
    node = next(n for n in model.graph.node if n.op_type == "Gather" and n.input[0] == table.name)
    place = list(model.graph.node).index(node)
    ids, output = node.input[1], node.output[0]
    model.graph.node.remove(node)
    model.graph.initializer.remove(table)
    model.graph.initializer.append(
        numpy_helper.from_array(np.round(values / scales).astype(np.int8), "embeddings.int8")
    )
    model.graph.initializer.append(numpy_helper.from_array(scales, "embeddings.scale"))
    for offset, made in enumerate(
        (
            onnx.helper.make_node("Gather", ["embeddings.int8", ids], ["embeddings.rows"], "embeddings.rows"),
            onnx.helper.make_node("Gather", ["embeddings.scale", ids], ["embeddings.factor"], "embeddings.factor"),
            onnx.helper.make_node(
                "Cast", ["embeddings.rows"], ["embeddings.float"], "embeddings.cast", to=TensorProto.FLOAT
            ),
            onnx.helper.make_node("Mul", ["embeddings.float", "embeddings.factor"], [output], "embeddings.mul"),
        )
    ):
        model.graph.node.insert(place + offset, made)
    onnx.save(model, target)


KEEP: tuple[str, ...] = ("layer.0/output/dense", "layer.1/output/dense", "layer.2/output/dense")
"""Products that stay in fp32 besides pooler and classifier: those whose rounding changes most labels."""


def quantise(
    fp32: Path, int8: Path, feeds: Sequence[dict[str, Any]], folder: Path, keep_also: Sequence[str] = KEEP
) -> None:
    """Write the int8 form: weights per channel in 7 bits, activations by each run's own range.

    `reduce_range` keeps the integer sums of processors without VNNI (AVX2) from saturating, so that all
    processors give the same labels. Pooler and classifier, which are small, stay in fp32.

    Args:
        fp32: The exported network.
        int8: File to write.
        feeds: Model inputs, a hundred or so, to measure the channels with.
        folder: Where intermediate files may lie.
        keep_also: Parts of names of products that stay in fp32.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    smoothed, small = folder / "smoothed.onnx", folder / "small.onnx"
    smooth(fp32, smoothed, feeds)
    shrink_table(smoothed, small)
    nodes = onnx.load(small).graph.node
    parts = ("classifier", "pooler", *keep_also)
    keep = [n.name for n in nodes if n.op_type == "Gather" or any(part in n.name for part in parts)]
    quantize_dynamic(
        small, int8, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8, nodes_to_exclude=keep
    )
