"""A loop over tokens whose gradient is found by going through it once more, from the last token to the first.

On the way forward nothing is kept but the state before each token. On the way back a
token's step is computed again from that state and the gradient pulled through it, so
that the gradient of no step has to be written by hand. Two things make this fast where
many models and texts are side by side:

- A step gets its matrices as products: functions from rows to rows times the matrix.
  The gradient is pulled back to what each product gave; a matrix's own gradient is
  then one product over all tokens, where else a large sum would be made at each.
- Inside, tensors lead with T, so that the part of one token lies together in memory
  and its shape and strides are the same for every token and length: a compiled step
  serves them all. It returns new tensors and writes to none that it was given.

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

from petra.memory.fusion import fused
from petra.memory.linear import add_outer, linear

Tensors = tuple[Tensor, ...]
Product = Callable[[Tensor], Tensor]

# One token: products, constants, the state before it and its inputs give the state after it and its outputs.
# A pure function of a module, so that it is compiled once; it uses each product exactly once.
Step = Callable[[tuple[Product, ...], Tensors, Tensors, Tensors], tuple[Tensors, Tensors]]


@torch.no_grad()
def loop(step: Step, matrices: Tensors, constants: Tensors, state: Tensors, inputs: Tensors) -> Tensors:
    """The outputs of all tokens from their inputs, both (E, T, ...), without a gradient."""
    state, inputs = _laid_out(state, by_token=False), _laid_out(inputs, by_token=True)
    made = _steps(step, matrices, constants, state, inputs)
    return _joined(outputs for _, outputs in made)


def rescan(step: Step, matrices: Tensors, constants: Tensors, state: Tensors, inputs: Tensors) -> Tensors:
    """The same, differentiable with respect to whatever requires it."""
    counts = (len(matrices), len(constants), len(state))
    return _rescan(step, counts, *matrices, *constants, *state, *inputs)


class _Rescan(torch.autograd.Function):
    """The loop of ``rescan`` as one differentiable operation."""

    @staticmethod
    def forward(ctx: Any, step: Step, counts: tuple[int, int, int], *tensors: Tensor) -> Tensors:
        # A compiled step tells tensors apart by whether autograd knows them; here it does not matter.
        matrices, constants, state, inputs = _split(tuple(tensor.detach() for tensor in tensors), counts)
        state, inputs = _laid_out(state, by_token=False), _laid_out(inputs, by_token=True)
        states, outputs = [state], []
        for after, made in _steps(step, matrices, constants, state, inputs):
            states.append(after)
            outputs.append(made)
        ctx.step, ctx.counts = step, (len(matrices), len(constants), len(inputs))
        ctx.save_for_backward(*matrices, *constants, *inputs, *(each for state in states[:-1] for each in state))
        return _joined(outputs)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Any, ...]:
        matrices, constants, inputs, flat_states = _split(ctx.saved_tensors, ctx.counts)
        grad_outputs = _laid_out(grad_outputs, by_token=True)
        tokens = len(grad_outputs[0])
        size = len(flat_states) // tokens
        states = [flat_states[at : at + size] for at in range(0, len(flat_states), size)]
        _, of_constants, _, of_inputs = _split(ctx.needs_input_grad[2:], (len(matrices), len(constants), size))

        shapes = _product_shapes(ctx.step, matrices, constants, states[0], _at(inputs, 0))
        pull = fused(_pullback(ctx.step, shapes, of_constants, of_inputs), grad_outputs[0].is_cuda)
        grad_state = tuple(map(torch.zeros_like, states[0]))
        grad_constants = tuple(map(torch.zeros_like, _chosen(constants, of_constants)))
        grad_matrices = [_MatrixGradient(matrix) for matrix in matrices]
        grad_inputs = []
        for t in reversed(range(tokens)):
            factors, grad_state, grad_constants, grad_token = pull(
                matrices, constants, states[t], _at(inputs, t), _at(grad_outputs, t), grad_state, grad_constants
            )
            grad_inputs.append(grad_token)
            for gradient, (rows, grads) in zip(grad_matrices, factors, strict=True):
                gradient.add(rows, grads)
        return (
            None,
            None,
            *(gradient.total() for gradient in grad_matrices),
            *_spread(grad_constants, of_constants),
            *grad_state,
            *_spread(_joined(reversed(grad_inputs)), of_inputs),
        )


_rescan = cast(Callable[..., Tensors], _Rescan.apply)


def _steps(
    step: Step, matrices: Tensors, constants: Tensors, state: Tensors, inputs: Tensors
) -> Iterator[tuple[Tensors, Tensors]]:
    """The state after each token and its outputs; inputs lead with T."""
    forward = fused(_forward(step), inputs[0].is_cuda)
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
def _pullback(
    step: Step, shapes: tuple[torch.Size, ...], of_constants: tuple[bool, ...], of_inputs: tuple[bool, ...]
) -> Callable[..., Any]:
    """A step once more, and the gradient pulled back through it.

    The gradient of a product is found by adding zeros to it, of a shape known
    before, and asking for theirs. The constants and inputs to be differentiated are
    those marked true.
    """

    def pullback(
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
        primals = (zeros, state, _chosen(constants, of_constants), _chosen(token, of_inputs))
        _, pull, rows = cast(Any, torch.func.vjp)(run, *primals, has_aux=True)
        grad_products, before, more, grad_token = pull((grad_state, grad_outputs))
        totals = tuple(total + each for total, each in zip(grad_constants, more, strict=True))
        return tuple(zip(rows, grad_products, strict=True)), before, totals, grad_token

    return pullback


class _MatrixGradient:
    """The gradient of a matrix, from the rows that it multiplied and the gradients of the products."""

    def __init__(self, matrix: Tensor) -> None:
        self._total = torch.zeros_like(matrix)
        self._waiting: list[tuple[Tensor, Tensor]] = []

    def add(self, rows: Tensor, grads: Tensor) -> None:
        if rows.dim() == 3:  # of a token alone: few rows, which wait for those of the other tokens
            self._waiting.append((rows, grads))
        else:  # of its cells: enough for a product, and too many to keep
            add_outer(self._total, rows, grads)

    def total(self) -> Tensor:
        if self._waiting:
            add_outer(self._total, *_joined(self._waiting))
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


def _laid_out(tensors: Tensors, *, by_token: bool) -> Tensors:
    """A copy in order, with (E, T, ...) turned to (T, E, ...) if by token.

    Always a copy: the strides of a dimension of 1 may else be anything, and a
    compiled step tells tensors apart by them.
    """
    turned = (tensor.transpose(0, 1) for tensor in tensors) if by_token else tensors
    return tuple(tensor.clone(memory_format=torch.contiguous_format) for tensor in turned)


def _at(tensors: Tensors, t: int) -> Tensors:
    """Each tensor's part for token t."""
    return tuple(tensor[t] for tensor in tensors)


def _joined(of_tokens: Iterable[Tensors]) -> Tensors:
    """What came token by token, (E, ...), as (E, T, ...)."""
    return tuple(torch.stack(column, dim=1) for column in zip(*of_tokens, strict=True))


def _chosen(values: Tensors, marks: tuple[bool, ...]) -> Tensors:
    return tuple(value for value, mark in zip(values, marks, strict=True) if mark)


def _spread(values: Tensors, marks: tuple[bool, ...]) -> tuple[Tensor | None, ...]:
    """The inverse of ``_chosen``, with None for what was not."""
    rest = iter(values)
    return tuple(next(rest) if mark else None for mark in marks)


def _merged(values: Tensors, chosen: Tensors, marks: tuple[bool, ...]) -> Tensors:
    """The values with those chosen put in their places."""
    return tuple(value if new is None else new for value, new in zip(values, _spread(chosen, marks), strict=True))
