import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.js'
import { advertisedName, safeNaming } from '../../src/catalog/names.js'
import { providerFormats, toProviderTools } from '../../src/catalog/provider-tools.js'
import type { ToolDefinition } from '../../src/model/tool.js'
import { rules } from '../helpers/provider-rules.mjs'
import { evalCorpus, evalFolder, ownCorpus } from './tool-corpus.js'

const catalogOf = (definitions: readonly ToolDefinition[]) => {
  const catalog = createCatalog()
  catalog.mount({ source: 'corpus', namespace: 'corpus' })
  const problems = catalog.apply('corpus', { type: 'all', tools: definitions.map((definition) => ({ definition })) })
  return { catalog, problems }
}

const story = (name: string, corpus: () => readonly ToolDefinition[]) => {
  describe(name, () => {
    const { catalog, problems } = catalogOf(corpus())
    const { tools } = catalog.snapshot()

    it('is listed whole', () => {
      expect(problems).toEqual([])
    })

    it.each(providerFormats.filter((format) => format !== 'kwargs'))(
      'converts to %s with nothing illegal',
      (format) => {
        const converted = toProviderTools(tools, format)
        expect(converted.tools).toHaveLength(tools.length)
        const illegal = converted.tools.flatMap((tool, index) =>
          rules[format](tool).map((problem) => `${tools[index]!.id}: ${problem}`),
        )
        expect(illegal).toEqual([])
      },
    )

    it('has names that lead back to the same tools', () => {
      for (const tool of tools) expect(catalog.find(advertisedName(tool, safeNaming))).toBe(tool)
    })
  })
}

story('our corpus of schema styles', ownCorpus)
if (evalFolder !== undefined) story('the public tool sets', evalCorpus)

describe('kwargs', () => {
  it('are pairs of type and words, for every schema that has a type', () => {
    const { catalog } = catalogOf(ownCorpus().filter(({ inputSchema }) => inputSchema.type === 'object'))
    const { tools } = toProviderTools(catalog.snapshot().tools, 'kwargs')
    expect(tools.flatMap((tool) => rules.kwargs(tool))).toEqual([])
  })
})
