"""Prints how many tests passed, failed and were skipped, over the JUnit files in a folder."""

import sys
from pathlib import Path
from xml.etree import ElementTree

total = failed = skipped = 0
for path in sorted(Path(sys.argv[1]).glob("*.xml")):
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        counts = {name: int(suite.get(name) or 0) for name in ("tests", "failures", "errors", "skipped")}
        total += counts["tests"]
        failed += counts["failures"] + counts["errors"]
        skipped += counts["skipped"]
print(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")
