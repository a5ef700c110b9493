"""millstream savings"""

from __future__ import annotations

from millstream.cli.arguments import JsonOption, SpaceArgument
from millstream.cli.console import emit, emit_json
from millstream.cli.door import existing_space


def savings(space: SpaceArgument, as_json: JsonOption = False) -> None:
    """Tell what sharing saves in a space, against every subscription by itself."""
    with existing_space(space) as mill:
        saved = mill.savings()
    if as_json:
        emit_json(saved.to_json())
    else:
        emit(str(saved))
