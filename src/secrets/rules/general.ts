import { entropyOf, hasDigitAndLetter, isPlaceholder, isPlainName } from '../checks.js'
import type { SecretRule } from '../rule.js'

const quotes = '["\'`\\\\]{0,4}'
const sign = `${quotes}\\s{0,4}(?:=>|:=|[:=])\\s{0,4}`

/** What is known by its form or by the word before it, whoever made it. */
export const generalRules: readonly SecretRule[] = [
  {
    id: 'private-key',
    name: ['Private key', '私钥'],
    anchors: ['-----begin'],
    pattern:
      '-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=[\\s\\\\rn]{0,8}(?:Proc-Type|Version|Comment|Hash|[A-Za-z0-9+/=\\s\\\\]{40}))',
    end: { mark: '-----END', most: 20_000 },
  },
  {
    id: 'age-key',
    name: ['age key', 'age 私钥'],
    anchors: ['age-secret-key-1'],
    pattern: 'AGE-SECRET-KEY-1[0-9A-Z]{58}(?![0-9A-Z])',
    entropy: 3,
  },
  {
    id: 'jwt',
    name: ['JSON Web Token', 'JSON Web 令牌（JWT）'],
    anchors: ['eyj'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,1000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{16,1000}(?![A-Za-z0-9_-])',
    entropy: 3.5,
  },
  {
    id: 'url-password',
    name: ['Password in an address', '地址中的密码'],
    anchors: ['://'],
    pattern: '://[^\\s:/?#@"\'<>\\\\]{0,128}:([^\\s/?#@"\'<>\\\\]{3,256})@[A-Za-z0-9.\\[_-]',
    holds: (secret) => !isPlaceholder(secret) && !plainWords.test(secret),
  },
  {
    id: 'authorization-header',
    name: ['Authorization header', 'Authorization 请求头'],
    anchors: ['authorization'],
    pattern: `[Aa]uthorization${sign}${quotes}(?:[Bb]earer|[Bb]asic|[Tt]oken) {1,4}([A-Za-z0-9._~+/-]{12,4096}={0,2})`,
    entropy: 3,
    holds: (secret) => /\d/.test(secret) && !isPlaceholder(secret),
  },
  {
    id: 'labelled-secret',
    name: ['Value that is called a secret', '标注为机密的值'],
    anchors: [
      ...['passw', 'passphrase', 'pwd', 'secret', 'token', 'apikey', 'api_key', 'api-key', 'accesskey', 'access_key'],
      ...['access-key', 'privatekey', 'private_key', 'private-key', 'authkey', 'auth_key', 'auth-key'],
    ],
    pattern: `(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|private|auth)[_-]?key)[a-z0-9_-]{0,16}${sign}(?:["'\`\\\\]{1,4}([^\\s"'\`\\\\<>]{8,512})["'\`\\\\]|([a-z0-9_.~+/=!@#$%^&*-]{8,512})(?=[\\s,;)}\\]&"'\\\\]|$))`,
    ignoreCase: true,
    holds: isLabelled,
  },
]

// What stands in examples: nobody's password, or everybody's.
const plainWords =
  /^(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|token|key|admin|root|test|guest|postgres|mysql|string|port)$/i

/** Labels that speak of something else: a page's mark, a number of tokens, the name or place of a secret. */
const otherLabel =
  /(?:next|prev(?:ious)?|page|paging|continuation|cursor|sync|delta|max|min|num|total|count|prompt|completion|input|output|csrf|xsrf|cancel(?:l?ation)?|progress|public|idempotency|stop|eos|bos|pad|unk|mask|sort|partition|primary|foreign|cache|object|s3|row|device|client|resume|upload|message|request|change|watch|start|end|begin|token_type|dedup\w*)[_-]?(?:token|key)|tokens\b|token_?(?:type|id|uri|url|name|count|limit|usage|endpoint|kind|s)\b|(?:secret|key|password|passwd|token)[_-]?(?:name|id|arn|uri|url|path|file|ref|version|type|policy|hint|field|label|hash|manager|length|expir\w*|rotat\w*|reset\w*|store)\b/i

function isLabelled(secret: string, match: string, before: string): boolean {
  if (isPlaceholder(secret) || plainWords.test(secret)) return false
  const key = /[A-Za-z0-9_.-]*$/.exec(before)![0] + match.slice(0, match.indexOf(secret))
  if (otherLabel.test(key) || /[({[]$/.test(secret) || /^(?:null|true|false|undefined|none)/i.test(secret)) return false
  // A person's password is shorter than what a machine makes, and mixes more kinds of characters.
  if (/passw|pwd|passphrase|密码|口令/i.test(key))
    return (
      hasDigitAndLetter(secret) &&
      entropyOf(secret) >= 2.8 &&
      !isPlainName(secret) &&
      !/^[a-z]+(?:[_.-]?[a-z]+)*\d?$/i.test(secret)
    )
  return (
    secret.length >= 16 &&
    hasDigitAndLetter(secret) &&
    entropyOf(secret) >= 3.4 &&
    (isHashLike(secret, key) || !isPlainName(secret)) &&
    !isWords(secret)
  )
}

/** Thirty-two hexadecimal digits are a hash anywhere, and a key behind the words that say so. */
const isHashLike = (secret: string, key: string): boolean =>
  /^[0-9a-f]{32,128}$/i.test(secret) && /secret|api[_-]?key|private/i.test(key)

/** `read-only-access-2024`, `com.example.TokenService2`, `getAccessToken2`: made of words. */
const isWords = (text: string): boolean =>
  text
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter((word) => word.length >= 4 && /[aeiou]/i.test(word))
    .join('').length >
  text.length * 0.6
