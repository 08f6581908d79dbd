"""Reading replies: the asked object is found in whatever is around it, and nothing is made up."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.domain.given import SECTION, add, curation, reflection, tag
from tests.domain.strategies import json_values, odd_texts, operations, tags

from ace.domain.replies import (
    MAX_REPLY,
    REFLECTION_SCHEMA,
    Curation,
    Reflection,
    UnusableReplyError,
    curation_schema,
    read_curation,
    read_reflection,
)

# --- what fits ------------------------------------------------------------------------------------------------------


def test_a_whole_reflection() -> None:
    """Given all three keys, then they are read as they came."""
    read = read_reflection(reflection(tag(1), "odd", insight="Look.", analysis="It failed."))
    assert read == Reflection("It failed.", "Look.", (tag(1), "odd"))


def test_what_is_missing_is_empty() -> None:
    """Given one key, then the others are empty."""
    assert read_reflection('{"key_insight": "Look."}') == Reflection("", "Look.", ())
    assert read_reflection('{"bullet_tags": [1]}') == Reflection("", "", (1.0,))


def test_the_last_object_that_fits_counts() -> None:
    """Given several objects, then the last one that fits counts, also if one behind it does not fit."""
    first, second = curation(add("First.")), curation(add("Second."))
    assert read_curation(f'{first}\n{second}\n{{"operations": "none"}} {{}}') == Curation((add("Second."),))
    assert read_curation(f"{second} {first}") == Curation((add("First."),))


def test_an_object_within_an_object_is_no_answer() -> None:
    """Given the asked object inside of another complete one, then the outer one is what was replied."""
    with pytest.raises(UnusableReplyError, match="no JSON object in the reply holds a list of operations"):
        read_curation(f'{{"answer": {curation(add("Inner."))}}}')
    with pytest.raises(UnusableReplyError, match="error_analysis, key_insight or bullet_tags"):
        read_reflection(f'{{"answer": {reflection()}}}')


def test_a_broken_draft_in_front_does_not_hide_the_answer() -> None:
    """Given a draft that is not JSON and whose braces are closed, then the answer behind it counts."""
    drafts = [
        '{"operations": [ADD, ...]}',
        "{'operations': []}",
        '{"a": {"b": oops}}',
        '{"operations": [{"type": ...}, ]}',
    ]
    for draft in drafts:
        assert read_curation(f"{draft}\nor rather\n{curation(add('Good.'))}") == Curation((add("Good."),))


def test_braces_in_prose_mean_nothing() -> None:
    """Given braces that begin no object, then they are passed over, open ones too."""
    for prose in ("a set {1, 2}", "an open {", "{{name}}", "f'{x}'", "}}} {", "{\n", "{ # comment"):
        assert read_curation(f"{prose} {curation()} {prose}") == Curation(())


def test_braces_within_strings_mean_nothing() -> None:
    """Given contents with braces, quotes, fences and reasoning tags, then they are text."""
    contents = ['Print {"a": 1}', "}", '{"', "```", "<think>", "</think>", "\\", '\\"', "{" * 50]
    assert read_curation(curation(*map(add, contents))) == Curation(tuple(map(add, contents)))


def test_duplicate_keys_are_read_as_json_reads_them() -> None:
    """Given a key twice in one object, then the last one counts, as in any JSON reader."""
    assert read_curation('{"operations": [1], "operations": [2]}') == Curation((2.0,))


@pytest.mark.parametrize(
    "reply", ["{}", "[]", '"operations"', "null", "5", '{"operations"}', "{operations: []}"]
)
def test_what_holds_no_asked_object(reply: str) -> None:
    """Given JSON or nearly JSON of another shape, then it is not the asked one."""
    with pytest.raises(UnusableReplyError):
        read_curation(reply)


def test_the_longest_reply() -> None:
    """Given a reply of exactly the limit, then it is read; one character more is too long."""
    reply = curation(add("x"))
    assert read_curation(reply + " " * (MAX_REPLY - len(reply))) == Curation((add("x"),))
    with pytest.raises(UnusableReplyError, match="longer than 1,000,000 characters"):
        read_curation(reply + " " * (MAX_REPLY - len(reply) + 1))


def test_an_error_quotes_nothing_of_the_reply() -> None:
    """Given any unusable reply, then its error is one of a few sentences of our own."""
    replies = ["SECRET", '{"SECRET": 1}', '{"SECRET', '{"operations": "SECRET"}', "<think>SECRET"]
    for reply in replies:
        with pytest.raises(UnusableReplyError) as raised:
            read_curation(reply)
        assert "SECRET" not in str(raised.value)


@pytest.mark.parametrize(
    ("schema", "example_reply"),
    [(REFLECTION_SCHEMA, reflection(tag(1))), (curation_schema([SECTION]), curation(add("x")))],
)
def test_a_schema_names_the_keys_of_its_reply(schema: dict[str, Any], example_reply: str) -> None:
    """Given the schema of a role, then a reply as the prompt asks for has exactly its keys."""
    reply = json.loads(example_reply)
    assert list(schema["properties"]) == schema["required"] == list(reply)
    (key,) = (key for key, value in reply.items() if isinstance(value, list))
    assert schema["properties"][key]["items"]["required"] == list(reply[key][0])


@pytest.mark.parametrize("mark", ["`", "'", '"'])
def test_a_tag_in_quote_marks_is_spoken_of(mark: str) -> None:
    """Given a tag between two equal marks, then it opens or closes nothing; a mark on one side alone is prose."""
    reply = curation(add("x"))
    for written in ("<think>", "</think>"):
        assert read_curation(f"{reply} I used no {mark}{written}{mark} here.") == Curation((add("x"),))
    assert read_curation(f'{mark}<think>{{"{mark}</think>{reply}') == Curation((add("x"),))
    assert read_curation(f'{curation()} said {mark}</think>{{"a": 1}}{reply}') == Curation((add("x"),))
    with pytest.raises(UnusableReplyError, match="no complete JSON object"):
        read_curation(f"{reply} so it was {mark}done{mark}</think> and no more")


# --- what is inside is not an answer ------------------------------------------------------------------------------------

ONE = curation(add("x"))


@pytest.mark.parametrize(
    "reply",
    [
        f"[{ONE}]",
        f"[{ONE}",
        f"[[], {ONE}]",
        f'["first", {ONE}]',
        f"[1, {ONE}",
        f"[ {{}} , {ONE} ]",
        f'{{"a":"close }} brace" oops, "inner":{ONE}, "operations":[',
        f'{{"a":"close }} brace" oops, "inner":[{ONE}], "operations":[',
        f'{{"a": [oops, {ONE}}}',
        f'{{"a": oops] {ONE}',
        f'{{"a": {{"b": oops}} {ONE}',
        f'{{"a": oops <think>x</think> {ONE}',
        f'{{"a": "cut {ONE}',
        f'{{"operations": [{{"type": "ADD"}}, {ONE[:-2]}',
        f'["a" {ONE}',
        f'["a": {ONE}',
        f"[1.5e3, {ONE}",
        f"[[1], {ONE}",
        f"[[], {ONE}",
        f"[[[[ {ONE}",
        f"[oops, {ONE}]",
        f"[oops, [1] {ONE} and more] [x]",
        f"[1, 2) is half-open {ONE}]",
        f"{{answer: {ONE}}}",
        f"{{answer: {ONE}",
        f"{{'answer' : {ONE}}}",
        f"[{{answer: 1}}, {ONE}",
        f'{{// a comment\n"answer": {ONE}}}',
        f'{{"a": oops <think> }} </think> "inner": {ONE}}}',
        f'{{"a": "the </think> tag" oops, "inner": {ONE}}}',
        f"<think>a<think>b</think>{ONE}",
        f"<think>a</reasoning>{ONE}",
        f"<think>it must not say `</think>` {ONE}",
        f'{{"operations": [{{"content": "{"</think>" + chr(92) + "n{"}"}}, {ONE}',
    ],
)
def test_what_is_inside_of_something_is_no_answer(reply: str) -> None:
    """Given the asked object within an array, whole or cut, something broken or unfinished reasoning, then it is not the answer."""
    with pytest.raises(UnusableReplyError):
        read_curation(reply)


@pytest.mark.parametrize(
    "before",
    [
        '{"a":"open {{ brace" oops} ',
        '{"a": [1, oops} ',
        '{"a": "\\" }" oops} ',
        "[1] [2, 3] [ace-00012] [x](y) [ ] - [x] [] ",
        '["a", "b"] [true] [-1.5, null] ',
        '[{"a": oops}] ',
        '[{"operations": []}] ',
        "<think>a<think>b</think>{draft}</think>",
        f"<think>a<think>b</think>{curation()}</think>",
        f"{curation()} and more of the draft</think>",
        '{"draft": oops, </think>',
        '{"draft": "never closed, and yet</think>" x</think>',
        '<reasoning>{"</reasoning>',
        "<think>a<reasoning>b</think>",
        "<think>a</reasoning>b</think>",
        "<think>a `<think>` tag</think>",
        '{"draft": [{"content": "Ended by the server\n</think>\n\n',
        '{"draft": [{"content": "Ended by the server\n</think>\r\n```json\n',
        "x is in [0, 1) ",
        "range(n) is [0, n), and [0, len(x)) too ",
        "Use [[ instead of [ in bash, and [[:space:]] ",
        "The class [{(] and the glob [[] ",
        '{a: 1} {"b": oops} {x:.2f} {\'c\': "}"} ',
        "{a: 1}" * 2_000,
        "[[wiki]] [1, p. 5] [see [below]] [a] b] c] ",
    ],
)
def test_what_is_closed_again_hides_nothing(before: str) -> None:
    """Given broken objects that are closed, arrays, prose with brackets, or reasoning in front, then the answer counts."""
    assert read_curation(before + ONE) == Curation((add("x"),))


def test_null_is_a_missing_key() -> None:
    """Given null for a key, then the other keys count; null operations are none, and nulls alone are not a reflection."""
    read = read_reflection('{"error_analysis": null, "key_insight": "Look.", "bullet_tags": null}')
    assert read == Reflection("", "Look.", ())
    assert read_curation('{"operations": null}') == Curation(())
    with pytest.raises(UnusableReplyError):
        read_reflection('{"error_analysis": null, "bullet_tags": null}')
    with pytest.raises(UnusableReplyError):
        read_curation('{"operation": null}')


_WRAPPERS = [
    *[("[", "]"), ("[1, ", "]"), ("[oops, ", "]"), ("[x: ", ", 1]"), ('["x", ', ""), ("[null, ", "")],
    *[('{"a": ', "}"), ('{"a" oops ', "}"), ("{a: ", "}"), ("{'a': ", "}"), ('{"a": ', ""), ("{a: ", "")],
    *[('{"}": oops, "]": [', "]}"), ('{"a": "<think>" oops, "b": ', "}"), ("<think>a<think>b</think>", "")],
]
_ODD_PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        '\\"',
        "'",
        "\n",
        "</think>\n{",
        "<think>",
        "</think>",
        "`",
        "x",
        ": ",
        ONE,
    ]
)
_odd_values = st.lists(_ODD_PIECES, max_size=8).map("".join)


@given(st.lists(operations, max_size=3), st.lists(st.sampled_from(_WRAPPERS), min_size=1, max_size=5))
def test_an_answer_is_not_found_at_any_depth(items: list[Any], wrappers: list[tuple[str, str]]) -> None:
    """Given the asked object wrapped in arrays, objects, broken things and unfinished reasoning at any depth, cut or not,
    then it is not read.
    """
    reply = json.dumps({"operations": items})
    for opened, closed in wrappers:
        reply = opened + reply + closed
    with pytest.raises(UnusableReplyError):
        read_curation(reply)


@given(_odd_values, _odd_values, st.booleans())
def test_what_stands_in_strings_does_not_matter(
    text: str,
    key: str,
    closed: bool,  # noqa: FBT001
) -> None:
    """Given any strings in a broken object, then an object behind its end is the answer, and one in it is none."""
    broken = f"{{{json.dumps(key)}: {json.dumps(text)} oops"
    if closed:
        assert read_curation(f"{broken}}} {ONE}") == Curation((add("x"),))
        assert read_curation(ONE.replace('"x"', json.dumps(text))) == Curation((add(text),))
    with pytest.raises(UnusableReplyError):
        read_curation(f"{broken}, {ONE}" + "}" * closed)


@given(st.lists(_odd_values, min_size=1, max_size=4), st.data())
def test_no_part_of_a_cut_answer_is_read(texts: list[str], data: st.DataObject) -> None:
    """Given an answer with odd strings and objects like itself in it, when it is cut, then nothing of it is read."""
    items = [{**add(text), text: {"operations": [add(text)]}} for text in texts]
    asked = json.dumps({"operations": items})
    with pytest.raises(UnusableReplyError):
        read_curation(asked[: data.draw(st.integers(0, len(asked) - 1))])


@given(
    st.text(st.characters(exclude_characters="{}[]<>"), max_size=40),
    st.text(st.characters(exclude_characters="{}[]<>"), max_size=40),
    st.lists(operations, max_size=3),
)
def test_prose_without_brackets_means_nothing(before: str, behind: str, items: list[Any]) -> None:
    """Given any prose without brackets around the asked object, quote marks included, then exactly the object is read."""
    read = read_curation(before + json.dumps({"operations": items}) + behind)
    assert repr(read) == repr(Curation(tuple(_floats(items))))


_REASONING: st.SearchStrategy[str] = st.recursive(
    st.sampled_from(
        [
            "hm ",
            "{draft}",
            ONE,
            '{"a": oops',
            "[1, ",
            "[x",
            ONE[:-9],
            '{"',
            "</thought>",
            "the `<think>` tag ",
        ]
    ),
    lambda inner: st.tuples(
        st.sampled_from(["think", "THINK", "thinking", "reasoning"]), st.lists(inner, max_size=4).map("".join)
    ).map(lambda part: f"<{part[0]}>{part[1]}</{part[0]}>"),
)


@given(st.lists(_REASONING, max_size=4).map("".join), st.sampled_from(["think", "Reasoning"]))
def test_reasoning_of_any_depth_holds_no_answer(inside: str, name: str) -> None:
    """Given reasoning with drafts and more reasoning in it, when its end is there, then the object behind it is the answer;
    when it is not, then nothing is.
    """
    assert read_curation(f"<{name}>{inside}</{name}>{ONE}") == Curation((add("x"),))
    with pytest.raises(UnusableReplyError):
        read_curation(f"<{name}>{inside}{ONE}")


@given(
    st.lists(st.sampled_from(["hm ", "{draft}", curation(), '{"a": oops', "[1, ", "[x ", "{a: "])).map(
        "".join
    )
)
def test_reasoning_that_a_template_opened_holds_no_answer(inside: str) -> None:
    """Given a closing tag alone, then the drafts before it, whole, broken or cut, are none and hide nothing."""
    assert read_curation(f"{inside}</think>{ONE}") == Curation((add("x"),))
    with pytest.raises(UnusableReplyError):
        read_curation(f"{inside}</think>")


@pytest.mark.parametrize("end", ["", "\\", '\\"', '"', '"}', "\n", "</think>"])
def test_a_cut_string_of_escapes_ends_the_reading(end: str) -> None:
    """Given a reply of 1 MB that is cut within a string of escaped quotes, also right behind a backslash, then it is
    unusable. (Read again from each quote on, it would take hours; `benchmarks/` measures it.)
    """
    reply = '{"operations": [{"content": "' + '\\"' * 499_000 + end
    with pytest.raises(UnusableReplyError):
        read_curation(reply)


# --- properties -----------------------------------------------------------------------------------------------------


def _floats(value: Any) -> Any:
    """The value as the reader sees it: each number a float, since none is asked for."""
    return json.loads(json.dumps(value), parse_int=float)


@st.composite
def _surroundings(draw: st.DrawFn) -> tuple[str, str]:
    """What may come before and behind the asked object: prose, fences, finished reasoning, other objects."""
    prose = st.text(st.characters(exclude_characters="{}<["), max_size=20)
    other = st.sampled_from(
        [
            *("{}", '{"a": [1, {"b": 2}]}', "{x}", '{"a": oops}', "[1]", '{"bullet_tags": 1}', "}", "]"),
            *("[ace-00001]", "[see](x)", "- [ ] ", '["a"]', '[{"operations": [1]}]', '{"a": "}" oops}'),
        ]
    )
    inside = st.sampled_from(
        ["", "hm", '{"operations": []}', '{"operations": [', '{"key_insight": "draft"}', '{"']
    )
    name = draw(st.sampled_from(["think", "THINKING", "reasoning"]))
    reasoning = inside.map(lambda text: f"<{name}>{text}</{name}>")
    piece = st.one_of(prose, other, reasoning)
    before, behind = ("".join(draw(st.lists(piece, max_size=4))) for _ in range(2))
    mark = draw(st.sampled_from(["```", "~~~"]))
    fences = [
        ("", ""),
        (f"\n{mark}json\n", f"\n{mark}\n"),
        (f"\n{mark}\n", f"\n{mark}\n"),
        (f"{mark}json ", ""),
    ]
    opened, closed = draw(st.sampled_from(fences))
    return before + opened, closed + behind


@given(_surroundings(), st.lists(operations, max_size=4), st.sampled_from([None, 1, 4]), st.booleans())
@example(around=('{"a": oops}', ""), items=[add("x")], indent=None, ascii_only=True)
@example(around=('"<think>{"</think>', ""), items=[], indent=None, ascii_only=True)
def test_a_curation_is_found_in_any_surroundings(
    around: tuple[str, str],
    items: list[Any],
    indent: int | None,
    ascii_only: bool,  # noqa: FBT001
) -> None:
    """Given the asked object anywhere in prose, fences, reasoning and other objects, then exactly it is read."""
    before, behind = around
    asked = json.dumps({"operations": items}, indent=indent, ensure_ascii=ascii_only)
    assert repr(read_curation(before + asked + behind)) == repr(Curation(tuple(_floats(items))))


@given(_surroundings(), st.lists(tags, max_size=4), odd_texts, odd_texts)
def test_a_reflection_is_found_in_any_surroundings(
    around: tuple[str, str], items: list[Any], analysis: str, insight: str
) -> None:
    """Given the asked object anywhere in prose, fences, reasoning and other objects, then exactly it is read."""
    before, behind = around
    asked = json.dumps({"error_analysis": analysis, "key_insight": insight, "bullet_tags": items})
    read = read_reflection(before + asked + behind)
    assert repr(read) == repr(Reflection(analysis, insight, tuple(_floats(items))))


@given(st.lists(operations, min_size=1, max_size=4), st.data(), odd_texts)
def test_a_cut_object_is_never_salvaged(items: list[Any], data: st.DataObject, before: str) -> None:
    """Given the asked object cut at any place, then nothing of it is read, whatever came before."""
    asked = json.dumps({"operations": items})
    cut = data.draw(st.integers(0, len(asked) - 1))
    with pytest.raises(UnusableReplyError):
        read_curation(before + asked[:cut])


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                '{"',
                "{",
                "}",
                '"',
                "[",
                "]",
                ":",
                ",",
                "<think>",
                "</think>",
                "operations",
                "1",
                "\\",
                "```",
                "\ud800",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_any_text_is_read_or_unusable(reply: str) -> None:
    """Given any text, then each reader returns what it holds or raises `UnusableReplyError`, and nothing else."""
    for read in (read_reflection, read_curation):
        try:
            read(reply)
        except UnusableReplyError as error:
            told = str(error)
            assert told


@given(
    st.dictionaries(
        st.sampled_from(["operations", "key_insight", "bullet_tags", "error_analysis", "x"]), json_values
    )
)
def test_each_key_must_have_its_type(found: dict[str, Any]) -> None:
    """Given an object with the asked keys and any values, then it is read if each key has its type, and else unusable."""
    reply = json.dumps(found)
    if "operations" in found and isinstance(found["operations"], list | None):
        assert len(read_curation(reply).operations) == len(found["operations"] or ())
    else:
        with pytest.raises(UnusableReplyError):
            read_curation(reply)
    kinds = {"key_insight": str, "error_analysis": str, "bullet_tags": list}
    given_kinds = [isinstance(found[key], kind) for key, kind in kinds.items() if found.get(key) is not None]
    if given_kinds and all(given_kinds):
        assert read_reflection(reply).key_insight == (found.get("key_insight") or "")
    else:
        with pytest.raises(UnusableReplyError):
            read_reflection(reply)


# --- replies that repeat what was asked ---------------------------------------------------------------------------------

TOLD = 'Reply: {"error_analysis": "…"}. Say what went wrong and why, in one or two sentences. Then what to do next time.'


@pytest.mark.parametrize(
    "reply",
    [
        '{"error_analysis": "…", "key_insight": "…", "bullet_tags": []}',
        '{"error_analysis": "...", "key_insight": "...", "bullet_tags": [{"id": "ace-00001", "tag": "helpful"}]}',
        '{"error_analysis": "<what went wrong>", "key_insight": "", "bullet_tags": []}',
        '{"error_analysis": "Say what went wrong and why, in one or two sentences.", "key_insight": "…"}',
        '{"key_insight": "say WHAT went wrong, and why"}',
    ],
)
def test_a_reflection_that_repeats_the_prompt_is_unusable(reply: str) -> None:
    """Given texts that are the prompt's own, then there is no answer, and no tag in it counts; one before it still does."""
    with pytest.raises(UnusableReplyError, match="only repeats the prompt"):
        read_reflection(reply, TOLD)
    own = reflection(insight="Look.")
    assert read_reflection(f"{own} {reply}", TOLD) == read_reflection(own)


def test_one_text_of_the_prompts_counts_as_missing() -> None:
    """Given one text of its own and one of the prompt's, then the first is kept; empty texts with tags are an answer."""
    reply = '{"error_analysis": "It failed.", "key_insight": "then what to do next time"}'
    assert read_reflection(reply, TOLD) == Reflection("It failed.", "", ())
    assert (
        read_reflection(reflection(tag(1), insight="key_insight", analysis="ErrorAnalysis")).key_insight == ""
    )
    assert read_reflection(reflection(tag(1), insight="", analysis=""), TOLD).tags == (tag(1),)


def test_a_curation_that_is_the_example_is_unusable() -> None:
    """Given the prompt's example as it is, then there is no answer; one real operation, or none, is one."""
    example_ = add("…", "…")
    with pytest.raises(UnusableReplyError, match="only repeats the prompt"):
        read_curation(curation(example_))
    with pytest.raises(UnusableReplyError, match="only repeats the prompt"):
        read_curation(curation(add("<the text of the lesson>", "...")))
    assert read_curation(f"{curation(add('x'))} {curation(example_)}") == Curation((add("x"),))
    assert len(read_curation(curation(example_, add("x"))).operations) == 2
    assert read_curation(curation()) == Curation(())
