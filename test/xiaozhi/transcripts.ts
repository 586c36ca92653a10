/** What far sides send, frame by frame, as it was recorded (X4, X5). */

/** The cloud's broker: ids from 0, `initialized` without params, an unknown key in the params of a call. */
export const cloudTranscript = (tool: string, args: unknown): readonly unknown[] => [
  {
    id: 0,
    jsonrpc: '2.0',
    method: 'initialize',
    params: {
      protocolVersion: '2024-11-05',
      capabilities: { sampling: {}, roots: { listChanged: false } },
      clientInfo: { name: 'xz-mcp-broker', version: '0.0.1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { id: 1, jsonrpc: '2.0', method: 'tools/list', params: {} },
  { id: 2, jsonrpc: '2.0', method: 'ping', params: {} },
  { id: 3, jsonrpc: '2.0', method: 'tools/call', params: { name: tool, arguments: args, serialNumber: null } },
]

/** xiaozhi-esp32-server's client: three frames before any answer, `tools/list` without params. */
export const serverTranscript: readonly unknown[] = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2024-11-05',
      capabilities: { roots: { listChanged: true }, sampling: {} },
      clientInfo: { name: 'XiaozhiMCPEndpointClient', version: '1.0.0' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized', params: {} },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]
