import type { Config } from '../../config/schema.js'
import type { Gateway } from '../../gateway.js'
import { exampleTools } from '../../sources/examples/example-tools.js'
import { isRegistryTools } from '../version.js'

/** The example tools: there until there are sources, as the greeting says (U10), and again where there are none left. */
export const createExamples = (gateway: Gateway): { follow(config: Config): void } => {
  let shown: readonly string[] = []
  return {
    follow: ({ sources }) => {
      // A registry begins with what was registered, and nothing else.
      const wanted = Object.keys(sources).length === 0 && !isRegistryTools ? exampleTools() : []
      if (wanted.length === shown.length) return
      for (const name of shown) gateway.unregister(name)
      for (const tool of wanted) gateway.register(tool)
      shown = wanted.map(({ definition }) => definition.name)
    },
  }
}
