"""Running a tool. Only the gate may import this: there is no other way to an effect."""

import asyncio

from bailiwick.tools.tool import Arguments, Context, Output, Receipt, Tool

# Longer than any tool should take; what takes longer is stopped and its outcome looked up.
LONGEST_SECONDS = 120.0


async def run(tool: Tool, context: Context, arguments: Arguments) -> Output:
    """Do it."""
    async with asyncio.timeout(LONGEST_SECONDS):
        return await tool.run(context, arguments)


async def undo(tool: Tool, context: Context, arguments: Arguments, receipt: Receipt) -> Output:
    """Take it back."""
    assert tool.undo
    async with asyncio.timeout(LONGEST_SECONDS):
        return await tool.undo(context, arguments, receipt)


async def look_up(tool: Tool, context: Context, arguments: Arguments) -> Output | None:
    """Find out whether it took effect."""
    assert tool.lookup
    async with asyncio.timeout(LONGEST_SECONDS):
        return await tool.lookup(context, arguments)
