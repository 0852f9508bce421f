"""How many cases the tests in Python try: see scale.h, which reads the same environment variable."""

import os


def scaled(full):
    """The number of cases to try if `full` is the full number: at least one."""
    return max(1, round(float(os.environ.get("HTOOLS_PROPERTY_SCALE", "0.1")) * full))
