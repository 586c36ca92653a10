import { type Implementation, metaKeys } from '../../../mcp/meta.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { notificationText } from '../../../mcp/serialise.js'
import { isRecord } from '../../../model/json.js'
import type { Changes } from '../changes.js'
import type { Exchange, Reply } from '../exchange.js'

/**
 * `subscriptions/listen`: acknowledges what we can honour, then tells of changes until the client leaves or we close.
 * Kinds we do not serve are left out of the acknowledgement, never refused: some hosts listen before they list.
 */
export const listen = (
  changes: Changes,
  closing: AbortSignal,
  serverInfo: Implementation,
  exchange: Exchange,
): Promise<Reply> => {
  const asked = exchange.request.params?.notifications
  if (asked !== undefined && !isRecord(asked))
    throw new RpcError(rpcCodes.invalidParams, '`notifications` must be an object that names what to listen to.')
  const honoured = asked?.toolsListChanged === true ? { toolsListChanged: true } : {}
  const _meta = { [metaKeys.subscriptionId]: exchange.request.id }
  exchange.notify(notificationText('notifications/subscriptions/acknowledged', { notifications: honoured, _meta }))

  return new Promise((resolve) => {
    const stop = honoured.toolsListChanged
      ? changes.subscribe(() => exchange.notify(notificationText('notifications/tools/list_changed', { _meta })))
      : () => {}
    const end = (): void => {
      stop()
      closing.removeEventListener('abort', end)
      exchange.signal.removeEventListener('abort', end)
      resolve(JSON.stringify({ resultType: 'complete', _meta: { ..._meta, [metaKeys.serverInfo]: serverInfo } }))
    }
    closing.addEventListener('abort', end, { once: true })
    exchange.signal.addEventListener('abort', end, { once: true })
    if (closing.aborted || exchange.signal.aborted) end()
  })
}
