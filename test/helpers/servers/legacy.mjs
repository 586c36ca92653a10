// A server of SDK v1 around what a fixture offers. One per session: the SDK ties a server to one transport.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { sayAnswer } from './board.mjs'

const answerSchemas = {
  'elicitation/create': ElicitResultSchema,
  'sampling/createMessage': CreateMessageResultSchema,
  'roots/list': ListRootsResultSchema,
}

/** The servers of one program's sessions, and how all of them hear of a change. */
export class Sessions {
  #followed = new Map()

  begin(offer) {
    const followed = new Set()
    const server = createLegacyServer(offer, followed)
    this.#followed.set(server, followed)
    server.onclose = () => this.#followed.delete(server)
    return server
  }

  told = {
    toolsChanged: () => this.#tell((server) => server.sendToolListChanged()),
    promptsChanged: () => this.#tell((server) => server.sendPromptListChanged()),
    updated: (uri) => this.#tell((server, followed) => followed.has(uri) && server.sendResourceUpdated({ uri })),
  }

  #tell(announce) {
    return Promise.all([...this.#followed].map(([server, followed]) => announce(server, followed)))
  }
}

const createLegacyServer = (offer, followed) => {
  const server = new Server(
    { name: 'fixture-legacy', version: '1.0.0' },
    { capabilities: offer.capabilities, instructions: offer.instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offer.list() }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, sendRequest }) => {
    const question = offer.question?.(params.name)
    if (question) return sayAnswer(question, await sendRequest(question, answerSchemas[question.method]))
    const progressToken = params._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await sendNotification({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return offer.call(params.name, params.arguments, { signal, progress })
  })
  if (!offer.prompts) return server
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: offer.prompts() }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => offer.getPrompt(params.name))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: offer.resources() }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => offer.read(params.uri))
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    followed.add(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    followed.delete(params.uri)
    return {}
  })
  return server
}
