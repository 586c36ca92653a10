import { ownedName, type Tool } from '../model/tool.js'

/** The tool a caller means: one that can be run, else what its own profile registered under the name, else what is there for all. */
export const findFor = (
  catalog: { find(name: string): Tool | undefined },
  sees: (tool: Tool) => boolean,
  name: string,
  profile = 'default',
): Tool | undefined => {
  const seen = (id: string): Tool | undefined => [catalog.find(id)].find((tool) => tool && sees(tool))
  const tool = seen(name)
  return tool && !tool.definitionOnly ? tool : (seen(ownedName(name, profile)) ?? tool)
}
