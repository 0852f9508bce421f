"""Decides whether two runs of a case agree, and describes the difference."""

import dataclasses
import difflib
import re
import shlex
from dataclasses import dataclass

import saved_states

EQUAL = "equal"
ACCEPTED = "equal but for quoting"
ON_PURPOSE = "different on purpose"
DIFFERENT = "different"
REFERENCE_CRASHED = "reference crashed"
REFERENCE_TIMED_OUT = "reference timed out"
OURS_FAILED = "ours crashed or timed out"

EXCERPT_LINES = 40

_COMMAND = re.compile(rb"^( +)(gnt-(?:instance|node) .*)$", re.MULTILINE)
# What precedes a reason for giving up. A cluster that hcheck finds unhealthy
# lets it exit with status 1, too, without any reason.
# Ours names nodes whose N+1 state a saved file does not keep, what hwhy finds
# beyond the counts of hcheck, and which of these counts is of other things.
_NOTE = re.compile(
    rb"(?m)^Note: (when this file is read, the N\+1 state of some nodes differs: |hwhy finds "
    rb'|"Instances having a secondary node offline" counts offline nodes; ).*\n'
)
# Ours warns about options and clusters that are probably mistakes. The
# reference has a warning of its own, about inconsistent data.
_WARNING = re.compile(rb"(?m)^Warning: (?!cluster has inconsistent data|No master node found).*\n")
# Ours names what is behind the counts of hcheck.
_DETAILS = re.compile(rb"(?m)^In group .*, (initially|after rebalancing): .*\n")
_REFUSAL = re.compile(rb"^(Error|Command line error|h[a-z]+: )", re.MULTILINE)
# What hail answers; nothing of it is missing.
_RESPONSE = re.compile(rb'\{"success":(true|false),"info":".*\}\n')
_SAFE_WORD = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


@dataclass
class Verdict:
    """Result of a comparison; `kind` refines it (crash kind, what differs)."""
    result: str
    kind: str = ""
    detail: str = ""

    @property
    def failed(self):
        return self.result in (DIFFERENT, OURS_FAILED)


def compare(ours, reference, survivable=None):
    """Return the verdict for the two outcomes of one command line.

    Where `survivable` is given, what the reference printed before it died
    counts, and that function decides from it whether ours may print more.
    """
    crash = reference.crash_kind()
    failure = _failure_of_ours(ours)
    if failure:
        if reference.timed_out:
            failure += " (the reference too)"
        return Verdict(OURS_FAILED, failure, failure + _tail(ours))
    if reference.timed_out:
        return Verdict(REFERENCE_TIMED_OUT)
    if crash:
        detail = _wrong_at_death(ours, reference, survivable)
        if detail is None:
            return Verdict(REFERENCE_CRASHED, crash)
        kind, text = detail
        result = DIFFERENT if ours.status in (0, 1) else OURS_FAILED
        return Verdict(result, kind,
                       f"the reference crashed ({crash}), {text}")
    verdict = _compare_results(ours, reference)
    if verdict.failed:
        # Ours quotes names in commands where a shell needs it.
        plain = _compare_results(_without_quotes(ours), reference)
        return verdict if plain.failed else Verdict(ACCEPTED)
    return verdict


def compare_exactly(ours, reference):
    """Return the verdict for two programs of ours, between which nothing may
    differ.
    """
    failure = _failure_of_ours(ours)
    if failure:
        return Verdict(OURS_FAILED, failure, failure + _tail(ours))
    if reference.timed_out:
        return Verdict(REFERENCE_TIMED_OUT)
    mine, theirs = _everything(ours), _everything(reference)
    for name in mine | theirs:
        if mine.get(name) != theirs.get(name):
            return Verdict(DIFFERENT, name, excerpt(
                name, theirs.get(name, b""), mine.get(name, b"")))
    return Verdict(EQUAL)


def _everything(outcome):
    """What a run leaves behind, by name."""
    return {"exit status": f"{outcome.status}\n".encode(),
            "stdout": outcome.stdout, "stderr": outcome.stderr} | {
                f"file {name}": data for name, data in outcome.files.items()}


