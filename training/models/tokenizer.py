"""A byte-pair tokenizer that knows tool calls: a call costs about ten tokens, so that a small model samples valid ones.

The parts of calls are tokens of their own, whatever the corpus holds; digits stand alone, so that figures are read by
place; the rest is learnt. Every byte has a token: nothing is unknown.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from training.models.templates import CALL_END, CALL_START, TURN_END, TURN_START, teach

PAD = "<|endoftext|>"
PIECES = r" ?[A-Za-z_]+:?|[0-9]| ?[^A-Za-z0-9_\s]+|\s+"
"""Text is cut into these before pairs are merged: a word with the space before and the colon behind it, one digit, a
run of other signs, white space."""


def train_tokenizer(
    texts: Iterable[str], parts: Sequence[str], words: Sequence[str], *, size: int, context: int
) -> PreTrainedTokenizerFast:
    """Return a tokenizer of at most `size` tokens with our chat template, without its system turn.

    The same texts give the same tokenizer.

    `parts` are tokens wherever they stand, `words` where they stand alone. Raises ValueError where `size` leaves no
    room for them and the 256 bytes.
    """
    marks = [AddedToken(mark, special=True, normalized=False) for mark in (PAD, TURN_START, TURN_END)]
    whole = [AddedToken(part, special=False, normalized=False) for part in (CALL_START, CALL_END, *parts)]
    whole += [AddedToken(word, special=False, normalized=False, single_word=True) for word in words]
    learnt = size - len(marks) - len(whole)
    if learnt < 256:
        raise ValueError(f"{len(whole)} parts of calls and 256 bytes do not fit into {size} tokens: allow more tokens")
    raw: Any = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    raw.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=learnt,
        min_frequency=2,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    raw.train_from_iterator(texts, trainer)
    raw.add_special_tokens(marks)
    raw.add_tokens(whole)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        eos_token=TURN_END,
        pad_token=PAD,
        model_max_length=context,
        clean_up_tokenization_spaces=False,
    )
    teach(tokenizer, told=False)
    return tokenizer
