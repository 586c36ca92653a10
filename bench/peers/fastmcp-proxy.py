# FastMCP's proxy over one connected client: by itself it would open a session, and with HTTP a whole client, for each call.
# Arguments: JSON of { name: { url } | { command, args } }. Writes its port as the first line.
import asyncio
import json
import os
import socket
import sys

os.environ["FASTMCP_LOG_LEVEL"] = "ERROR"

from fastmcp import Client  # noqa: E402
from fastmcp.server import create_proxy  # noqa: E402


async def main() -> None:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    async with Client({"mcpServers": json.loads(sys.argv[1])}) as client:
        proxy = create_proxy(client, name="fastmcp-proxy")
        print(listener.getsockname()[1], flush=True)
        # Plain JSON answers: an event stream per call would cost it still more.
        await proxy.run_http_async(show_banner=False, log_level="error", json_response=True, sockets=[listener])


asyncio.run(main())
