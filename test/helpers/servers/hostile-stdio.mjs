import { createInterface } from 'node:readline'
import { answerOf, floods } from './flood.mjs'

process.stdout.on('error', () => process.exit())
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const request = JSON.parse(line)
    if (request.id === undefined) return
    if (request.method === 'tools/call') return void floods[request.params.name](process.stdout, request.id)
    const result = answerOf(request, Object.keys(floods))
    const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer })}\n`)
  })
  .on('close', () => process.exit())
