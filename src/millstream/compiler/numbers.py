"""Numbers in SQL: read from text as the model reads them, printed as XQuery prints them."""

from __future__ import annotations

from millstream.compiler.names import let, string
from millstream.model.schema import ValueType

_SPACE = "[ \\t\\r\\n]*"
_DECIMAL = "[+-]?(?=\\.?[0-9])0*[0-9]{0,20}(?:\\.[0-9]{0,18}0*)?"
_DOUBLE = "[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN"
_LAST_ZEROS = "\\.?0*$"
_MILLIONS = "^(-?[0-9])([0-9]{6})\\.([0-9]+)$"
_MANTISSA_ZEROS = "(\\.[0-9]+?)0*E"


def integer_of(text: str) -> str:
    """The bigint that a text stands for, else null."""
    return f"try_cast({text} AS BIGINT)"


def exact_of(text: str) -> str:
    """The decimal(38,18) that the text of a decimal leaf stands for, else null."""
    return f"try_cast({matched(text, _DECIMAL)} AS DECIMAL(38,18))"


def decimal_of(text: str) -> str:
    """The double nearest to what the text of a decimal leaf stands for, else null."""
    return f"try_cast({matched(text, _DECIMAL)} AS DOUBLE)"


def double_of(text: str) -> str:
    """The double that a text stands for, else null."""
    # A cast alone would read '1d' and '0x1p3' as numbers.
    return f"try_cast({matched(text, _DOUBLE)} AS DOUBLE)"


def mean_of_integers(total: str, count: str) -> str:
    """The decimal(38,18) that a decimal(38,0) is on average; null for none.

    The total may be too large for a decimal(38,18), so what is whole in the mean is found alone.
    """
    number = f"nullif(CAST({count} AS DECIMAL(20,0)), 0)"
    whole = f"CAST({total} div {number} AS DECIMAL(37,18))"
    rest = f"try_divide(CAST({total} % {number} AS DECIMAL(38,18)), {number})"
    return f"({whole} + CAST({rest} AS DECIMAL(37,18)))"


def matched(text: str, pattern: str) -> str:
    """The text without spaces around it, if it has the pattern, else the empty text."""
    return f"regexp_extract({text}, {string(f'^{_SPACE}({pattern}){_SPACE}$')}, 1)"


def number_text(sql: str, type: ValueType) -> str:
    """A number as XQuery prints it; null stays null."""
    match type:
        case ValueType.INTEGER:
            return f"CAST({sql} AS STRING)"
        case ValueType.DECIMAL:
            return _plain(f"try_cast({sql} AS DECIMAL(38,18))")
        case _:
            return let("number", f"CAST({sql} AS DOUBLE)", _double_text)


def _plain(decimal: str) -> str:
    """A decimal without zeros at its end, which Spark prints with all of them."""
    return f"regexp_replace(CAST({decimal} AS STRING), {string(_LAST_ZEROS)}, '')"


def _double_text(number: str) -> str:
    size = f"abs({number})"
    # Seventeen digits from the sixth place after the point on: 24 places hold all of them.
    plain = _plain(f"CAST({number} AS DECIMAL(38,24))")
    return (
        f"CASE WHEN isnan({number}) THEN 'NaN'"
        f" WHEN {number} = double('Infinity') THEN 'INF'"
        f" WHEN {number} = double('-Infinity') THEN '-INF'"
        f" WHEN {number} = 0D THEN if(CAST({number} AS STRING) = '-0.0', '-0', '0')"
        f" WHEN {size} >= 1e-6D AND {size} < 1e6D THEN {plain}"
        f" ELSE {_scientific(number)} END"
    )


def _scientific(number: str) -> str:
    """A double as mantissa and exponent; below ten million Spark prints it plainly."""
    text = f"CAST({number} AS STRING)"
    shifted = f"regexp_replace({text}, {string(_MILLIONS)}, {string('$1.$2$3E6')})"
    return f"regexp_replace({shifted}, {string(_MANTISSA_ZEROS)}, {string('$1E')})"
