"""What can be made wrong in a module: one small change of one function at a time."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

Function = ast.FunctionDef | ast.AsyncFunctionDef

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Mutant:
    """A function with one change, compiled."""

    file: str
    function: str
    first_line: int
    line: int
    statement: int
    change: str
    code: CodeType


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module's functions; what runs at import is left as it is."""
    file = str(path)
    tree = ast.parse(path.read_text(), file)
    for name, function in _functions(tree, ""):
        first = min(node.lineno for node in (function, *function.decorator_list))
        for holder, field, place, new, statement in list(_changes(function)):
            old = _put(holder, field, place, new)
            compiled = _code(compile(ast.fix_missing_locations(tree), file, "exec"), name, first)
            _put(holder, field, place, old)
            shown = f"{_shown(old)} → {_shown(new)}"
            yield Mutant(file, name, first, old.lineno, statement, shown, compiled)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    """The outermost functions of a module and of its classes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _code(within: CodeType, name: str, first_line: int) -> CodeType:
    codes = [const for const in within.co_consts if isinstance(const, CodeType)]
    for code in codes:
        if code.co_qualname == name and code.co_firstlineno == first_line:
            return code
    return next(
        _code(code, name, first_line) for code in codes if name.startswith(f"{code.co_qualname}.")
    )


# The holder, its field, the place in a list there, what is put there, and the statement's line.
Change = tuple[ast.AST, str, int | None, ast.AST, int]


def _changes(function: Function) -> Iterator[Change]:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    for place, statement in enumerate(function.body):
        if statement in body:
            yield from _of_field(function, "body", place, statement, 0)


def _of_field(
    holder: ast.AST, field: str, place: int | None, node: ast.AST, line: int
) -> Iterator[Change]:
    line = node.lineno if isinstance(node, ast.stmt) else line
    for new in _wrong(node, holder, field):
        yield holder, field, place, ast.copy_location(new, node), line
    # Types and messages decide nothing; what an f-string says is a message too.
    skipped = {"annotation", "returns", "decorator_list", "args", "format_spec"}
    if isinstance(node, ast.Call):
        skipped = set()
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert):
        return
    for name, value in ast.iter_fields(node):
        if name in skipped:
            continue
        if isinstance(value, list):
            for at, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield from _of_field(node, name, at, child, line)
        elif isinstance(value, ast.AST):
            yield from _of_field(node, name, None, value, line)


def _wrong(node: ast.AST, holder: ast.AST, field: str) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, [op], right) if type(op) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(op)]()], right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.Constant(value):
            yield from _wrong_constants(value)
        case ast.stmt():
            yield from _wrong_statements(node)
        case _:
            pass
    is_test = field == "test" or (isinstance(holder, ast.comprehension) and field == "ifs")
    plain = not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant)
    if is_test and plain and isinstance(node, ast.expr):
        yield ast.UnaryOp(ast.Not(), node)


def _wrong_statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Return(ast.expr() as value) if not _is_nothing(value):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.AugAssign() | ast.Expr(ast.Call() | ast.Await()) | ast.Delete():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case _:
            pass


def _wrong_constants(value: object) -> Iterator[ast.AST]:
    match value:
        case bool():
            yield ast.Constant(not value)
        case int() | float():
            yield ast.Constant(value + 1)
        case str() if " " not in value:  # a word or a key; a sentence is a message
            yield ast.Constant(f"{value}x")
        case bytes():
            yield ast.Constant(value + b"x")
        case _:
            pass


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, False)


def _put(holder: ast.AST, field: str, place: int | None, new: ast.AST) -> ast.AST:
    if place is None:
        old = getattr(holder, field)
        setattr(holder, field, new)
        return old
    listed = getattr(holder, field)
    old, listed[place] = listed[place], new
    return old


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else text[:69] + "…"
