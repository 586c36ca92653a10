import type { JsonObject } from '../model/json.js'
import type { Finding } from '../scanner/finding.js'
import { scan } from '../scanner/scan.js'
import type { ServerJson } from './server-json.js'
import { type ServerWay, waysOf } from './ways.js'

/** What a person should look at in a publisher's words: its name, what it says of itself, and what it asks for. */
export const findingsIn = (server: ServerJson): readonly Finding[] =>
  scan({
    title: server.title,
    description: server.description,
    server: server.name,
    ways: waysOf(server).map(wordsIn),
  } as JsonObject)

/** As JSON has it, and nothing but what people read or a command is given. */
const wordsIn = (way: ServerWay): JsonObject => {
  if (way.kind === 'remote') return JSON.parse(JSON.stringify(way.remote)) as JsonObject
  const { identifier, packageArguments, runtimeArguments, environmentVariables } = way.package
  const words = { identifier, packageArguments, runtimeArguments, environmentVariables }
  return JSON.parse(JSON.stringify(words)) as JsonObject
}
