"""Connects over stdio, lists once, prints the names as JSON and leaves.

Arguments: session, client or fastmcp; then the command.
"""

import asyncio
import json
import sys


async def by_session(command, args):
    """The handshake of the earlier era, as most frameworks have it."""
    from mcp import ClientSession, StdioServerParameters, stdio_client

    async with stdio_client(StdioServerParameters(command=command, args=args)) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            return (await session.list_tools()).tools


async def by_client(command, args):
    """The newer client, which finds out the era by itself."""
    from mcp import Client, StdioServerParameters, stdio_client

    async with Client(stdio_client(StdioServerParameters(command=command, args=args))) as client:
        return (await client.list_tools()).tools


async def by_fastmcp(command, args):
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    async with Client(StdioTransport(command=command, args=args, keep_alive=False)) as client:
        return await client.list_tools()


ways = {"session": by_session, "client": by_client, "fastmcp": by_fastmcp}
way, command, *args = sys.argv[1:]
print(json.dumps([tool.name for tool in asyncio.run(ways[way](command, args))]))
