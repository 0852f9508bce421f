"""Finds what can be changed in a source: operators, constants and conditions.

The positions come from clang. A place is the part of the source that a change is about, together with the edits that
replace it by a call of a function of mutant.h.
"""

import dataclasses
import re

from clang import cindex
from clang.cindex import CursorKind as Kind

# operator -> (function of mutant.h, the operator that it becomes)
BINARY = {"<": ("less", "<="), "<=": ("less_equal", "<"), ">": ("greater", ">="), ">=": ("greater_equal", ">"),
          "+": ("plus", "-"), "-": ("minus", "+"), "*": ("times", "/"), "/": ("divided", "*"), "%": ("modulo", "*"),
          "&": ("bits_and", "|"), "|": ("bits_or", "&"), "^": ("bits_xor", "&"),
          "<<": ("left_shift", ">>"), ">>": ("right_shift", "<<")}
COMPARISONS = ("<", "<=", ">", ">=")
# Their opposite is the opposite of the result.
EQUALITIES = {"==": "!=", "!=": "=="}
LOGICAL = {"&&": "||", "||": "&&"}
ASSIGNMENTS = {"+=": ("add", "-="), "-=": ("subtract", "+="), "*=": ("multiply", "/="), "/=": ("divide", "*="),
               "|=": ("set_bits", "&="), "&=": ("keep_bits", "|=")}
STEPS = {"++": ("increment", "--"), "--": ("decrement", "++")}
EXTREMES = {"std::min": ("min", "max"), "std::max": ("max", "min")}
OPERATOR_CALL = re.compile(r"operator(==|!=|<=|>=|<|>)$")
CONSTANT = re.compile(r"k[A-Z]\w*\Z")
NUMBER = re.compile(rb"[0-9.][0-9a-zA-Z.'+-]*\Z")

# What is not entered: what the compiler computes (constexpr, too), and what only declares. The defaults of members are mostly replaced
# before anybody reads them.
CLOSED = {Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.FIELD_DECL, Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL,
          Kind.DECL_REF_EXPR, Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.NAMESPACE_REF, Kind.TEMPLATE_TYPE_PARAMETER,
          Kind.TEMPLATE_NON_TYPE_PARAMETER}
# Parts of these that stand before the name are types.
DECLARATIONS = {Kind.VAR_DECL, Kind.PARM_DECL, Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.FUNCTION_TEMPLATE}
CASTS = {Kind.CXX_STATIC_CAST_EXPR, Kind.CXX_REINTERPRET_CAST_EXPR, Kind.CXX_CONST_CAST_EXPR,
         Kind.CXX_FUNCTIONAL_CAST_EXPR, Kind.CSTYLE_CAST_EXPR}


@dataclasses.dataclass
class Place:
    """A part of a source that a mutant changes. Offsets are those of bytes."""
    start: int
    end: int
    mark: int  # where the change is for people: the operator, or the start of the constant or the condition
    change: str
    prefix: str  # with %d for the number of the mutant
    suffix: str = ")"
    replaced: tuple = ()  # (start, end, text) of parts that become something else


