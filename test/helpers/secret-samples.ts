import { base62Checksum } from '../../src/secrets/checks.js'

/**
 * Credentials that nobody has, made when they are needed: none stands in a file, where every scanner in the world would find
 * it. Each is put together from a form and digits of a generator that begins anew with its seed.
 */
export type MakeSample = (random: Random) => string

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1
  }

  below(limit: number): number {
    // Marsaglia's xorshift.
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % limit
  }

  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]!).join('')
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const digits = '0123456789'
const alnum = upper + lower + digits
const word = `${alnum}_-`
const hex = '0123456789abcdef'
const b64 = `${alnum}+/`
const base32 = `${upper}234567`

const uuid = (r: Random): string => [8, 4, 4, 4, 12].map((length) => r.of(hex, length)).join('-')
const withSum = (prefix: string, r: Random): string => {
  const body = r.of(alnum, 30)
  return `${prefix}_${body}${base62Checksum(body)}`
}
const json64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Digits in the last places, so that what is asked for a digit has one. */
const mixed = (r: Random, alphabet: string, length: number): string =>
  `${r.of(alphabet, length - 3)}${r.of(digits, 1)}${r.of(lower, 1)}${r.of(digits, 1)}`
const pem = (kind: string, r: Random, end = '\n'): string => {
  const line = (): string => r.of(b64, 64)
  return [
    `-----BEGIN ${kind}-----`,
    ...Array.from({ length: 12 }, line),
    `${r.of(b64, 30)}==`,
    `-----END ${kind}-----`,
  ].join(end)
}

