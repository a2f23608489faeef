"""The example in the documentation is a tool that works."""

import re
from pathlib import Path
from types import ModuleType

from bailiwick.tools.scope import ALL
from bailiwick.tools.tool import ToolContext
from support.tool_forms import assert_well_formed

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"


async def test_the_example_of_a_tool_runs_and_is_taken_back():
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    module = ModuleType("example")
    exec(code, module.__dict__)
    tool, board = module.PIN, module.BOARD
    assert_well_formed(tool)
    context = ToolContext("wsp-1", "usr-1", "agt-1", "Tester", ALL, "owner", "key")
    arguments = tool.arguments.checked({"text": "Milk is out"})
    done = await tool.run(context, arguments)
    assert board == {"key": "Milk is out (yellow)"}
    await tool.undo(context, arguments, done.receipt)
    assert board == {}