class Finder:
    """Collects the places of one source."""

    def __init__(self, path, flags):
        self.path = str(path)
        self.source = path.read_bytes()
        self.places = []
        self._seen = set()
        unit = cindex.Index.create().parse(self.path, args=[*flags, "-x", "c++"])
        errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            raise RuntimeError(f"clang cannot read {path}: {errors[0]}")
        for cursor in unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == self.path:
                self._visit(cursor)

    def _text(self, start, end):
        return self.source[start:end].decode()

    def _between(self, start, end):
        """What stands between two parts, without comments and spaces."""
        return re.sub(r"//[^\n]*|/\*.*?\*/|\s", "", self._text(start, end), flags=re.DOTALL)

    def _is_constant(self, cursor):
        """True for a named constant. A lambda need not capture it, unless it passes a reference to it."""
        return CONSTANT.match(self._text(*extent(cursor)))

    def _add(self, place):
        key = place.start, place.end, place.change
        if key not in self._seen:
            self._seen.add(key)
            self.places.append(place)

    def _flip(self, cursor, change, mark):
        start, end = extent(cursor)
        self._add(Place(start, end, mark, change, "mutant::flip(%d, "))

    def _visit(self, cursor):
        kind = cursor.kind
        if kind in CLOSED or kind.is_attribute() or cursor.spelling == "__unspec":
            return
        children = [c for c in cursor.get_children()]
        if kind in DECLARATIONS:
            if b"constexpr" in self.source[extent(cursor)[0]:cursor.location.offset].split():
                return
            children = [c for c in children if extent(c)[0] > cursor.location.offset]
        elif kind in CASTS:
            children = children[-1:]
        elif kind == Kind.CASE_STMT:
            children = children[1:]
        elif kind in (Kind.IF_STMT, Kind.WHILE_STMT):
            children = self._condition_in_brackets(cursor, children)
        elif kind == Kind.FOR_STMT:
            children = self._condition_of_loop(cursor, children)
        elif kind == Kind.DO_STMT:
            self._condition(children[-1])
        elif kind == Kind.CONDITIONAL_OPERATOR:
            self._condition(children[0])
        elif kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self._binary(cursor, *children)
        elif kind == Kind.UNARY_OPERATOR and len(children) == 1:
            self._unary(cursor, children[0])
        elif kind == Kind.UNEXPOSED_EXPR and len(children) == 1:
            self._rewritten(cursor, children[0])
        elif kind == Kind.CALL_EXPR:
            self._call(cursor, children)
        elif kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL, Kind.CXX_BOOL_LITERAL_EXPR):
            self._literal(cursor)
        for child in children:
            self._visit(child)

    def _condition(self, cursor):
        """A condition becomes its opposite, unless a change of its operator does the same."""
        start, end = extent(cursor)
        text = self._text(start, end)
        if not text or text in ("true", "false", "kLiteral"):  # the last is false in the program that is tested
            return
        inner = without_wrappers(cursor)
        if inner.kind == Kind.UNARY_OPERATOR:  # `!x`, or `a != b` of classes
            return
        if OPERATOR_CALL.match(inner.spelling):
            return
        if inner.kind == Kind.BINARY_OPERATOR:
            sides = [c for c in inner.get_children()]
            if len(sides) == 2 and self._between(extent(sides[0])[1], extent(sides[1])[0]) in EQUALITIES:
                return
        self._flip(cursor, "condition -> opposite", start)

    def _condition_in_brackets(self, cursor, children):
        start = extent(cursor)[0]
        head = self._text(start, extent(children[0])[0] if children else start)
        is_constant = "constexpr" in head or "consteval" in head
        for k, child in enumerate(children[:-1]):
            begin, end = extent(child)
            following = self._between(end, extent(children[k + 1])[0])
            if not following.startswith(")") or following not in (")", ")["):
                continue
            if is_constant:
                return children[k + 1:]
            before = children[k - 1] if k > 0 else None
            if before is not None and before.kind == Kind.VAR_DECL:  # a declaration is the condition
                return children[:k] + children[k + 1:]
            if child.kind not in (Kind.VAR_DECL, Kind.DECL_STMT) and begin < end:
                self._condition(child)
            break
        return children

    def _condition_of_loop(self, cursor, children):
        body = children[-1]
        rest = children[:-1]
        ends = self._semicolons(extent(cursor)[0], extent(body)[0])
        kept = []
        for child in rest:
            begin = extent(child)[0]
            if len(ends) == 2 and begin > ends[1]:  # a loop that steps the wrong way says little
                continue
            if len(ends) == 2 and ends[0] < begin < ends[1]:
                self._condition(child)
            kept.append(child)
        return kept + [body]

    def _semicolons(self, start, end):
        """The two that divide the head of a loop."""
        depth, found = 0, []
        for offset in range(start, end):
            byte = self.source[offset:offset + 1]
            depth += (byte in b"({[") - (byte in b")}]")
            if byte == b";" and depth == 1:
                found.append(offset)
        return found

    def _binary(self, cursor, left, right):
        start, end = extent(cursor)
        gap = extent(left)[1], extent(right)[0]
        if gap[0] > gap[1] or extent(left)[0] != start or extent(right)[1] != end:
            return
        sign = self._between(*gap)
        mark = gap[0] + self._text(*gap).find(sign)
        comma = (*gap, ", " + "\n" * self._text(*gap).count("\n"))
        if cursor.kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR:
            if sign in ASSIGNMENTS and is_number(left.type):
                function, other = ASSIGNMENTS[sign]
                self._add(Place(start, end, mark, f"{sign} -> {other}", f"mutant::{function}(%d, ", replaced=(comma,)))
        elif sign in COMPARISONS + tuple(EQUALITIES) and not is_truth(cursor.type):
            return  # of vectors
        elif any(without_wrappers(c).spelling.startswith("operator ") for c in (left, right)):
            return  # a class that becomes a number, such as an atomic one
        elif sign in EQUALITIES:
            self._flip(cursor, f"{sign} -> {EQUALITIES[sign]}", mark)
        elif sign in LOGICAL:
            opening = "mutant::flip(%d, "
            split = (*gap, f"){self._text(*gap)}{opening}")
            self._add(Place(start, end, mark, f"{sign} -> {LOGICAL[sign]}", opening + opening, "))", (split,)))
        elif sign in BINARY and (sign in COMPARISONS or all(is_number(c.type) for c in (left, right))):
            function, other = BINARY[sign]
            self._add(Place(start, end, mark, f"{sign} -> {other}", f"mutant::{function}(%d, ", replaced=(comma,)))

    def _unary(self, cursor, operand):
        start, end = extent(cursor)
        inner = extent(operand)
        if inner[0] > start:
            sign = self._between(start, inner[0])
            if sign == "!":
                self._flip(operand, "! -> nothing", start)
            elif sign == "-" and is_number(operand.type) and not self._is_constant(operand):
                self._add(Place(start, end, start, "- -> nothing", "mutant::negate(%d, ",
                                replaced=((start, inner[0], ""),)))
            elif sign in STEPS:
                function, other = STEPS[sign]
                self._add(Place(start, end, start, f"{sign} -> {other}", f"mutant::{function}(%d, ",
                                replaced=((start, inner[0], ""),)))
        elif inner[1] < end:
            sign = self._between(inner[1], end)
            if sign in STEPS:
                function, other = STEPS[sign]
                self._add(Place(start, end, inner[1], f"{sign} -> {other}", f"mutant::{function}_after(%d, ",
                                replaced=((inner[1], end, ""),)))

    def _rewritten(self, cursor, child):
        """`a != b` and `a < b` of classes that define == and <=> only."""
        if child.kind == Kind.UNARY_OPERATOR and self._text(*extent(child)).startswith("!="):
            self._flip(cursor, "!= -> ==", extent(child)[0])
        elif child.kind == Kind.CALL_EXPR and OPERATOR_CALL.match(child.spelling):
            first = next(iter(child.get_children()), None)
            if first is not None and first.spelling == "operator<=>" and extent(first) == extent(cursor):
                self._flip(cursor, f"{OPERATOR_CALL.match(child.spelling)[1]} -> opposite", extent(child)[1] - 1)

    def _call(self, cursor, children):
        start, end = extent(cursor)
        operation = OPERATOR_CALL.match(cursor.spelling)
        if operation:
            sign = operation[1]
            if not is_truth(cursor.type):
                return
            operands = [c for c in children if extent(c)[0] == start or extent(c)[1] == end]
            if len(operands) == 2 and self._between(extent(operands[0])[1], extent(operands[1])[0]) == sign:
                self._flip(cursor, f"{sign} -> {EQUALITIES.get(sign, 'opposite')}", extent(operands[0])[1] + 1)
            return
        name = self._text(start, start + 8)
        arguments = [c for c in cursor.get_arguments()]
        if name not in EXTREMES or len(arguments) != 2 or self.source[start + 8:start + 9] not in (b"(", b"<"):
            return
        if any(self._is_constant(argument) for argument in arguments):
            return
        bracket = extent(arguments[0])[0] - 1
        if self.source[bracket:bracket + 1] == b"(":
            function, other = EXTREMES[name]
            self._add(Place(start, end, start, f"{function} -> {other}", "", "",
                            ((start, start + 8, f"mutant::{function}"), (bracket, bracket + 1, "(%d, "))))

    def _literal(self, cursor):
        start, end = extent(cursor)
        text = self.source[start:end]
        if cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR:
            if text in (b"true", b"false"):
                other = "false" if text == b"true" else "true"
                self._add(Place(start, end, start, f"{text.decode()} -> {other}", "mutant::literal(%d, "))
        elif NUMBER.match(text):
            self._add(Place(start, end, start, f"{text.decode()} -> {text.decode()} + 1", "mutant::literal(%d, "))