/** By rule: the credential itself, and where it needs some, the words around it with `@@` in its place. */
export const samples: Readonly<Record<string, readonly (readonly [make: MakeSample, around?: string])[]>> = {
  'aws-access-key': [[(r) => `${r.one(['AKIA', 'ASIA'])}${r.of(base32, 16)}`]],
  'aws-secret-key': [
    [(r) => r.of(b64, 40), 'aws_secret_access_key = @@'],
    [(r) => r.of(b64, 40), '{"SecretAccessKey": "@@"}'],
    [(r) => r.of(b64, 40), 'export AWS_SECRET_ACCESS_KEY="@@"'],
  ],
  'aws-session-token': [
    [(r) => r.of(b64, 300), 'aws_session_token=@@'],
    [(r) => r.of(b64, 260), '{"SessionToken":"@@"}'],
  ],
  'gcp-service-account': [[(r) => r.of(hex, 40), '{"type":"service_account","private_key_id": "@@"}']],
  'google-api-key': [[(r) => `AIza${r.of(word, 34)}${r.of(alnum, 1)}`]],
  'google-oauth': [
    [(r) => `ya29.${r.of(word, 150)}`],
    [(r) => `GOCSPX-${r.of(alnum, 28)}`],
    [(r) => `1//0${r.of(word, 60)}`],
  ],
  'azure-storage-key': [
    [(r) => `${r.of(b64, 86)}==`, 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@@;EndpointSuffix=y'],
    [(r) => `${r.of(b64, 43)}=`, 'Endpoint=sb://x/;SharedAccessKeyName=all;SharedAccessKey=@@'],
  ],
  'azure-sas': [
    [(r) => encodeURIComponent(`${r.of(b64, 43)}=`), 'https://x.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=@@'],
  ],
  'azure-client-secret': [[(r) => `8Q~${r.of(alnum, 33)}`, 'aB1@@']],
  'digitalocean-token': [[(r) => `do${r.one(['p', 'o', 'r'])}_v1_${r.of(hex, 64)}`]],
  'cloudflare-key': [
    [(r) => `${r.of(hex, 24)}-${r.of(hex, 146)}`, 'v1.0-@@'],
    [(r) => r.of(word, 40), 'CLOUDFLARE_API_TOKEN=@@'],
    [(r) => r.of(hex, 37), 'X-Auth-Key: @@'],
  ],
  'aliyun-access-key': [[(r) => `LTAI5t${mixed(r, alnum, 18)}`]],
  'tencent-secret-id': [[(r) => `AKID${r.of(alnum, 32)}`]],
  'baidu-access-key': [
    [(r) => `ALTAK${r.of(alnum, 21)}`],
    [(r) => `ALTAK-${r.of(alnum, 21)}/${r.of(hex, 40)}`, 'bce-v3/@@'],
  ],
  'volcengine-access-key': [[(r) => `AKLT${r.of(alnum, 44)}`]],
  'pegboard-key': [[(r) => `rtk_${r.of(hex, 64)}`]],
  'github-token': [[(r) => withSum(r.one(['ghp', 'gho', 'ghu', 'ghr']), r)], [(r) => `ghr_${r.of(alnum, 76)}`]],
  'github-app-token': [[(r) => `ghs_${r.of(alnum, 36)}`], [(r) => `github_pat_${r.of(alnum, 22)}_${r.of(alnum, 59)}`]],
  'gitlab-token': [[(r) => `${r.one(['glpat', 'glrt', 'gldt', 'glptt', 'glsoat'])}-${r.of(alnum, 20)}`]],
  'npm-token': [[(r) => withSum('npm', r)]],
  'pypi-token': [[(r) => `pypi-AgEIcHlwaS5vcmc${r.of(word, 150)}`]],
  'docker-token': [[(r) => `dckr_pat_${r.of(alnum, 27)}`]],
  'package-registry-token': [[(r) => `rubygems_${r.of(hex, 48)}`], [(r) => `oy2${r.of(lower + digits, 43)}`]],
  'anthropic-key': [[(r) => `sk-ant-api03-${r.of(alnum, 93)}AA`]],
  'openai-key': [
    [(r) => `sk-proj-${mixed(r, alnum, 120)}`],
    [(r) => `sk-${r.of(alnum, 20)}T3BlbkFJ${mixed(r, alnum, 20)}1`],
    [(r) => `sk-${mixed(r, hex, 32)}`],
  ],
  'huggingface-token': [[(r) => `hf_${r.of(alnum, 34)}`]],
  'model-provider-key': [
    [(r) => `gsk_${mixed(r, alnum, 52)}`],
    [(r) => `xai-${mixed(r, alnum, 80)}`],
    [(r) => `pplx-${mixed(r, alnum, 48)}`],
    [(r) => `r8_${mixed(r, alnum, 37)}`],
  ],
  'vault-token': [[(r) => `hvs.${r.of(alnum, 90)}`], [(r) => r.of(alnum, 67), 'aBcDeF12345678.atlasv1.@@']],
  'ci-token': [[(r) => `sbp_${r.of(hex, 40)}`], [(r) => `pul-${r.of(hex, 40)}`], [(r) => `dp.pt.${r.of(alnum, 43)}`]],
  'slack-token': [
    [(r) => `xoxb-${r.of(digits, 12)}-${r.of(digits, 12)}-${r.of(alnum, 24)}`],
    [(r) => `xapp-1-${r.of(upper + digits, 11)}-${r.of(digits, 13)}-${r.of(hex, 64)}`],
  ],
  'slack-webhook': [
    [
      (r) => `T${r.of(upper + digits, 8)}/B${r.of(upper + digits, 10)}/${r.of(alnum, 24)}`,
      'https://hooks.slack.com/services/@@',
    ],
  ],
  'stripe-key': [
    [(r) => `${r.one(['sk', 'rk'])}_live_${mixed(r, alnum, 24)}`],
    [(r) => `whsec_${mixed(r, alnum, 32)}`],
  ],
  'shop-key': [[(r) => `shpat_${r.of(hex, 32)}`], [(r) => `sq0csp-${r.of(alnum, 43)}`]],
  'twilio-key': [[(r) => `SK${r.of(hex, 32)}`]],
  'sendgrid-key': [[(r) => `SG.${r.of(word, 22)}.${r.of(word, 42)}${r.of(alnum, 1)}`]],
  'mailgun-key': [[(r) => `key-${r.of(hex, 32)}`], [(r) => r.of(hex, 32), '@@-us12']],
  'telegram-bot': [[(r) => `AA${r.of(alnum, 33)}`, '1357924680:@@']],
  'discord-token': [[(r) => `M${r.of(alnum, 23)}.${r.of(alnum, 6)}.${r.of(alnum, 38)}`, 'DISCORD_TOKEN=@@']],
  'discord-webhook': [[(r) => r.of(word, 68), 'https://discord.com/api/webhooks/123456789012345678/@@']],
  'notion-token': [[(r) => `secret_${mixed(r, alnum, 43)}`], [(r) => `ntn_${mixed(r, alnum, 46)}`]],
  'linear-key': [[(r) => `lin_api_${r.of(alnum, 40)}`]],
  'atlassian-token': [[(r) => `ATATT3${r.of(word, 185)}`], [(r) => `ATBB${r.of(alnum, 32)}`]],
  'databricks-token': [[(r) => `dapi${r.of(hex, 32)}`]],
  'workplace-token': [[(r) => `figd_${r.of(alnum, 40)}`], [(r) => `PMAK-${r.of(hex, 24)}-${r.of(hex, 34)}`]],
  'feishu-webhook': [[uuid, 'https://open.feishu.cn/open-apis/bot/v2/hook/@@']],
  'wecom-webhook': [[uuid, 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=@@']],
  'dingtalk-webhook': [[(r) => r.of(hex, 64), 'https://oapi.dingtalk.com/robot/send?access_token=@@']],
  'wechat-secret': [[(r) => mixed(r, hex, 32).replace(/[g-z]/g, 'a'), '{"appid":"wx1","appsecret":"@@"}']],
  'private-key': [
    [(r) => pem('PRIVATE KEY', r)],
    [(r) => pem('OPENSSH PRIVATE KEY', r)],
    [(r) => pem('RSA PRIVATE KEY', r, '\r\n')],
    [(r) => pem('PGP PRIVATE KEY BLOCK', r)],
    // As it stands in a service account that is itself the text of an answer.
    [(r) => pem('PRIVATE KEY', r, '\\n')],
  ],
  'age-key': [[(r) => `AGE-SECRET-KEY-1${r.of(upper + digits, 58)}`]],
  jwt: [
    [
      (r) =>
        `${json64({ alg: 'HS256', typ: 'JWT' })}.${json64({ sub: r.of(digits, 9), name: r.of(lower, 8) })}.${r.of(word, 42)}x`,
    ],
  ],
  'url-password': [
    [(r) => mixed(r, alnum, 14), 'postgres://app:@@@db.internal:5432/shop'],
    [(r) => mixed(r, alnum, 14), 'mongodb+srv://app:@@@cluster0.x.mongodb.net'],
    [(r) => mixed(r, alnum, 14), 'redis://:@@@cache:6379/0'],
    [(r) => mixed(r, alnum, 14), 'amqp://app:@@@mq:5672'],
    [(r) => mixed(r, alnum, 14), 'https://alice:@@@git.example.org/x.git'],
  ],
  'authorization-header': [
    [(r) => mixed(r, alnum, 40), 'Authorization: Bearer @@'],
    [
      (r) => Buffer.from(`${r.of(lower, 8)}:${mixed(r, alnum, 16)}1`).toString('base64'),
      '{"Authorization":"Basic @@"}',
    ],
  ],
  'labelled-secret': [
    [(r) => mixed(r, alnum, 32), 'API_KEY=@@'],
    [(r) => mixed(r, alnum, 24), '{"client_secret": "@@"}'],
    [(r) => mixed(r, alnum, 12), 'password: "@@"'],
    [(r) => mixed(r, alnum, 12), 'jdbc:mysql://db/shop?user=app&password=@@'],
    [(r) => mixed(r, alnum, 40), "access_token = '@@'"],
    [(r) => mixed(r, alnum, 12), 'Server=db;Uid=app;Pwd=@@;'],
  ],
}
