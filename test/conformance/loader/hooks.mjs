// The suite imports `globSync` from `fs`, which Node has since 22; only a command that is not used here calls it.
const stub = `export * from 'node:fs'\nexport { default } from 'node:fs'\nexport const globSync = () => []\n`

export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('@modelcontextprotocol/conformance')
    ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true }
    : next(specifier, context)