def extent(cursor):
    return cursor.extent.start.offset, cursor.extent.end.offset


def without_wrappers(cursor):
    """The expression inside of implicit conversions that clang does not show."""
    while cursor.kind == Kind.UNEXPOSED_EXPR:
        children = [c for c in cursor.get_children()]
        if len(children) != 1:
            break
        cursor = children[0]
    return cursor


def is_number(kind):
    return cindex.TypeKind.BOOL.value <= kind.get_canonical().kind.value <= cindex.TypeKind.LONGDOUBLE.value


def is_truth(kind):
    """True for bool, and for types that only an instantiation knows."""
    return kind.get_canonical().kind in (cindex.TypeKind.BOOL, cindex.TypeKind.DEPENDENT)


def find(path, flags):
    """The places of a source, in their order, outer ones first."""
    return sorted(Finder(path, flags).places, key=lambda p: (p.start, -p.end))


def rewritten(source, numbered):
    """The source with all mutants in it. `numbered` are (number, place)."""
    events = {}  # offset -> [closings, openings, (end, text) of a replacement]
    for number, place in numbered:
        count = lambda text, n=number: text.replace("%d", str(n))
        events.setdefault(place.start, [[], [], None])[1].append(count(place.prefix))
        events.setdefault(place.end, [[], [], None])[0].insert(0, count(place.suffix))
        for start, end, text in place.replaced:
            events.setdefault(start, [[], [], None])[2] = end, count(text)
    result, at = [], 0
    for offset in sorted(events):
        closings, openings, replacement = events[offset]
        if offset > at:
            result.append(source[at:offset].decode())
            at = offset
        result += closings + openings
        if replacement:
            result.append(replacement[1])
            at = replacement[0]
    return "".join(result) + source[at:].decode()
