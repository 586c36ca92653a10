// The parts of undici that we use, in the place of the whole: its index loads mocks, caches, WebSocket and
// the rest of fetch, which took 50 ms and 8 MB beside these (measured).
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')

// As undici's own index does it: `agent.request()` and the others.
Object.assign(Dispatcher.prototype, require('undici/lib/api/index.js'))

exports.Agent = require('undici/lib/dispatcher/agent.js')
exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js')
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js')
// For the forms of OpenAPI operations only, so when the first is sent.
Object.defineProperty(exports, 'FormData', {
  enumerable: true,
  get: () => require('undici/lib/web/fetch/formdata.js').FormData,
})
