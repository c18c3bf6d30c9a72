"""A verb's signature as a command: every parameter with a help text can be typed.

A file of verbs/ has a function of its own name, or one called `command`, that returns a `Report`. Its annotations are
`Annotated[type, "help", reader]`, where a ``reader``, if there is one, makes a value from (text, flag); an `Option` or
an `Argument` stands for the help where there is more to say, such as a flag of another name or a least value.
``**options: Unpack[SomeTypedDict]`` stands for all of that dict's fields; a command that is a `Choice` of functions has
the options of all of them. ``progress`` gets the bar; ``announce`` prints a report before the work is done. Next to it,
`EXAMPLES` has commands, without their first word, and `HELPS` help texts that differ from those of shared options.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from copy import copy
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Union, get_args, get_origin, get_type_hints

from separation.files import InputError, json_text
from separation.verbs import GROUPS
from separation.verbs.command_line import standard_output
from separation.verbs.options import Choice, Json, Option, Quiet, flags
from separation.verbs.progress import progress_bar

if TYPE_CHECKING:
    import typer
    from rich.console import Console

    from separation.verbs.report import Report

ROOM = "separation.verbs"
PLAIN_DIGITS = 19
VERBS = {verb: summary for verbs in GROUPS.values() for verb, summary in verbs.items()}


def application(loaded: Collection[str]) -> typer.Typer:
    """The command line with these verbs and their options; if there are none, all verbs by their sentences alone."""
    import typer

    def root(
        context: Any,
        version: Any = typer.Option(False, "--version", is_eager=True, help="Show the version and exit."),  # noqa: ARG001, B008 - answered before typer is loaded
    ) -> None:
        if context.invoked_subcommand is None:
            print(context.get_help())

    root.__annotations__ = {"context": typer.Context, "version": bool}
    app = typer.Typer(
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        help="Proves what attention layers can and cannot do, for all inputs at once. Start with: separation verify",
    )
    app.callback(invoke_without_command=True)(root)
    for group, verbs in GROUPS.items():
        for name, summary in verbs.items():
            if name in loaded:
                examples = (f"Example: separation {each}" for each in import_module(f"{ROOM}.{name}").EXAMPLES)
                text = "\n\n".join((summary, *examples))
                app.command(name, help=text, rich_help_panel=group)(command_of(name).for_typer())
            elif not loaded:
                app.command(name, help=summary, rich_help_panel=group)(lambda: None)
    return app


def command_of(name: str, alone: bool = False) -> Command:
    """The verb of a file: its function `command`, or the one of its own name; ``alone``: without what a choice adds."""
    module = import_module(f"{ROOM}.{name}")
    verb = getattr(module, "command", None) or getattr(module, name)
    if alone:
        return Command(verb.usual if isinstance(verb, Choice) else verb, {})
    return Command(verb, getattr(module, "HELPS", {}))


class Command:
    """A verb with the parameters that can be typed, arguments first, then shared options, then its own."""

    def __init__(self, verb: Callable[..., Report] | Choice, helps: dict[str, str]) -> None:
        choice = verb if isinstance(verb, Choice) else Choice(verb)
        self.usual, self.others = choice.usual, {name: _loaded(each) for name, (_, each) in choice.others.items()}
        self.hints = {function: _parameter_hints(function) for function in (self.usual, *self.others.values())}
        self.takes: dict[Callable[..., Report], set[str]] = {}
        own: dict[str, _Typed | None] = {}
        shared: dict[str, _Typed | None] = {}
        for function, hints in self.hints.items():
            self.takes[function] = set()
            for name, parameter in inspect.signature(function).parameters.items():
                fields, default, place = {name: hints[name]}, parameter.default, own
                if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                    (gathered,) = get_args(hints[name])
                    fields, default, place = get_type_hints(gathered, include_extras=True), None, shared
                self.takes[function] |= fields.keys()
                for field, hint in fields.items():
                    if field not in own and field not in shared:
                        place[field] = _Typed.of(field, hint, default, helps)
        for name, (text, _) in choice.others.items():
            if text is not None:
                own[name] = _Typed(name, bool, Option(text, (flags([name]),)), None, False)
        self.typed = [each for each in (*own.values(), *shared.values()) if each is not None]
        if unknown := helps.keys() - {each.name for each in self.typed}:
            raise TypeError(f"{self.usual.__name__} has no option {', '.join(sorted(unknown))} to help with")
        self.typed.sort(key=lambda each: (not each.is_argument, each.name in own))
        if self.others:
            for each in self.typed:
                each.make_optional()
        self.ends = [_Typed("as_json", bool, get_args(Json)[1], None, False)]
        self.ends.append(_Typed("quiet", bool, get_args(Quiet)[1], None, False))

    def run(self, *, as_json: bool, quiet: bool, **typed: Any) -> int:
        """Read what was typed, do it, print the report; its exit status."""
        values = {each.name: each.read(typed[each.name]) for each in self.typed}
        function, given = self._chosen(values) if self.others else (self.usual, values)
        if "announce" in self.hints[function] and not (as_json or quiet):
            given["announce"] = partial(print_report, as_json=False)
        with progress_bar(quiet) as progress:
            report = function(**given, **({"progress": progress} if "progress" in self.hints[function] else {}))
        print_report(report, as_json, quiet)
        return 0 if report.ok else 1

    def _chosen(self, values: dict[str, Any]) -> tuple[Callable[..., Report], dict[str, Any]]:
        """The function that is asked, and what it is given; what it does not take is refused, not ignored."""
        given = [each for each in self.typed if values[each.name] not in (None, each.default)]
        names = {each.name for each in given}
        instead = next((name for name in self.others if name in names), None)
        function = self.usual if instead is None else self.others[instead]
        foreign = [each for each in given if each.name not in {*self.takes[function], instead}]
        if foreign and instead is not None:
            raise InputError(f"{flags([instead])} does not go with {', '.join(each.label for each in foreign)}")
        if foreign:
            needed = next(name for name, other in self.others.items() if foreign[0].name in self.takes[other])
            raise InputError(f"{foreign[0].label} needs {flags([needed])}")
        for name, parameter in inspect.signature(function).parameters.items():
            missing = next((each for each in self.typed if each.name == name and name not in names), None)
            if missing is not None and parameter.default is inspect.Parameter.empty:
                raise InputError(f"{missing.label} is missing" + f": {missing.info.help}" * missing.is_argument)
        return function, {name: values[name] for name in names & self.takes[function]}

    def for_typer(self) -> Callable[..., None]:
        from typer import Exit

        def command(**given: Any) -> NoReturn:
            raise Exit(self.run(**given))

        parameters = [each.parameter() for each in (*self.typed, *self.ends)]
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {each.name: each.annotation for each in parameters}
        return command

    def plainly_typed(self, arguments: Sequence[str]) -> dict[str, Any] | None:
        """What typer would read, in a fraction of its time; None if anything is not plain: help, a mistake, a limit.

        Of an option that is typed twice only the last value would count: that is refused, not ignored.
        """
        options = {flag: each for each in (*self.typed, *self.ends) for flag in each.info.flags}
        places = [each for each in self.typed if each.is_argument]
        given: dict[str, Any] = {}
        is_plain, words = True, iter(arguments)
        for word in iter(lambda: next(words, "--"), "--"):
            flag, equals, text = word.partition("=") if word.startswith("-") else ("", "", word)
            each = options.get(flag) if flag else places.pop(0) if places else None
            if each is None:
                is_plain = False
                continue
            is_switch, again = each.kind is bool or each.kind == bool | None, each.name in given
            if again and not is_switch:
                raise InputError(f"{flag} is given twice")
            if is_switch:
                value: Any = None if equals else True
            else:
                text = text if equals or not flag else next(words, "-")
                value = None if text.startswith("-") else each.plain(text)
            is_plain &= value is not None and not again and each.info.min is None and each.info.max is None
            given[each.name] = value
        for each in (*self.typed, *self.ends):
            is_plain &= given.setdefault(each.name, each.default) is not inspect.Parameter.empty
        return given if is_plain and "--" not in arguments else None


def _loaded(function: Callable[..., Report] | str) -> Callable[..., Report]:
    if not isinstance(function, str):
        return function
    file, _, name = function.partition(".")
    return getattr(import_module(f"{ROOM}.{file}"), name)  # type: ignore[no-any-return]


def _parameter_hints(function: Callable[..., Report]) -> dict[str, Any]:
    """The types of its parameters; that of its report need not be loaded."""
    written = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    bare = SimpleNamespace(__annotations__=written)
    return get_type_hints(bare, inspect.unwrap(function).__globals__, include_extras=True)


class _Typed:
    """One parameter of a verb that can be typed."""

    def __init__(
        self, name: str, kind: Any, info: Option, reader: Callable[[str, str], Any] | None, default: Any
    ) -> None:
        self.name, self.kind, self.info, self.reader, self.default = name, kind, info, reader, default
        self.is_argument = info.is_argument

    @classmethod
    def of(cls, name: str, hint: Any, default: Any, helps: dict[str, str]) -> _Typed | None:
        """None for a parameter that is there for Python alone."""
        marks = getattr(hint, "__metadata__", ())
        found = [Option(mark) if isinstance(mark, str) else mark for mark in marks if isinstance(mark, str | Option)]
        if not found:
            return None
        info = copy(found[0])
        info.help = helps.get(name, info.help)
        if not info.is_argument and not info.flags:
            info.flags = (flags([name]),)
        reader = next((mark for mark in marks if isinstance(mark, FunctionType)), None)
        return cls(name, _typed_kind(get_args(hint)[0], reader is not None), info, reader, default)

    def parameter(self) -> inspect.Parameter:
        annotation = Annotated[self.kind, self.info.for_typer()]  # type: ignore[name-defined]
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=annotation)

    def plain(self, text: str) -> Any:
        """The value of a word that cannot be misread; None for all others."""
        kinds = [kind for kind in (Path, int, str) if self.kind in (kind, kind | None)]
        if kinds == [int] and not (text.isascii() and text.isdigit() and len(text) < PLAIN_DIGITS):
            return None
        return kinds[0](text) if kinds and text else None

    @property
    def label(self) -> str:
        """As it is spoken of: its flag, or what stands for it in the help."""
        return (self.info.metavar or self.name.upper()) if self.is_argument else flags([self.name])

    def make_optional(self) -> None:
        """For a command that asks one of several functions, of which some do without it."""
        if self.default is inspect.Parameter.empty:
            self.default = None
            self.kind = self.kind if type(None) in get_args(self.kind) else self.kind | None

    def read(self, value: Any) -> Any:
        return self.reader(value, flags([self.name])) if self.reader and isinstance(value, str) else value


def _typed_kind(hint: Any, is_read: bool) -> Any:
    """What typer is to make of a hint that may allow more in Python: `str | Construction | None` → `str | None`."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = (Path, bool, int, float, str)
    plain: Any = next((kind for kind in kinds if kind in members), None)
    if is_read:
        plain = str
    elif any(get_origin(member) is Sequence for member in members):  # several words, of which one may be given alone
        plain = list[str]
    return plain | None if type(None) in members else plain


def print_report(report: Report, as_json: bool, quiet: bool = False) -> None:
    """As JSON for a program, or as a table for a person, unless quiet."""
    with standard_output():
        if as_json:
            print(json_text(report.document(), readable=True))
        elif not quiet:
            report.show(_console())


def _console() -> Console:
    from rich.console import Console

    class Plain(Console):
        """rich would end the program with status 1 when its reader goes away."""

        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Plain(emoji=False)  # names from files may have colons
