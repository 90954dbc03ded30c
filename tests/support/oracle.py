"""The paper's equations as a plain loop over tokens, for one model and one text, under autograd.

Slow and literal on purpose: what the fast paths are compared with. It shares no
code with ``petra.memory``; it reads the parameters of a network by name.
"""

from __future__ import annotations

import torch
from torch import Tensor

from petra.memory.network import Network


def gru(network: Network, model: int, features: Tensor, start: Tensor | None = None) -> list[Tensor]:
    """h_1 .. h_T of features (T, D)."""
    size = network.config.hidden_size
    w_in, b_in = network.recurrent_inputs[model], network.recurrent_inputs_bias[model]
    w_h, b_h = network.recurrent_hidden[model], network.recurrent_hidden_bias[model]
    hidden = features.new_zeros(size) if start is None else start
    states = []
    for row in features:
        x, y = row @ w_in + b_in, hidden @ w_h + b_h
        reset = torch.sigmoid(x[:size] + y[:size])
        update = torch.sigmoid(x[size : 2 * size] + y[size : 2 * size])
        candidate = torch.tanh(x[2 * size :] + reset * y[2 * size :])
        hidden = (1 - update) * candidate + update * hidden
        states.append(hidden)
    return states


def mlp_1(network: Network, model: int, hidden: Tensor) -> Tensor:
    first = torch.relu(hidden @ network.mention_first[model] + network.mention_first_bias[model])
    second = torch.relu(first @ network.mention_second[model] + network.mention_second_bias[model])
    return (second @ network.mention_out[model] + network.mention_out_bias[model])[0]


def mlp_2(network: Network, model: int, hidden: Tensor, cell: Tensor, usage: Tensor) -> Tensor:
    inputs = torch.cat([hidden, cell, hidden * cell, usage[None]])
    first = torch.relu(inputs @ network.similarity_first[model] + network.similarity_first_bias[model])
    second = torch.relu(first @ network.similarity_second[model] + network.similarity_second_bias[model])
    return second @ network.similarity_out[model] + network.similarity_out_bias[model]


def mlp_3(network: Network, model: int, hidden: Tensor, cell: Tensor) -> Tensor:
    return torch.tanh(torch.cat([hidden, cell]) @ network.update[model] + network.update_bias[model])


def read(
    network: Network,
    model: int,
    features: Tensor,
    *,
    num_cells: int | None = None,
    dropout: Tensor | None = None,
    noise: Tensor | None = None,
    temperature: float = 1.0,
    preference: Tensor | None = None,
    epsilon: float = 0.0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """e (T,), c, o and u (T, N) of one text; with Gumbel noise (T, N) as in training, without as in reading.

    A token with e below epsilon only lets usage fade.
    """
    config = network.config
    count = num_cells or int(network.capacity[model])
    cells = [features.new_zeros(config.hidden_size) for _ in range(count)]
    if config.variant == "learned-init":
        cells = [network.initial_cells[model, i] for i in range(count)]
    if config.variant == "fixed-key":
        cells = [torch.cat([network.keys[model, i], cell[config.key_size :]]) for i, cell in enumerate(cells)]
    usage = [features.new_zeros(()) for _ in range(count)]
    log = []
    for t, state in enumerate(gru(network, model, features)):
        hidden = state if dropout is None else state * dropout[t]
        e = torch.sigmoid(mlp_1(network, model, hidden))
        if e < epsilon:
            usage = [config.usage_decay * value for value in usage]
            log.append((e, torch.zeros(count), torch.zeros(count), torch.stack(usage)))
            continue
        sim = [mlp_2(network, model, hidden, cells[i], usage[i]) for i in range(count)]
        scores = [sim[i] if usage[i] != 0 else torch.tensor(float("-inf")) for i in range(count)]
        shares = e * torch.softmax(torch.stack([*scores, torch.tensor(0.0)]), dim=0)
        c, n = shares[:-1], shares[-1]
        unused = [i for i in range(count) if usage[i] == 0]
        if noise is None:
            least = [i for i in range(count) if usage[i] == min(usage)]
            if config.variant != "vanilla" and min(usage) == 0:
                chosen = max(least, key=lambda i: float(sim[i]))
            elif preference is not None:
                chosen = max(least, key=lambda i: float(preference[i]))
            else:
                chosen = least[0]
            o = n * torch.eye(count)[chosen]
        else:
            logits = [(1 - usage[i]) / temperature + noise[t, i] for i in range(count)]
            if config.variant != "vanilla" and unused:
                tie = torch.log_softmax(torch.stack([sim[i] for i in unused]), dim=0)
                for rank, i in enumerate(unused):
                    logits[i] = logits[i] + tie[rank]
            o = n * torch.softmax(torch.stack(logits), dim=0)
        for i in range(count):
            updated = (1 - (o[i] + c[i])) * cells[i] + o[i] * hidden + c[i] * mlp_3(network, model, hidden, cells[i])
            if config.variant == "fixed-key":
                updated = torch.cat([cells[i][: config.key_size], updated[config.key_size :]])
            cells[i] = updated
            usage[i] = torch.minimum(torch.tensor(1.0), o[i] + c[i] + config.usage_decay * usage[i])
        log.append((e, c, o, torch.stack(usage)))
    e, c, o, u = (torch.stack(values) for values in zip(*log, strict=True))
    return e, c, o, u
