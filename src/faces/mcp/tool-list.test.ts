import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorAfter, pageAfter, toPages } from './list-pages.js'
import { ToolList } from './tool-list.js'

const items = fc
  .uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), { selector: ([key]) => key })
  .map((pairs) => pairs.map(([key, text]) => ({ key, json: JSON.stringify(text) })))
  .map((listed) => listed.sort((a, b) => (a.key < b.key ? -1 : 1)))

describe('a list of tools as bytes', () => {
  it('has the pages that a list of texts has, from any cursor on', () => {
    fc.assert(
      fc.property(
        items,
        fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
        fc.option(fc.string({ minLength: 1 })),
        (listed, maxBytes, key) => {
          const list = new ToolList(listed, maxBytes)
          const cursor = key === null ? undefined : cursorAfter(key)
          const page = pageAfter(toPages(listed, maxBytes), cursor)
          const { bytes, nextCursor } = list.after(cursor)
          expect(`${bytes}]}`).toBe(`{"tools":[${page.items.map(({ json }) => json).join(',')}]}`)
          expect(nextCursor).toBe(page.nextCursor)
          expect(list.itemBytes).toBe(listed.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0))
        },
      ),
    )
  })

  it('is the same bytes for everybody who asks, longer than a batch too', () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({
      key: String(index).padStart(6, '0'),
      json: JSON.stringify({ name: `tool_${index}`, description: '这个工具做第几件事'.repeat(20) }),
    }))
    const list = new ToolList(many)
    expect(list.after(undefined).bytes).toBe(list.after('').bytes)
    expect(JSON.parse(`${list.after(undefined).bytes}]}`).tools.at(-1).name).toBe('tool_2999')
    expect(JSON.parse(`${list.after(cursorAfter('002997')).bytes}]}`).tools.length).toBe(2)
  })
})
