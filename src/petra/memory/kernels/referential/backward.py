"""The gradient of the Referential Reader's loop as one kernel, from the last token to the first.

The equations of ``forward`` from the last to the first, for the same rows and slots; the
longer ones are in ``backward_cells`` and ``backward_text``. Where a gate is bounded its
gradient is that of PyTorch: ``clamp`` lets it through at the bounds, ``minimum`` halves it
between equals. Of the matrices only the factors of their gradients are computed here:
``gradients`` multiplies those of all tokens.

Letters: as in ``forward``.
"""

from __future__ import annotations

import triton
import triton.language as tl

from petra.memory.kernels.referential.backward_cells import keys_backward, read_backward, values_backward
from petra.memory.kernels.referential.backward_text import (
    hidden_backward,
    mixed_backward,
    new_key_backward,
    new_value_backward,
    pre_backward,
    recurrent_backward,
)
from petra.memory.kernels.referential.tiles import clamp_unit, in_unit, share_of_least, to_rows, to_texts
from petra.memory.kernels.tiles import own_program, place_rows, place_texts, sum_by_text, sum_over_cells, zero_rows


@triton.jit(do_not_specialize=["tokens", "batch", "programs"])
def backward_kernel(
    # of the tokens, (E, T, B, ...)
    projected,  # (..., 4H)
    real,  # (T, B)
    dropout,  # (..., H + 2K)
    temperature,
    # of the models; the matrices are those of ``forward_kernel`` with rows and columns exchanged
    capacity,
    recurrent,
    readout,
    query,
    residual,
    key_inputs,
    key_cells,  # not exchanged: (E, K, 3K)
    value_inputs,
    value_cells,
    hidden_weight,
    gates,
    key_cells_bias,
    salience_before,  # (E, B, N)
    # what was decided and its gradient, (E, T, B, ...)
    mention_prob,
    update_prob,  # (..., N)
    overwrite_prob,  # (..., N)
    salience_after,  # (..., N)
    grad_mention_prob,
    grad_update_prob,
    grad_overwrite_prob,
    grad_salience_after,
    # saved by the forward pass
    hidden,
    keys,
    value_rows,
    pre,
    new_values,
    value_projection,
    key_terms,
    read,
    mixed,
    decided,
    hidden_gates,
    value_gates,
    odds_kept,
    # gradients of the state before the first token, zeros to begin with
    grad_hidden,  # (E, B, H')
    grad_keys,  # (E, B, N, K)
    grad_values,  # (E, B, N, H)
    grad_read,  # (E, B, H'), the gradient of z_t, passed from one function to the next
    grad_projected,  # (E, T, B, 4H)
    # factors of the matrices' gradients, (E, T, B, ...)
    grad_pre,  # (..., H')
    grad_readout,  # (..., 2K + H')
    grad_key_terms,  # (..., 5K): of the query, the residual, and key~'s part of GRUCell_k
    grad_value_projection,  # (..., 3H')
    grad_hidden_gates,  # (..., 3H')
    grad_logits,  # (..., 3)
    # and of those that multiply cells, (E, T, P, R, ...)
    grad_key_gates,  # (..., 3K)
    grad_value_gates,  # (..., 3H')
    tokens,
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
    """The backward pass through all tokens of some texts of one model."""
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
    key_cells_bias += model * (3 * key_size) + key
    grad_hidden += model * batch * width
    grad_read += model * batch * width
    grad_keys += model * batch * num_cells * key_size
    grad_values += model * batch * num_cells * size
    tau = tl.load(temperature)
    grad_carried = tl.zeros((rows,), tl.float32)  # of salience

    # A program that no text is left for has no gradient.
    end = tl.where(tl.sum(live.to(tl.int32), axis=0) > 0, tokens, 0)
    for back in range(end):
        t = tokens - 1 - back
        token = (model * tokens + t) * batch  # of the first text; 64 bits, as all that may grow large
        state = model * (tokens + 1) + t
        saved_at = (model * tokens + t) * programs + program
        projected_now = projected + token * (4 * size)
        grad_projected_now = grad_projected + token * (4 * size)
        dropout_now = dropout + token * (size + 2 * key_size)
        hidden_now = hidden + state * batch * width
        rows_now = value_rows + (state * programs + program) * (rows * width)
        new_values_now = new_values + token * width
        projection_now = value_projection + token * (3 * width)
        key_terms_now = key_terms + token * (8 * key_size)
        grad_readout_now = grad_readout + token * outputs
        grad_projection_now = grad_value_projection + token * (3 * width)
        grad_hidden_gates_now = grad_hidden_gates + token * (3 * width)
        grad_value_gates_now = grad_value_gates + saved_at * (3 * rows * width)
        grad_pre_now = grad_pre + token * width
        decided_now = decided + (token + own_text) * 4
        update = tl.load(update_prob + token * num_cells + place, live, 0.0)
        overwrite = tl.load(overwrite_prob + token * num_cells + place, live, 0.0)
        kept_amount = 1 - overwrite - update
        keep = clamp_unit(kept_amount)
        grad_update = tl.load(grad_update_prob + token * num_cells + place, live, 0.0)
        grad_overwrite = tl.load(grad_overwrite_prob + token * num_cells + place, live, 0.0)

        # What was written to the values, and GRUCell_v.
        value_gates_now = value_gates + saved_at * (3 * rows * width)
        grad_update, grad_overwrite, grad_keep = values_backward(
            grad_update, grad_overwrite, update, overwrite, keep, grad_values, rows_now, new_values_now,
            value_gates_now, projection_now, grad_value_gates_now, grad_projection_now, grad_readout_now, slot, text,
            place, live, own_text, own_live, size, key_size, width, strip, precision,
        )  # fmt: skip

        # The GRU of h_t.
        hidden_gates_now = hidden_gates + token * (3 * width)
        mixed_now = mixed + token * width
        hidden_backward(
            grad_hidden, projected_now, mixed_now, hidden_gates_now, grad_projected_now, grad_hidden_gates_now,
            own_text, own_live, size, width, block,
        )  # fmt: skip
        tl.debug_barrier()

        # The mix of h_{t-1} and z_t, and val~.
        reading = tl.load(decided_now + 2, own_live, 0.0)
        filling = tl.load(decided_now + 3, own_live, 0.0)
        read_now = read + token * width
        grad_gate = mixed_backward(
            tl.minimum(reading, filling), grad_hidden, grad_hidden_gates_now, hidden_weight, hidden_now, read_now,
            grad_read, own_text, own_live, size, width, wide, step, ahead, precision,
        )  # fmt: skip
        new_value_backward(
            new_values_now, grad_projection_now, grad_readout_now, value_inputs, own_text, own_live, size, key_size,
            width, wide, step, ahead, precision,
        )  # fmt: skip
        tl.debug_barrier()

        # The values before, which z_t is a sum of.
        salience = tl.load(salience_after + token * num_cells + place, live, 0.0)
        grad_salience = grad_carried + tl.load(grad_salience_after + token * num_cells + place, live, 0.0)
        grad_salience = read_backward(
            salience, grad_salience, grad_values, grad_read, grad_value_gates_now, rows_now, value_cells, text, place,
            live, size, width, block, step, precision,
        )  # fmt: skip
        share = share_of_least(reading, filling)
        grad_reading = grad_gate * share
        grad_salience += to_rows(grad_gate * (1 - share), slot, texts)

        # What was written to the keys, and GRUCell_k.
        keys_now = keys + (state * programs + program) * (rows * key_size)
        before = tl.load(keys_now + row[:, None] * key_size + key[None, :])  # (R, K)
        grad_key_terms_now = grad_key_terms + token * (5 * key_size)
        grad_key_gates_now = grad_key_gates + saved_at * (3 * rows * key_size)
        grad_update, grad_overwrite, grad_keep, grad_before, grad_new_key = keys_backward(
            grad_update, grad_overwrite, grad_keep, update, overwrite, keep, before, grad_keys, key_terms_now,
            key_inputs, key_cells, key_cells_bias, grad_key_gates_now, grad_key_terms_now, slot, text, place, live,
            own_text, own_live, key_size, precision,
        )  # fmt: skip

        # Salience, and the gates of the cells. The first token's salience before is that of the beginning.
        written = tl.where(t > 0, batch, 0)  # by the token before: all texts or none
        was = tl.load(salience_after + (token - batch) * num_cells + place, live & (text < written), 0.0)
        was += tl.load(salience_before + model * batch * num_cells + place, live & (text >= written), 0.0)
        touched = update + overwrite
        entity = sum_over_cells(touched, slot)
        decay = entity * decay_entity + (1 - entity) * decay_other
        grad_decay = sum_over_cells(grad_salience * keep * was, slot)
        grad_keep = tl.where(in_unit(kept_amount), grad_keep + grad_salience * was * decay, 0.0)
        grad_touched = grad_salience + grad_decay * (decay_entity - decay_other) - grad_keep
        grad_overwrite += grad_touched
        grad_update += grad_touched
        shares = tl.load(odds_kept + saved_at * (2 * rows) + row)
        odds = tl.load(odds_kept + saved_at * (2 * rows) + rows + row)
        grad_amount = sum_over_cells(grad_overwrite * odds, slot)
        grad_carried = grad_salience * keep * decay - overwrite * (grad_overwrite - grad_amount) / tau
        mention = tl.load(mention_prob + token + own_text, own_live, 0.0)
        referring = tl.load(decided_now + 1, own_live, 0.0)
        amount = to_rows(mention, slot, texts) - sum_over_cells(update, slot)
        grad_amount = tl.where(in_unit(amount), grad_amount, 0.0)
        grad_update -= grad_amount
        match = to_rows(mention * referring, slot, texts) * shares
        row_share = share_of_least(match, 2 * was)
        grad_match = grad_update * row_share
        grad_carried += 2 * grad_update * (1 - row_share)
        grad_referential = sum_over_cells(grad_match * shares, slot)
        grad_scores = match * (grad_match - grad_referential)

        # The query and key~.
        wanted = tl.load(key_terms_now + 3 * key_size + row_keys, live[:, None], 0.0)
        of_cell_key = grad_keys + place[:, None] * key_size + key[None, :]
        tl.store(of_cell_key, grad_before + grad_scores[:, None] * wanted, live[:, None])
        grad_query = sum_by_text(grad_scores[:, None] * before, slot, texts, dtype, precision)
        new_key_backward(
            grad_query, grad_new_key, key_terms_now, dropout_now, query, residual, grad_key_terms_now, grad_readout_now,
            own_text, own_live, size, key_size, width, precision,
        )  # fmt: skip

        # The gates that depend on p_t alone; what is known of a text is that of its first cell.
        first_cell = cell == 0
        grad_referential_text = to_texts(tl.where(first_cell, grad_referential, 0.0), slot, texts)
        grad_mention = to_texts(tl.where(first_cell, grad_amount, 0.0), slot, texts)
        grad_mention += tl.load(grad_mention_prob + token + own_text, own_live, 0.0) + grad_referential_text * referring
        open_gate = tl.load(decided_now, own_live, 0.0)
        mention_logit = grad_mention * tl.load(real + t * batch + own_text, own_live, 0.0) * open_gate * (1 - open_gate)
        referring_logit = grad_referential_text * mention * referring * (1 - referring)
        reading_logit = grad_reading * reading * (1 - reading)
        logits_now = grad_logits + (token + own_text) * 3
        tl.store(logits_now, mention_logit, own_live)
        tl.store(logits_now + 1, referring_logit, own_live)
        tl.store(logits_now + 2, reading_logit, own_live)
        tl.debug_barrier()

        # p_t, and the state before.
        pre_now = pre + token * width
        pre_backward(
            mention_logit, referring_logit, reading_logit, gates, pre_now, dropout_now, grad_readout_now, readout,
            grad_pre_now, grad_projected_now, own_text, own_live, size, key_size, width, wide, step, ahead,
            precision,
        )  # fmt: skip
        tl.debug_barrier()
        recurrent_backward(
            grad_pre_now, grad_hidden, recurrent, own_text, own_live, width, wide, step, ahead, precision
        )
        tl.debug_barrier()

    for t in range(end, tokens):
        saved_at = (model * tokens + t) * programs + program
        zero_rows(grad_key_gates + saved_at * (3 * rows * key_size), row, 3 * key_size, key_size)
        zero_rows(grad_value_gates + saved_at * (3 * rows * width), row, 3 * width, block)
