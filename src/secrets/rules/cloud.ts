import { isPlaceholder } from '../checks.js'
import type { SecretRule } from '../rule.js'

const isReal = (secret: string): boolean => !isPlaceholder(secret)

/** What opens a cloud. */
export const cloudRules: readonly SecretRule[] = [
  {
    id: 'aws-access-key',
    name: ['AWS access key', 'AWS 访问密钥'],
    anchors: ['akia', 'asia', 'abia', 'acca'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])',
    entropy: 3,
    holds: isReal,
  },
  {
    id: 'aws-secret-key',
    name: ['AWS secret access key', 'AWS 私有访问密钥'],
    anchors: ['secret_access', 'secretaccess', 'secret-access', 'aws_secret'],
    pattern:
      '(?:aws_secret|secret[_-]?access)[A-Za-z_-]{0,16}["\'\\\\]{0,4}\\s{0,4}(?:=>|[:=])\\s{0,4}["\'\\\\]{0,4}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])',
    ignoreCase: true,
    entropy: 4,
    holds: isReal,
  },
  {
    id: 'aws-session-token',
    name: ['AWS session token', 'AWS 会话令牌'],
    anchors: ['session_token', 'sessiontoken', 'security-token'],
    pattern:
      '(?:session_?token|security-token)["\'\\\\]{0,4}\\s{0,4}(?:=>|[:=])\\s{0,4}["\'\\\\]{0,4}([A-Za-z0-9/+]{100,2000}={0,2})',
    ignoreCase: true,
    entropy: 4.5,
  },
  {
    id: 'gcp-service-account',
    name: ['Google Cloud service account', 'Google Cloud 服务账号'],
    anchors: ['private_key_id'],
    pattern: 'private_key_id["\'\\\\]{1,4}\\s{0,4}:\\s{0,4}["\'\\\\]{1,4}([0-9a-f]{40})(?![0-9a-f])',
    entropy: 3,
  },
  {
    id: 'google-api-key',
    name: ['Google API key', 'Google API 密钥'],
    anchors: ['aiza'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_-])AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])',
    entropy: 3.5,
    holds: isReal,
  },
  {
    id: 'google-oauth',
    name: ['Google OAuth token or secret', 'Google OAuth 令牌或密钥'],
    anchors: ['ya29.', 'gocspx-', '1//0'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_-])(?:ya29\\.[0-9A-Za-z_-]{20,2048}|GOCSPX-[0-9A-Za-z_-]{28}(?![0-9A-Za-z_-])|1//0[0-9A-Za-z_-]{40,200})',
    entropy: 3.5,
  },
  {
    id: 'azure-storage-key',
    name: ['Azure storage key', 'Azure 存储密钥'],
    anchors: ['accountkey', 'sharedaccesskey'],
    pattern: '(?:AccountKey|SharedAccessKey)\\s{0,2}=\\s{0,2}([A-Za-z0-9+/]{43,86}={1,2})(?![A-Za-z0-9+/=])',
    entropy: 4,
  },
  {
    id: 'azure-sas',
    name: ['Azure shared access signature', 'Azure 共享访问签名'],
    anchors: ['sig='],
    pattern: '(?<=[?&;"\'\\s])sig=([A-Za-z0-9+/]{0,80}(?:%[0-9A-Fa-f]{2}[A-Za-z0-9+/]{0,80}){0,20}={0,2})',
    entropy: 4,
    holds: (secret) => /^[A-Za-z0-9+/]{43}=$/.test(decoded(secret)),
  },
  {
    id: 'azure-client-secret',
    name: ['Azure AD client secret', 'Azure AD 客户端密钥'],
    anchors: ['0q~', '1q~', '2q~', '3q~', '4q~', '5q~', '6q~', '7q~', '8q~', '9q~'],
    pattern: '(?<=(?<!(?<!\\\\)[A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3})\\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])',
    entropy: 3.5,
  },
  {
    id: 'digitalocean-token',
    name: ['DigitalOcean token', 'DigitalOcean 令牌'],
    anchors: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])do[opr]_v1_[0-9a-f]{64}(?![0-9a-f])',
    entropy: 3,
  },
  {
    id: 'cloudflare-key',
    name: ['Cloudflare key', 'Cloudflare 密钥'],
    anchors: ['v1.0-', 'cloudflare', 'cf_api', 'x-auth-key'],
    pattern:
      '(?:(?<!(?<!\\\\)[A-Za-z0-9.])v1\\.0-([0-9a-f]{24}-[0-9a-f]{140,150})|(?:[Cc]loud[Ff]lare|CLOUDFLARE|CF_API|cf_api|[Xx]-[Aa]uth-[Kk]ey)[A-Za-z_-]{0,24}["\'\\\\]{0,4}\\s{0,4}[:=]\\s{0,4}["\'\\\\]{0,4}([A-Za-z0-9_-]{37,45})(?![A-Za-z0-9_-]))',
    entropy: 3.2,
    holds: isReal,
  },
  {
    id: 'aliyun-access-key',
    name: ['Alibaba Cloud access key', '阿里云 AccessKey'],
    anchors: ['ltai'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9])LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])',
    entropy: 3,
    holds: (secret) => /\d/.test(secret) && isReal(secret),
  },
  {
    id: 'tencent-secret-id',
    name: ['Tencent Cloud secret id', '腾讯云 SecretId'],
    anchors: ['akid'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9])AKID[A-Za-z0-9]{32,36}(?![A-Za-z0-9])',
    entropy: 3.5,
    holds: isReal,
  },
  {
    id: 'baidu-access-key',
    name: ['Baidu Cloud access key', '百度智能云密钥'],
    anchors: ['altak'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9])ALTAK-?[A-Za-z0-9]{20,22}(?:/[0-9a-f]{40})?(?![A-Za-z0-9])',
    entropy: 3.5,
  },
  {
    id: 'volcengine-access-key',
    name: ['Volcengine access key', '火山引擎访问密钥'],
    anchors: ['aklt'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9])AKLT[A-Za-z0-9+/_-]{30,60}={0,2}(?![A-Za-z0-9])',
    entropy: 3.5,
  },
]

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
