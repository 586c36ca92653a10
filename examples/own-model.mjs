// Search with a model file of your own.   MODEL=bge.onnx VOCABULARY=tokenizer.json node examples/own-model.mjs
// Without those it writes a model of four words. Needs onnxruntime-node or onnxruntime-web; without them words are matched.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, defineTool } from 'pegboard'
import { createOnnxEmbeddings } from 'pegboard/search'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-example-'))
const write = (name, content) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
// It looks each piece up in a table: the first two words point one way, the last two another.
const tiny = `CAcSCHBlZ2JvYXJkOuIBCi0KBXRhYmxlCglpbnB1dF9pZHMSEWxhc3RfaGlkZGVuX3N0YXRlIgZHYXRoZXISBHRpbnkqTwgICAIQAUIFdGFibGVKQAAAAAAA
AAAAAAAAAAAAAAAAAAAAzczMPQAAAADNzMw9AACAPwAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAgD9aJgoJaW5wdXRfaWRzEhkKFwgHEhMKBxIFYmF0Y2gKCBIG
bGVuZ3RoYjIKEWxhc3RfaGlkZGVuX3N0YXRlEh0KGwgBEhcKBxIFYmF0Y2gKCBIGbGVuZ3RoCgIIAkIECgAQDQ==`
const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'kitten', 'feline', 'sedan', 'automobile']

const embedding = createOnnxEmbeddings({
  modelFile: process.env.MODEL ?? write('tiny.onnx', Buffer.from(tiny, 'base64')),
  vocabularyFile: process.env.VOCABULARY ?? write('vocab.txt', pieces.join('\n')),
})
const describe = (name, description) => defineTool({ name, description, handler: () => 'done' })
const board = createGateway({
  search: { embedding, embeddingWaitMs: 60_000 },
  tools: [describe('first', 'kitten'), describe('second', 'automobile')],
})

const { results, notice = '' } = await board.search('feline', { method: 'embedding' })
if (notice.includes('not available')) console.log(`Words were matched: ${notice}`)
else assert.equal(results[0].tool.name, 'first')
// Ends the model's thread, too.
await board.close()
rmSync(folder, { recursive: true })
console.log('own-model: ok')
