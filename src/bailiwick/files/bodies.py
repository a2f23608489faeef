"""Which requests may send a whole file: they are read piece by piece."""

import re

from bailiwick.files.schemas import LARGEST
from bailiwick.kit.http.bodies import LargeBodies

# What a form needs around the file.
_AROUND = 128 * 1024
LARGE = (
    LargeBodies("POST", re.compile(r"/api/v1/files"), LARGEST + _AROUND),
    LargeBodies("PATCH", re.compile(r"/api/v1/files/uploads/[^/]+"), LARGEST),
)
