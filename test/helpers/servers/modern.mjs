// A server of SDK v2 around what a fixture offers, in the era that its client speaks. The SDK wants a fresh one per request.
import { inputRequired, Server } from '@modelcontextprotocol/server'
import { sayAnswer } from './board.mjs'

export const createModernServer = (offer, { era } = { era: 'modern' }) => {
  const server = new Server(
    { name: 'fixture-modern', version: '1.0.0' },
    { capabilities: offer.capabilities, instructions: offer.instructions },
  )
  const ask = async (question, { inputResponses, send }) => {
    if (era === 'legacy') return sayAnswer(question, await send(question))
    const answer = inputResponses?.answer
    return answer ? sayAnswer(question, answer) : inputRequired({ inputRequests: { answer: question } })
  }
  server.setRequestHandler('tools/list', () => ({ tools: offer.list(era) }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const question = offer.question?.(params.name, era)
    if (question) return ask(question, mcpReq)
    const progressToken = mcpReq._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return offer.call(params.name, params.arguments, { signal: mcpReq.signal, progress, era, send: mcpReq.send })
  })
  if (!offer.prompts) return server
  server.setRequestHandler('prompts/list', () => ({ prompts: offer.prompts() }))
  server.setRequestHandler('prompts/get', ({ params }) => offer.getPrompt(params.name))
  server.setRequestHandler('resources/list', () => ({ resources: offer.resources() }))
  server.setRequestHandler('resources/read', ({ params }) => offer.read(params.uri))
  if (era === 'legacy') server.setRequestHandler('resources/subscribe', () => ({}))
  if (era === 'legacy') server.setRequestHandler('resources/unsubscribe', () => ({}))
  return server
}
