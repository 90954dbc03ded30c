"""The Referential Reader's loop over tokens as one kernel: a program reads whole texts of one model by itself.

The equations are those of ``referential.step``, in their order; the longer ones are in
``forward_text`` and ``forward_cells``. As in
``petra.memory.kernels.forward`` products take their factors in half precision if so
asked, while sums and what the next token starts from are of single precision. One
function passes its values to the next through memory, where the backward pass finds them;
between the functions the threads of a program wait for each other.

Letters: E models, T tokens, B texts, N cells, H hidden size (also of a value), K size of
a key; P programs of a model, R rows and S slots of a program; H' is H padded:
with a one, where a bias is multiplied by it, and zeros.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.referential.forward_cells import put_first, read_memory, write_keys, write_values
from petra.memory.kernels.referential.forward_text import make_key, make_pre, make_value, next_hidden, project_value
from petra.memory.kernels.referential.tiles import clamp_unit, to_rows, to_texts
from petra.memory.kernels.tiles import (
    least_used,
    own_program,
    place_rows,
    place_texts,
    softmax_over_cells,
    sum_over_cells,
    zero_rows,
)


@triton.jit(do_not_specialize=["tokens", "states", "slots", "batch", "programs"])
def forward_kernel(
    # of the tokens, (E, T, B, ...); dropout and noise are None for hard overwrites
    projected,  # (..., 4H)
    real,  # (T, B)
    dropout,  # (..., H + 2K)
    noise,  # (..., N)
    preference,  # (E, B, N), for hard overwrites
    temperature,
    # of the models
    capacity,  # (E,)
    recurrent,
    readout,
    query,
    residual,
    key_inputs,
    key_cells,
    value_inputs,
    value_cells,
    hidden_weight,
    gates,
    query_bias,
    key_inputs_bias,
    key_cells_bias,
    # the memory before the first token; the values are those after the last in the end
    salience_before,  # (E, B, N)
    first_keys,  # (E, B, N, K)
    values,  # (E, B, N, H)
    # what is decided, (E, T, B, ...)
    mention_out,
    update_out,  # (..., N)
    overwrite_out,  # (..., N)
    salience_out,  # (..., N)
    # the state before each token, of so many tokens as there are states; h_0 is there
    hidden,  # (E, ., B, H')
    keys,  # (E, ., P, R, K)
    value_rows,  # (E, ., P, R, H'), values as factors of products
    # of the texts, (E, ., B, ...), of so many tokens as there are slots
    pre,  # (..., H'): p_t
    new_values,  # (..., H'): val~
    value_projection,  # (..., 3H'): val~'s part of GRUCell_v
    key_terms,  # (..., 8K): the query's layer, that of key~, its residual, query, key~, key~'s part of GRUCell_k
    read,  # (..., H'): z_t
    mixed,  # (..., H')
    decided,  # (..., 4): the three gates of p_t, and the sum of salience
    # saved for the backward pass alone, None without one
    hidden_gates,  # (E, T, B, 3H'): reset, update, and the state's part of the candidate
    value_gates,  # (E, T, P, R, 3H'): the same
    odds_out,  # (E, T, P, 2, R): of matching, and of overwriting
    tokens,
    states,
    slots,
    batch,
    programs,
    decay_entity,
    decay_other,
    num_cells: tl.constexpr,
    size: tl.constexpr,
    key_size: tl.constexpr,
    rows: tl.constexpr,
    texts: tl.constexpr,
    width: tl.constexpr,
    block: tl.constexpr,
    wide: tl.constexpr,
    strip: tl.constexpr,
    step: tl.constexpr,
    ahead: tl.constexpr,
    precision: tl.constexpr,
):
    """Read all tokens of some texts of one model; ``width`` is H' and ``texts`` S."""
    dtype: tl.constexpr = value_rows.dtype.element_ty
    outputs: tl.constexpr = 2 * key_size + width  # of the readout
    model, program, count = own_program(capacity, programs)
    slot, text, cell, live = place_rows(program, count, batch, rows, texts)
    row = tl.arange(0, rows)
    place = text * num_cells + cell  # of a row among all of the model  (R,)
    own_text, own_live = place_texts(program, count, batch, rows, texts)  # (S,)
    key = tl.arange(0, key_size)
    row_keys = text[:, None] * (8 * key_size) + key[None, :]  # (R, K)
    recurrent += model * (width * width)
    readout += model * (width * outputs)
    query += model * (key_size * key_size)
    residual += model * (key_size * key_size)
    key_inputs += model * (3 * key_size * key_size)
    key_cells += model * (3 * key_size * key_size)
    value_inputs += model * (3 * width * width)
    value_cells += model * (3 * width * width)
    hidden_weight += model * (3 * width * width)
    gates += model * (3 * width)
    query_bias += model * key_size + key
    key_inputs_bias += model * (3 * key_size) + key
    key_cells_bias += model * (3 * key_size) + key
    first_keys += model * batch * num_cells * key_size
    values += model * batch * num_cells * size
    salience = tl.load(salience_before + model * batch * num_cells + place, live, 0.0)
    tau = tl.load(temperature)
    prefer = tl.zeros_like(salience)
    if preference is not None:
        prefer = tl.load(preference + model * batch * num_cells + place, live, 0.0)

    began = (model * states * programs + program) * rows
    keys_before, rows_before = keys + began * key_size, value_rows + began * width
    put_first(first_keys, values, keys_before, rows_before, place, live, size, key_size, width, block)
    tl.debug_barrier()

    # A program that no text is left for reads nothing.
    end = tl.where(tl.sum(live.to(tl.int32), axis=0) > 0, tokens, 0)
    for t in range(end):
        token = (model * tokens + t) * batch  # of the first text; 64 bits, as all that may grow large
        now = model * states + t % states
        after = model * states + (t + 1) % states
        slot_at = (model * slots + t % slots) * batch
        saved_at = (model * tokens + t) * programs + program
        projected_now = projected + token * (4 * size)
        dropout_now = dropout
        if dropout is not None:
            dropout_now = dropout + token * (size + 2 * key_size)
        hidden_now = hidden + now * batch * width
        keys_now = keys + (now * programs + program) * (rows * key_size)
        rows_now = value_rows + (now * programs + program) * (rows * width)
        pre_now = pre + slot_at * width
        new_values_now = new_values + slot_at * width
        projection_now = value_projection + slot_at * (3 * width)
        key_terms_now = key_terms + slot_at * (8 * key_size)
        mixed_now = mixed + slot_at * width

        # p_t and the gates that depend on it alone.
        mention, referring, reading = make_pre(
            projected_now, dropout_now, hidden_now, pre_now, recurrent, gates, own_text, own_live, size, key_size,
            width, wide, step, ahead, precision,
        )  # fmt: skip
        decided_now = decided + (slot_at + own_text) * 4
        tl.store(decided_now, mention, own_live)
        tl.store(decided_now + 1, referring, own_live)
        tl.store(decided_now + 2, reading, own_live)
        mention *= tl.load(real + t * batch + own_text, own_live, 0.0)
        tl.store(mention_out + token + own_text, mention, own_live)
        tl.debug_barrier()

        # The query, key~ and val~.
        make_key(
            pre_now, dropout_now, key_terms_now, readout, query, query_bias, residual, key_inputs, key_inputs_bias,
            own_text, own_live, size, key_size, width, step, ahead, precision,
        )  # fmt: skip
        make_value(
            pre_now, new_values_now, readout, own_text, own_live, size, key_size, width, wide, step, ahead, precision
        )
        tl.debug_barrier()

        # The gates of the cells.
        before = tl.load(keys_now + row[:, None] * key_size + key[None, :])  # (R, K)
        scores = tl.sum(before * tl.load(key_terms_now + 3 * key_size + row_keys, live[:, None], 0.0), axis=1)
        shares = softmax_over_cells(scores, slot)
        update = tl.minimum(to_rows(mention * referring, slot, texts) * shares, 2 * salience)
        amount = clamp_unit(to_rows(mention, slot, texts) - sum_over_cells(update, slot))
        if noise is None:
            odds = least_used(prefer, salience, slot, cell)
        else:
            drawn = tl.load(noise + token * num_cells + place, live, 0.0)
            odds = softmax_over_cells((1 - salience) / tau + drawn, slot)
            tl.store(odds_out + saved_at * (2 * rows) + row, shares)
            tl.store(odds_out + saved_at * (2 * rows) + rows + row, odds)
        overwrite = amount * odds
        keep = clamp_unit(1 - overwrite - update)
        touched = update + overwrite
        entity = sum_over_cells(touched, slot)
        salience = touched + keep * salience * (entity * decay_entity + (1 - entity) * decay_other)
        tl.store(update_out + token * num_cells + place, update, live)
        tl.store(overwrite_out + token * num_cells + place, overwrite, live)
        tl.store(salience_out + token * num_cells + place, salience, live)

        # The keys, what is read of the values, and val~'s part of GRUCell_v.
        keys_next = keys + (after * programs + program) * (rows * key_size)
        write_keys(
            before, key_terms_now, keys_next, key_cells, key_cells_bias, update, overwrite, keep, text, live, key_size,
            precision,
        )  # fmt: skip
        filling = to_texts(salience, slot, texts)
        tl.store(decided_now + 3, filling, own_live)
        read_now = read + slot_at * width
        read_memory(
            salience, tl.minimum(reading, filling), values, hidden_now, read_now, mixed_now, slot, place, live,
            own_text, own_live, dtype, size, width, strip, precision,
        )  # fmt: skip
        project_value(
            new_values_now, projection_now, value_inputs, own_text, own_live, width, wide, step, ahead, precision
        )
        tl.debug_barrier()

        # h_t.
        hidden_gates_now = hidden_gates
        if hidden_gates is not None:
            hidden_gates_now = hidden_gates + token * (3 * width)
        hidden_next = hidden + after * batch * width
        next_hidden(
            projected_now, mixed_now, hidden_next, hidden_gates_now, hidden_weight, own_text, own_live, size, width,
            block, step, ahead, precision,
        )  # fmt: skip

        # The values.
        value_gates_now = value_gates
        if value_gates is not None:
            value_gates_now = value_gates + saved_at * (3 * rows * width)
        rows_next = value_rows + (after * programs + program) * (rows * width)
        write_values(
            values, rows_now, rows_next, new_values_now, projection_now, value_gates_now, value_cells, update,
            overwrite, keep, text, place, live, size, width, block, step, precision,
        )  # fmt: skip
        tl.debug_barrier()

    # Its rows take part in the weights' gradients all the same, as zeros.
    for t in range(end, tokens):
        now = ((model * states + t % states) * programs + program) * rows
        zero_rows(keys + now * key_size, row, key_size, key_size)
        zero_rows(value_rows + now * width, row, width, block)
