// A way to a database that can be lost: bytes are passed on, swallowed, or refused.
import { connect, createServer } from 'node:net'

/** With `isMute` nobody can listen: what a pooler in transaction mode makes of it. */
export const startBlackHole = async ({ host = '127.0.0.1', port, isMute = false }) => {
  let mode = 'open'
  const pairs = new Set()
  const cutAll = () => {
    for (const { near, far } of pairs) {
      near.destroy()
      far?.destroy()
    }
  }
  const server = createServer((near) => {
    // Nobody answers there: the connection stands, and nothing ever comes.
    if (mode === 'swallow') {
      const pair = { near }
      pairs.add(pair)
      near.on('error', () => {}).on('close', () => pairs.delete(pair))
      near.resume()
      return
    }
    const far = connect(port, host)
    const pair = { near, far }
    pairs.add(pair)
    const end = () => {
      near.destroy()
      far.destroy()
      pairs.delete(pair)
    }
    const pass = (from, to) => {
      from.on('data', (bytes) => mode === 'open' && to.write(isMute && to === far ? muted(bytes) : bytes))
      from.on('error', end).on('close', end)
    }
    pass(near, far)
    pass(far, near)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: '127.0.0.1',
    port: server.address().port,
    /** Connections stay, and nothing goes through: what a broken network looks like. */
    swallow: () => {
      mode = 'swallow'
    },
    /** What was swallowed is lost for good, so those connections end. */
    open: () => {
      if (mode === 'swallow') cutAll()
      mode = 'open'
    },
    close: async () => {
      cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Asks for a number in place of listening, in as many bytes. */
const muted = (bytes) =>
  Buffer.from(
    bytes.toString('latin1').replace(/listen\s+"?\w+"?/gi, (found) => 'select 1'.padEnd(found.length)),
    'latin1',
  )
