"""Evaluates one expression per line with CPython's own numbers and prints one answer per line.

`=` and the JSON text, or `!` and the name of the exception. Walks the syntax tree, so that only
what the calculator knows is accepted and sizes are checked before a power is computed.
"""

import ast
import json
import math
import operator
import sys
import warnings

warnings.simplefilter("ignore")
MAX_BITS = 32 * 1024


class NotFinite(Exception):
    pass


class TooLong(Exception):
    pass


def power(left, right):
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        if (left.bit_length() - 1) * right >= MAX_BITS:
            raise TooLong
    return left**right


def factorial(value):
    if isinstance(value, int) and value > 4000:
        raise TooLong
    return math.factorial(value)


def rounded(value, *digits):
    if isinstance(value, int) and digits and isinstance(digits[0], int) and digits[0] < -20000:
        return 0
    return round(value, *digits)


OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: power,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS = {
    "ln": lambda value: math.log(value),
    "abs": abs,
    "round": rounded,
    "min": lambda first, *rest: min(first, *rest) if rest else first,
    "max": lambda first, *rest: max(first, *rest) if rest else first,
    "pow": lambda left, right: power(left, right),
    "factorial": factorial,
}
for name in "sqrt sin cos tan asin acos atan log log2 log10 exp floor ceil".split():
    FUNCTIONS[name] = getattr(math, name)
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}


def checked(value):
    if type(value) is float:
        if not math.isfinite(value):
            raise NotFinite
    elif type(value) is int:
        if value.bit_length() > MAX_BITS:
            raise TooLong
    else:
        raise TypeError
    return value


def value_of(node):
    match node:
        case ast.Constant(value=value):
            return checked(value)
        case ast.Name(id=name):
            return CONSTANTS[name]
        case ast.UnaryOp(op=op, operand=operand):
            return checked(OPERATORS[type(op)](value_of(operand)))
        case ast.BinOp(left=left, op=op, right=right):
            return checked(OPERATORS[type(op)](value_of(left), value_of(right)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            function = FUNCTIONS[name]
            return checked(function(*[value_of(argument) for argument in arguments]))
    raise SyntaxError


for line in sys.stdin:
    try:
        answer = "=" + json.dumps(value_of(ast.parse(line.strip(), mode="eval").body))
    except (Exception, RecursionError, MemoryError) as error:
        answer = "!" + type(error).__name__
    sys.stdout.write(answer + "\n")
sys.stdout.flush()
