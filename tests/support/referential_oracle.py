"""The Referential Reader's equations as a plain loop over tokens, for one model and one text, under autograd.

Slow and literal on purpose: what the fast paths are compared with. It shares no
code with ``petra.memory``; it reads the parameters of a reader by name.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory.referential.network import ReferentialReader


class Parameters(NamedTuple):
    """One model's parameters by the letters of its paper; matrices are (outputs, inputs)."""

    w_x: Tensor
    w_h: Tensor
    b: Tensor
    w_e: Tensor
    b_e: Tensor
    w_r: Tensor
    b_r: Tensor
    w_g: Tensor
    b_g: Tensor
    w_1: Tensor
    b_1: Tensor
    w_2: Tensor
    b_2: Tensor
    b_q: Tensor
    f_1: Tensor
    f_2: Tensor
    f_v: Tensor
    gru: tuple[Tensor, ...]  # as torch.gru_cell takes them: of inputs, of the state, and their biases
    gru_k: tuple[Tensor, ...]
    gru_v: tuple[Tensor, ...]


def parameters_of(reader: ReferentialReader, model: int) -> Parameters:
    size, key = reader.config.hidden_size, reader.start_keys.shape[-1]
    own = {name: value[model] for name, value in reader.named_parameters()}
    (w_e, w_r, w_g), (b_e, b_r, b_g) = own["gates"], own["gates_bias"]
    inputs, readout = own["inputs"].t(), own["readout"].t()
    return Parameters(
        w_x=inputs[:size],
        w_h=own["recurrent"].t(),
        b=own["inputs_bias"][:size],
        w_e=w_e,
        b_e=b_e,
        w_r=w_r,
        b_r=b_r,
        w_g=w_g,
        b_g=b_g,
        w_1=readout[:key],
        b_1=own["inner_query_bias"],
        w_2=own["query"].t(),
        b_2=own["query_bias"],
        b_q=own["match_bias"],
        f_1=readout[key : 2 * key],
        f_2=own["residual"].t(),
        f_v=readout[2 * key :],
        gru=(inputs[size:], own["hidden"].t(), own["inputs_bias"][size:], own["hidden_bias"]),
        gru_k=(own["key_inputs"].t(), own["key_cells"].t(), own["key_inputs_bias"], own["key_cells_bias"]),
        gru_v=(own["value_inputs"].t(), own["value_cells"].t(), own["value_inputs_bias"], own["value_cells_bias"]),
    )


def gru_cell(x: Tensor, state: Tensor, weights: tuple[Tensor, ...]) -> Tensor:
    return torch.gru_cell(x[None], state[None], *weights)[0]


def read(
    reader: ReferentialReader,
    model: int,
    features: Tensor,
    *,
    dropout: Tensor | None = None,
    noise: Tensor | None = None,
    temperature: float = 1.0,
    preference: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """e (T,), up, ov and s (T, N) of features (T, D); with Gumbel noise (T, N) as in training, without as in reading.

    Dropout (T, H + 2K) multiplies p_t, then the two places inside the new key.
    """
    w = parameters_of(reader, model)
    count, size, key_size = int(reader.capacity[model]), reader.config.hidden_size, reader.start_keys.shape[-1]
    h = reader.start_hidden[model]
    k = [reader.start_keys[model, i] for i in range(count)]
    v = [reader.start_values[model, i] for i in range(count)]
    s = [torch.tensor(1e-7) for _ in range(count)]
    zero, one = torch.tensor(0.0), torch.tensor(1.0)
    log = []
    for t, x in enumerate(features):
        mask = torch.ones(size + 2 * key_size) if dropout is None else dropout[t]
        p = torch.tanh(w.w_x @ x + w.w_h @ h + w.b) * mask[:size]
        e = torch.sigmoid(w.w_e @ p + w.b_e)
        r = e * torch.sigmoid(w.w_r @ p + w.b_r)
        q = w.w_2 @ torch.tanh(w.w_1 @ p + w.b_1) + w.b_2
        a = r * torch.softmax(torch.stack([k[i] @ q + w.b_q for i in range(count)]), dim=0)
        up = [torch.minimum(a[i], 2 * s[i]) for i in range(count)]
        amount = torch.minimum(torch.maximum(e - sum(up), zero), one)
        if noise is None:
            least = [i for i in range(count) if s[i] == min(s)]
            chosen = least[0] if preference is None else max(least, key=lambda i: float(preference[i]))
            ov = [amount if i == chosen else zero for i in range(count)]
        else:
            logits = torch.stack([-s[i] / temperature + noise[t, i] for i in range(count)])
            ov = list(amount * torch.softmax(logits, dim=0))
        keep = [torch.minimum(torch.maximum(1 - ov[i] - up[i], zero), one) for i in range(count)]
        entity = sum(up) + sum(ov)
        decay = entity * 0.5 ** (1 / 4) + (1 - entity) * 0.5 ** (1 / 30)
        s = [up[i] + ov[i] + keep[i] * s[i] * decay for i in range(count)]
        z = sum(s[i] * v[i] for i in range(count))
        g = torch.minimum(torch.sigmoid(w.w_g @ p + w.b_g), sum(s))
        h = gru_cell(x, (1 - g) * h + g * z, w.gru)
        y = torch.tanh(w.f_1 @ p)
        new_key = y + torch.tanh(w.f_2 @ (y * mask[size : size + key_size])) * mask[size + key_size :]
        new_value = torch.tanh(w.f_v @ p)
        k = [keep[i] * k[i] + ov[i] * new_key + up[i] * gru_cell(new_key, k[i], w.gru_k) for i in range(count)]
        v = [keep[i] * v[i] + ov[i] * new_value + up[i] * gru_cell(new_value, v[i], w.gru_v) for i in range(count)]
        log.append((e, torch.stack(up), torch.stack(ov), torch.stack(s)))
    e, up, ov, s = (torch.stack(values) for values in zip(*log, strict=True))
    return e, up, ov, s
