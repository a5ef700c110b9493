"""The rules of the house, each a function from parsed sources to the places that break it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LOWER = frozenset({"errors"})
MODEL = LOWER | {"model"}
ALGEBRA = MODEL | {"algebra"}
PLANES = ALGEBRA | {"languages", "sharing", "history", "compiler"}
RUNTIME = PLANES | {"runtime", "rendering"}
REPORTS = frozenset({"plans", "explanation", "costs", "savings", "overview", "questions"})
DOOR = RUNTIME | REPORTS | {"mill", ""}

MAY_IMPORT: dict[str, frozenset[str]] = {
    "errors": frozenset(),
    "model": LOWER,
    "algebra": MODEL,
    "languages": ALGEBRA,
    "sharing": ALGEBRA,
    "history": ALGEBRA,
    "compiler": ALGEBRA,
    "rendering": LOWER,
    "runtime": PLANES | {"rendering"},
    "plans": RUNTIME,
    "explanation": RUNTIME,
    "costs": RUNTIME,
    "savings": RUNTIME,
    "overview": RUNTIME | {"plans"},
    "questions": RUNTIME,
    "mill": RUNTIME | REPORTS,
    "peer": RUNTIME,
    "coordination": RUNTIME | {"mill"},
    "": RUNTIME | {"mill"},
    "generators": MODEL,
    "scenarios": ALGEBRA | {"sharing", "generators"},
    "testing": DOOR | {"generators"},
    "shell": DOOR,
    "cli": DOOR | {"peer", "coordination", "generators", "scenarios", "service", "shell"},
    "service": DOOR | {"dashboard"},
    "dashboard": frozenset(),
    "__main__": frozenset({"cli"}),
}
"""What each part of the package may import besides itself; the empty name is the package."""

ENGINE_PARTS = frozenset({"compiler", "runtime"})
VAGUE_NAMES = frozenset({"utils.py", "helpers.py", "common.py", "misc.py"})
LONGEST_FILE = 450
LONGEST_FUNCTION = 60


@dataclass(frozen=True, slots=True)
class Module:
    """One source file of the package."""

    path: Path
    """Below the package's folder."""
    source: str

    @property
    def part(self) -> str:
        """The folder or top-level module it belongs to; empty for the package's own __init__."""
        first = self.path.parts[0]
        if len(self.path.parts) > 1:
            return first
        return "" if first == "__init__.py" else first.removesuffix(".py")

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, str(self.path))


def modules(package: Path) -> tuple[Module, ...]:
    """Every source file below a package's folder."""
    return tuple(
        Module(path.relative_to(package), path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
    )


def imported_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and full name of everything a module imports, wherever it does so."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=0):
                yield from ((node.lineno, f"{module}.{alias.name}") for alias in names)
            case ast.ImportFrom():
                yield node.lineno, "a relative import"


def upward_imports(module: Module) -> Iterator[str]:
    """The imports that go against the order of the layers."""
    if module.part not in MAY_IMPORT:
        yield f"{module.path}: '{module.part}' has no place among the layers"
        return
    allowed = MAY_IMPORT[module.part] | {module.part}
    for line, name in imported_names(module.tree):
        target = imported_part(name)
        if target is not None and target not in allowed:
            yield f"{module.path}:{line}: {module.part or 'the package'} imports {name}"


def imported_part(name: str) -> str | None:
    """The part of the package that an import reaches, or None for another package."""
    package, _, rest = name.partition(".")
    if package != "millstream":
        return None
    part = rest.partition(".")[0]
    return part if part in MAY_IMPORT else ""


def engine_imports(module: Module) -> Iterator[str]:
    """The imports of Spark outside the layers that may know it."""
    if module.part in ENGINE_PARTS:
        return
    for line, name in imported_names(module.tree):
        if name.split(".")[0] in ("pyspark", "py4j"):
            yield f"{module.path}:{line}: imports {name}"


def relative_imports(module: Module) -> Iterator[str]:
    for line, name in imported_names(module.tree):
        if name == "a relative import":
            yield f"{module.path}:{line}"


def vague_name(module: Module) -> Iterator[str]:
    if module.path.name in VAGUE_NAMES:
        yield f"{module.path}: name it after its main noun"


def long_file(module: Module) -> Iterator[str]:
    lines = module.source.count("\n")
    if lines > LONGEST_FILE:
        yield f"{module.path}: {lines} lines, at most {LONGEST_FILE}"


def long_functions(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{module.path}:{node.lineno}: {node.name} has {lines} lines"


def missing_docstring(module: Module) -> Iterator[str]:
    if module.source.strip() and ast.get_docstring(module.tree) is None:
        yield f"{module.path}: says not what it is"
