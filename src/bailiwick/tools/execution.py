"""Running a tool. Only the gate may import this: there is no other way to an effect."""

import asyncio

from bailiwick.tools.tool import Arguments, Receipt, Tool, ToolContext, ToolOutput

# Longer than any tool should take; what takes longer is stopped and its outcome looked up.
LONGEST_SECONDS = 120.0


async def run(tool: Tool, context: ToolContext, arguments: Arguments) -> ToolOutput:
    """Do it."""
    async with asyncio.timeout(LONGEST_SECONDS):
        return await tool.run(context, tool.arguments.checked(arguments))


async def undo(
    tool: Tool, context: ToolContext, arguments: Arguments, receipt: Receipt
) -> ToolOutput:
    """Take it back."""
    assert tool.undo
    async with asyncio.timeout(LONGEST_SECONDS):
        return await tool.undo(context, tool.arguments.recalled(arguments), receipt)


async def look_up(tool: Tool, context: ToolContext, arguments: Arguments) -> ToolOutput | None:
    """Find out whether it took effect."""
    assert tool.lookup
    async with asyncio.timeout(LONGEST_SECONDS):
        return await tool.lookup(context, tool.arguments.recalled(arguments))
