import { refuseReferences } from '../../config/referenced.js'
import { GatewayError } from '../../errors.js'
import type { PublishDesk, PublishedList } from '../../faces/admin/publish.js'
import { notFound } from '../../http/http-error.js'
import type { JsonObject } from '../../model/json.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import { publishedRows } from '../publish/published.js'

/** What is published, in the file and at once in what is listed. */
export const createPublishDesk = (board: Board, inForce: FileInForce): PublishDesk => {
  const list = async (): Promise<PublishedList> => {
    const { config } = board
    return {
      namespace: config.publish.namespace,
      servers: publishedRows({ config, references: inForce.references }).map(({ key, wish, publication, problem }) => ({
        ...{ key, problem, wish: wish as unknown as JsonObject },
        server: publication?.server as unknown as JsonObject | undefined,
        status: publication?.status,
      })),
    }
  }
  return {
    list,
    save: async (key, wish) => {
      refuseReferences(wish)
      if (!wish.server && !Object.hasOwn(board.config.sources, key))
        throw new GatewayError(
          'SOURCE_NOT_FOUND',
          `There is no source named '${key.slice(0, 64)}'. Publish one that is there, or send its whole "server".`,
        )
      await inForce.change(() => [{ path: ['publish', 'servers', key], value: wish }])
      return list()
    },
    remove: async (key) => {
      if (!Object.hasOwn(board.config.publish.servers, key))
        throw notFound(`'${key.slice(0, 64)}' is not published; look at the list.`)
      await inForce.change(() => [{ path: ['publish', 'servers', key], value: undefined }])
      return list()
    },
  }
}
