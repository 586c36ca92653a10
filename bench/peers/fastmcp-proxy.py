# FastMCP's proxy as its pages recommend it. Arguments: JSON of { name: { url } | { command, args } }. Writes its port as the
# first line.
import asyncio
import json
import socket
import sys

from fastmcp.server import create_proxy

servers = json.loads(sys.argv[1])
proxy = create_proxy({"mcpServers": servers}, name="fastmcp-proxy")
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
# Plain JSON answers: an event stream per call would cost it still more.
asyncio.run(proxy.run_http_async(show_banner=False, log_level="error", json_response=True, sockets=[listener]))
