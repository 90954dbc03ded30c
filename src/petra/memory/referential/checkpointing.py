"""A loop over tokens with gradient checkpointing: the backward pass computes each step once more.

The forward pass saves nothing but the state before each token. The backward pass goes
from the last token to the first, computes a token's step again from that state and takes
its vector-Jacobian product, so that the gradient of no step has to be written by hand.
Two things make this fast where many models and texts are side by side:

- A step gets its matrices as products: functions from rows to rows times the matrix.
  The gradient of each product is saved; a matrix's own gradient is then one product
  over all tokens, instead of a sum over tokens of products.
- Inside, tensors lead with T, so that one token's values are contiguous in memory, with
  the same shape and strides for every token and length: one compiled step serves them
  all. It returns new tensors and writes to none that it was given.

Letters: E models, T tokens, B texts, N cells; a matrix is (E, I, O), its rows are
(E, B, I) of a token or (E, B, N, I) of the cells.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import torch
from torch import Tensor

from petra.memory.kernels.compiled import compiled
from petra.memory.linear import add_outer, linear

Tensors = tuple[Tensor, ...]
Product = Callable[[Tensor], Tensor]

# One token: products, constants, the state before it and its inputs give the state after it and its outputs.
# A pure function of a module, so that it is compiled once; it uses each product exactly once.
Step = Callable[[tuple[Product, ...], Tensors, Tensors, Tensors], tuple[Tensors, Tensors]]


@torch.no_grad()
def loop(step: Step, matrices: Tensors, constants: Tensors, state: Tensors, inputs: Tensors) -> Tensors:
    """The outputs of all tokens from their inputs, both (E, T, ...), without a gradient."""
    state, inputs = _contiguous(state, by_token=False), _contiguous(inputs, by_token=True)
    made = _steps(step, matrices, constants, state, inputs)
    return _stacked(outputs for _, outputs in made)


def checkpointed_loop(step: Step, matrices: Tensors, constants: Tensors, state: Tensors, inputs: Tensors) -> Tensors:
    """The outputs of ``loop``, differentiable with respect to every tensor that requires a gradient."""
    counts = (len(matrices), len(constants), len(state))
    return _checkpointed_loop(step, counts, *matrices, *constants, *state, *inputs)


class _CheckpointedLoop(torch.autograd.Function):
    """The loop of ``checkpointed_loop`` as one differentiable operation."""

    @staticmethod
    def forward(ctx: Any, step: Step, counts: tuple[int, int, int], *tensors: Tensor) -> Tensors:
        # Detached, because a compiled step is made anew for tensors that require a gradient.
        matrices, constants, state, inputs = _split(tuple(tensor.detach() for tensor in tensors), counts)
        state, inputs = _contiguous(state, by_token=False), _contiguous(inputs, by_token=True)
        states, outputs = [state], []
        for after, made in _steps(step, matrices, constants, state, inputs):
            states.append(after)
            outputs.append(made)
        ctx.step, ctx.counts = step, (len(matrices), len(constants), len(inputs))
        ctx.save_for_backward(*matrices, *constants, *inputs, *(each for state in states[:-1] for each in state))
        return _stacked(outputs)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Any, ...]:
        matrices, constants, inputs, flat_states = _split(ctx.saved_tensors, ctx.counts)
        grad_outputs = _contiguous(grad_outputs, by_token=True)
        tokens = len(grad_outputs[0])
        size = len(flat_states) // tokens
        states = [flat_states[at : at + size] for at in range(0, len(flat_states), size)]
        _, of_constants, _, of_inputs = _split(ctx.needs_input_grad[2:], (len(matrices), len(constants), size))

        shapes = _product_shapes(ctx.step, matrices, constants, states[0], _at(inputs, 0))
        backward = compiled(_step_backward(ctx.step, shapes, of_constants, of_inputs), grad_outputs[0].is_cuda)
        grad_state = tuple(map(torch.zeros_like, states[0]))
        grad_constants = tuple(map(torch.zeros_like, _selected(constants, of_constants)))
        grad_matrices = [_MatrixGradient(matrix) for matrix in matrices]
        grad_inputs = []
        for t in reversed(range(tokens)):
            factors, grad_state, grad_constants, grad_token = backward(
                matrices, constants, states[t], _at(inputs, t), _at(grad_outputs, t), grad_state, grad_constants
            )
            grad_inputs.append(grad_token)
            for gradient, (rows, grads) in zip(grad_matrices, factors, strict=True):
                gradient.add(rows, grads)
        return (
            None,
            None,
            *(gradient.total() for gradient in grad_matrices),
            *_scattered(grad_constants, of_constants),
            *grad_state,
            *_scattered(_stacked(reversed(grad_inputs)), of_inputs),
        )


_checkpointed_loop = cast(Callable[..., Tensors], _CheckpointedLoop.apply)


def _steps(
    step: Step, matrices: Tensors, constants: Tensors, state: Tensors, inputs: Tensors
) -> Iterator[tuple[Tensors, Tensors]]:
    """The state after each token and its outputs; inputs lead with T."""
    forward = compiled(_forward(step), inputs[0].is_cuda)
    for t in range(len(inputs[0])):
        state, outputs = forward(matrices, constants, state, _at(inputs, t))
        yield state, outputs


@functools.cache
def _forward(step: Step) -> Callable[..., tuple[Tensors, Tensors]]:
    """A step as a function of its matrices."""

    def forward(matrices: Tensors, constants: Tensors, state: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
        products = tuple(functools.partial(linear, weight=matrix) for matrix in matrices)
        after, outputs = step(products, constants, state, token)
        return tuple(after), outputs

    return forward


@functools.cache
def _step_backward(
    step: Step, shapes: tuple[torch.Size, ...], of_constants: tuple[bool, ...], of_inputs: tuple[bool, ...]
) -> Callable[..., Any]:
    """The backward pass of a step: the step computed again, and its vector-Jacobian product.

    The gradient of a product is that of zeros which are added to it; their shapes are
    known before. The constants and inputs that are marked true get gradients.
    """

    def step_backward(
        matrices: Tensors,
        constants: Tensors,
        state: Tensors,
        token: Tensors,
        grad_outputs: Tensors,
        grad_state: Tensors,
        grad_constants: Tensors,
    ) -> tuple[tuple[tuple[Tensor, Tensor], ...], Tensors, Tensors, Tensors]:
        def run(zeros: Tensors, state: Tensors, some_constants: Tensors, some_inputs: Tensors) -> Any:
            rows: dict[int, Tensor] = {}

            def product(index: int, of: Tensor) -> Tensor:
                rows[index] = of
                return linear(of, matrices[index]) + zeros[index]

            products = tuple(functools.partial(product, index) for index in range(len(matrices)))
            after, outputs = step(
                products,
                _merged(constants, some_constants, of_constants),
                state,
                _merged(token, some_inputs, of_inputs),
            )
            return (tuple(after), outputs), tuple(rows[index] for index in range(len(matrices)))

        zeros = tuple(state[0].new_zeros(shape) for shape in shapes)
        primals = (zeros, state, _selected(constants, of_constants), _selected(token, of_inputs))
        _, vjp, rows = cast(Any, torch.func.vjp)(run, *primals, has_aux=True)
        grad_products, before, more, grad_token = vjp((grad_state, grad_outputs))
        totals = tuple(total + each for total, each in zip(grad_constants, more, strict=True))
        return tuple(zip(rows, grad_products, strict=True)), before, totals, grad_token

    return step_backward


class _MatrixGradient:
    """The gradient of a matrix, from the rows that it multiplied and the gradients of the products."""

    def __init__(self, matrix: Tensor) -> None:
        self._total = torch.zeros_like(matrix)
        self._waiting: list[tuple[Tensor, Tensor]] = []

    def add(self, rows: Tensor, grads: Tensor) -> None:
        if rows.dim() == 3:  # of a token: few rows, which are multiplied together with those of the other tokens
            self._waiting.append((rows, grads))
        else:  # of its cells: enough rows for a product of their own
            add_outer(self._total, rows, grads)

    def total(self) -> Tensor:
        if self._waiting:
            add_outer(self._total, *_stacked(self._waiting))
        return self._total


def _product_shapes(
    step: Step, matrices: Tensors, constants: Tensors, state: Tensors, token: Tensors
) -> tuple[torch.Size, ...]:
    """The shape of each product of a step, found with tensors that have shapes and no content."""
    shapes: dict[int, torch.Size] = {}

    def product(index: int, rows: Tensor) -> Tensor:
        result = linear(rows, torch.empty_like(matrices[index], device="meta"))
        shapes[index] = result.shape
        return result

    products = tuple(functools.partial(product, index) for index in range(len(matrices)))
    step(
        products, *(tuple(torch.empty_like(each, device="meta") for each in part) for part in (constants, state, token))
    )
    return tuple(shapes[index] for index in range(len(matrices)))


def _split(values: tuple[Any, ...], counts: tuple[int, int, int]) -> tuple[tuple[Any, ...], ...]:
    """Three parts of so many values, and the rest."""
    first, second, third = counts
    ends = (0, first, first + second, first + second + third, len(values))
    return tuple(values[start:end] for start, end in itertools.pairwise(ends))


def _contiguous(tensors: Tensors, *, by_token: bool) -> Tensors:
    """Contiguous copies, with (E, T, ...) transposed to (T, E, ...) if ``by_token``.

    Always copies: a dimension of length 1 may have any stride, and a compiled step is
    made for one set of strides.
    """
    transposed = (tensor.transpose(0, 1) for tensor in tensors) if by_token else tensors
    return tuple(tensor.clone(memory_format=torch.contiguous_format) for tensor in transposed)


def _at(tensors: Tensors, t: int) -> Tensors:
    """Each tensor's part for token t."""
    return tuple(tensor[t] for tensor in tensors)


def _stacked(of_tokens: Iterable[Tensors]) -> Tensors:
    """The values of single tokens, (E, ...), stacked to (E, T, ...)."""
    return tuple(torch.stack(column, dim=1) for column in zip(*of_tokens, strict=True))


def _selected(values: Tensors, marks: tuple[bool, ...]) -> Tensors:
    return tuple(value for value, mark in zip(values, marks, strict=True) if mark)


def _scattered(values: Tensors, marks: tuple[bool, ...]) -> tuple[Tensor | None, ...]:
    """The inverse of ``_selected``, with None for values that were not."""
    rest = iter(values)
    return tuple(next(rest) if mark else None for mark in marks)


def _merged(values: Tensors, selected: Tensors, marks: tuple[bool, ...]) -> Tensors:
    """The values, with those that are marked replaced."""
    return tuple(value if new is None else new for value, new in zip(values, _scattered(selected, marks), strict=True))