def _wrong_at_death(ours, reference, survivable):
    """What ours must not do where the reference died, as kind and text."""
    if ours.status not in (0, 1) or survivable and not ours.status:
        return "status", f"ours exits with {ours.status}"
    shown = ours.stdout
    goes_on = survivable and survivable(reference.stdout)
    if goes_on:
        shown = shown[:len(reference.stdout)]
    elif ours.status and not ours.stderr and not (
            survivable and not reference.stdout):  # told to be quiet
        return "stderr", "ours fails without a message"
    if (survivable or is_response(reference)) and shown != reference.stdout:
        return "stdout", "after it had printed something else\n" + excerpt(
            "stdout", reference.stdout, shown)
    return None


def is_response(outcome):
    """True if hail has answered, however it ended."""
    return bool(_RESPONSE.fullmatch(outcome.stdout))


def same_answer(ours, reference):
    """True if both gave one answer and ended as `compare` allows.

    Where the reference dies without an answer, ours has to refuse.
    """
    if not is_response(reference):
        return ours.status == 1 and not is_response(ours) and (
            compare(ours, reference).result == REFERENCE_CRASHED)
    return ours.stdout == reference.stdout and (
        ours.status == reference.status
        or ours.status == 0 and reference.crash_kind() is not None)


def _without_quotes(outcome):
    """The outcome with the words of printed commands as they are meant."""
    return dataclasses.replace(
        outcome, stdout=_unquote(outcome.stdout),
        files={name: _unquote(data) for name, data in outcome.files.items()})


def _unquote(data):
    return _COMMAND.sub(_unquote_command, data)


def _unquote_command(match):
    try:
        words = shlex.split(match[2].decode("utf-8"))
    except (UnicodeDecodeError, ValueError):
        return match[0]
    if "--" not in words and all(_SAFE_WORD.fullmatch(word) for word in words):
        return match[0]  # there was nothing to quote
    # Behind "--", a name that begins with "-" is no option.
    return match[1] + " ".join(word for word in words if word != "--").encode("utf-8")


def _failure_of_ours(ours):
    if ours.timed_out:
        return "ours timed out"
    if ours.status < 0 or ours.status >= 126:
        return f"ours died with status {ours.status}"
    return None


def _compare_results(ours, reference):
    if ours.status != reference.status:
        return Verdict(DIFFERENT, "exit status",
                       f"exit status: reference {reference.status}, "
                       f"ours {ours.status}\n"
                       f"stderr of reference:{_tail(reference)}\n"
                       f"stderr of ours:{_tail(ours)}")
    if ours.stdout != reference.stdout:
        return Verdict(DIFFERENT, "stdout",
                       excerpt("stdout", reference.stdout, ours.stdout))
    told = ours.stderr
    for ours_alone in (_NOTE, _WARNING, _DETAILS):
        told = ours_alone.sub(b"", told)
    ours = dataclasses.replace(ours, stderr=told)
    refused = reference.status != 0 and bool(
        _REFUSAL.search(reference.stderr))
    if not refused and ours.stderr != reference.stderr:
        return Verdict(DIFFERENT, "stderr",
                       excerpt("stderr", reference.stderr, ours.stderr))
    if refused and not ours.stderr:
        return Verdict(DIFFERENT, "stderr", "ours fails without a message; "
                       f"the reference says:{_tail(reference)}")
    for name in sorted(set(ours.files) | set(reference.files)):
        mine, theirs = ours.files.get(name), reference.files.get(name)
        if mine is None or theirs is None:
            who = "ours" if mine is None else "the reference"
            return Verdict(DIFFERENT, "files", f"{who} did not write {name}")
        if mine != saved_states.as_ours(name, reference.files, mine):
            return Verdict(DIFFERENT, "files", excerpt(name, theirs, mine))
    return Verdict(EQUAL)


def excerpt(name, reference, ours):
    """The first lines of a unified diff."""
    def lines(data):
        text = data.decode("utf-8", "backslashreplace")
        return [part + ("" if part.endswith("\n") else "\n\\ no newline\n")
                for part in text.splitlines(keepends=True)]
    diff = list(difflib.unified_diff(lines(reference), lines(ours),
                                     f"reference {name}", f"ours {name}", n=2))
    shown = "".join(diff[:EXCERPT_LINES])
    if len(diff) > EXCERPT_LINES:
        shown += f"... {len(diff) - EXCERPT_LINES} more lines\n"
    return shown


def _tail(outcome):
    text = outcome.stderr.decode("utf-8", "backslashreplace").strip()
    return "".join("\n  " + line for line in text.splitlines()[:6])
