const secretName =
  /authorization|token|secret|passw|passphrase|^pwd$|api_?key|access_?key|private_?key|^key$|^auth$|credential|cookie|bearer|signature|session_?id|^jwt$|^dsn$|connection_?string/

// Counts, not tokens.
const harmlessName = /tokens$|token_?(?:count|limit|budget|usage)|(?:max|min|num|total)_?token/

/** Whether a key's name says that its value is a secret: `apiKey`, `X-API-Key`, `GITHUB_TOKEN`, `client_secret` … */
export const isSecretName = (name: string): boolean => {
  const plain = name.replaceAll(/[-. ]/g, '_').toLowerCase()
  return secretName.test(plain) && !harmlessName.test(plain)
}

/** Whose values may all be secret, whatever they are called. */
export const isSecretContainer = (name: string): boolean => containers.has(name.toLowerCase())

const containers = new Set(['env', 'environment', 'headers', 'cookies'])
