/** `pegboard/mcp`: the Model Context Protocol by itself, of both eras: messages, and a client. See docs/api.md. */
export type { ClientPeer, ClientPeerOptions, RequestOptions } from '../mcp/client/client-peer.js'
export type { ConversationStats } from '../mcp/client/conversation.js'
export type { PeerInfo, Verdict as EraVerdict } from '../mcp/client/handshake.js'
export type { HttpEndpointOptions } from '../mcp/client/http-endpoint.js'
export { createHttpTransport, type HttpTransportOptions } from '../mcp/client/http-transport.js'
export type { RequestContext, RequestHandler } from '../mcp/client/inbound.js'
export type { LineChannel } from '../mcp/client/line-transport.js'
export { createLineTransport, type LineTransportOptions } from '../mcp/client/line-transport.js'
export type { Listing as PagedListing, PagingLimits } from '../mcp/client/paging.js'
export { createClientPeer, type SharablePeer } from '../mcp/client/peer.js'
export type { Waiter } from '../mcp/client/pending.js'
export { createSseTransport, type SseTransportOptions } from '../mcp/client/sse-transport.js'
export type {
  ClientTransport,
  SendHooks,
  Sending as TransportSending,
  SendOptions,
  TransportEvents,
} from '../mcp/client/transport.js'
export { createWebSocketTransport, type WebSocketTransportOptions } from '../mcp/client/websocket-transport.js'
export {
  type Era as ProtocolEra,
  latestLegacyVersion,
  latestModernVersion,
  legacyVersions,
  modernVersions,
} from '../mcp/eras.js'
export {
  createLineSplitter,
  createSseParser,
  type LineSplitter,
  type LineSplitterOptions,
  type SseEvent,
  type SseParser,
  type SseParserOptions,
} from '../mcp/framing.js'
export type { HeaderParam } from '../mcp/headers.js'
export {
  errorText,
  type Implementation,
  isResponse,
  notificationText,
  type RpcFailure,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  type RpcResult,
  requestText,
  resultText,
} from '../mcp/message.js'
export { callerLimits, type ParseLimits, parseMessage, sourceLimits, toMessage } from '../mcp/parse.js'
export { isRpcError, RpcError, type RpcErrorExtras, type RpcId, rpcCodes } from '../mcp/rpc-error.js'
export type { ScanLimits } from '../mcp/scan.js'
