import { hasDigitAndLetter, isPlaceholder } from '../checks.js'
import type { SecretRule } from '../rule.js'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Where people talk, pay, write and keep lists. */
export const serviceRules: readonly SecretRule[] = [
  {
    id: 'slack-token',
    name: ['Slack token', 'Slack 令牌'],
    anchors: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe-', 'xoxe.', 'xapp-', 'xwfp-'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_-])(?:xox[abeoprs][-.]|xapp-|xwfp-)[A-Za-z0-9.-]{20,400}(?![A-Za-z0-9])',
    entropy: 2.8,
    holds: (secret) => /\d/.test(secret) && !isPlaceholder(secret),
  },
  {
    id: 'slack-webhook',
    name: ['Slack webhook', 'Slack Webhook 地址'],
    anchors: ['hooks.slack.com'],
    pattern: 'hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{30,160})',
    entropy: 3,
    holds: (secret) => !isPlaceholder(secret),
  },
  {
    id: 'stripe-key',
    name: ['Stripe key', 'Stripe 密钥'],
    anchors: ['sk_live_', 'rk_live_', 'whsec_'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_])(?:[sr]k_live_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/]{32,64}={0,2})(?![A-Za-z0-9_])',
    entropy: 3.3,
    holds: (secret) => hasDigitAndLetter(secret),
  },
  {
    id: 'shop-key',
    name: ['Shop or payment key', '商店与支付密钥'],
    anchors: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'sq0atp-', 'sq0csp-', 'access_token$production$'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_-])(?:shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})|access_token\\$production\\$[0-9a-z]{16}\\$[0-9a-f]{32})(?![A-Za-z0-9_-])',
    entropy: 3,
  },
  {
    id: 'twilio-key',
    name: ['Twilio key', 'Twilio 密钥'],
    anchors: [...'0123456789abcdef'].map((digit) => `sk${digit}`),
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])SK[0-9a-f]{32}(?![A-Za-z0-9_])',
    entropy: 3,
  },
  {
    id: 'sendgrid-key',
    name: ['SendGrid key', 'SendGrid 密钥'],
    anchors: ['sg.'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_.-])SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}(?![A-Za-z0-9_-])',
    entropy: 3.5,
  },
  {
    id: 'mailgun-key',
    name: ['Mailgun or Mailchimp key', 'Mailgun 或 Mailchimp 密钥'],
    anchors: ['key-', '-us1', '-us2', '-us3', '-us4', '-us5', '-us6', '-us7', '-us8', '-us9'],
    pattern:
      '(?:(?<!(?<!\\\\)[A-Za-z0-9_-])key-[0-9a-f]{32}|(?<=(?<!(?<!\\\\)[A-Za-z0-9_-])([0-9a-f]{32}))-us[1-9]\\d?)(?![A-Za-z0-9_-])',
    entropy: 3,
  },
  {
    id: 'telegram-bot',
    name: ['Telegram bot token', 'Telegram 机器人令牌'],
    anchors: [':aa'],
    pattern: '(?<=(?<!(?<!\\\\)[A-Za-z0-9])\\d{8,10}):(AA[A-Za-z0-9_-]{32,35})(?![A-Za-z0-9_-])',
    entropy: 3.5,
  },
  {
    id: 'discord-token',
    name: ['Discord token', 'Discord 令牌'],
    anchors: ['discord', 'bot m', 'bot n', 'bot o'],
    pattern:
      '(?:[Dd]iscord[A-Za-z_]{0,20}|DISCORD[A-Z_]{0,20}|[Bb]ot)["\'\\\\]{0,4}\\s{0,4}[:=]?\\s{0,4}["\'\\\\]{0,4}(?:Bot )?([MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40})(?![A-Za-z0-9_-])',
    entropy: 3.5,
  },
  {
    id: 'discord-webhook',
    name: ['Discord webhook', 'Discord Webhook 地址'],
    anchors: ['discord.com', 'discordapp.com'],
    pattern: 'discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{15,21}/([A-Za-z0-9_-]{60,80})',
    entropy: 3.5,
  },
  {
    id: 'notion-token',
    name: ['Notion token', 'Notion 令牌'],
    anchors: ['secret_', 'ntn_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,50})(?![A-Za-z0-9_])',
    entropy: 3.5,
    holds: hasDigitAndLetter,
  },
  {
    id: 'linear-key',
    name: ['Linear key', 'Linear 密钥'],
    anchors: ['lin_api_', 'lin_oauth_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])lin_(?:api_[A-Za-z0-9]{40}|oauth_[0-9a-f]{64})(?![A-Za-z0-9])',
    entropy: 3,
  },
  {
    id: 'atlassian-token',
    name: ['Atlassian token', 'Atlassian 令牌'],
    anchors: ['atatt3', 'atctt3', 'atbb'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])(?:AT[AC]TT3[A-Za-z0-9_=-]{120,400}|ATBB[A-Za-z0-9]{32}(?![A-Za-z0-9]))',
    entropy: 3.5,
  },
  {
    id: 'databricks-token',
    name: ['Databricks token', 'Databricks 令牌'],
    anchors: ['dapi'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])dapi[0-9a-f]{32}(?:-\\d{1,2})?(?![A-Za-z0-9])',
    entropy: 3,
  },
  {
    id: 'workplace-token',
    name: ['Token of a workplace service', '办公服务令牌'],
    anchors: ['figd_', 'pmak-', 'nrak-', 'glsa_', 'sntrys_', 'sntryu_', 'phx_', 'ghost_'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_-])(?:figd_[A-Za-z0-9_-]{38,50}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|NRAK-[A-Z0-9]{27}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|sntrys_[A-Za-z0-9+/=_-]{80,400}|sntryu_[0-9a-f]{64}|phx_[A-Za-z0-9]{43,50})(?![A-Za-z0-9_-])',
    entropy: 3,
  },
  {
    id: 'feishu-webhook',
    name: ['Feishu or Lark webhook', '飞书机器人 Webhook'],
    anchors: ['open.feishu.cn', 'open.larksuite.com'],
    pattern: `open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/(?:v2/)?hook/(${uuid})`,
  },
  {
    id: 'wecom-webhook',
    name: ['WeCom webhook', '企业微信机器人 Webhook'],
    anchors: ['qyapi.weixin.qq.com'],
    pattern: `qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/[a-z_]{4,20}\\?key=(${uuid})`,
  },
  {
    id: 'dingtalk-webhook',
    name: ['DingTalk webhook', '钉钉机器人 Webhook'],
    anchors: ['oapi.dingtalk.com'],
    pattern: 'oapi\\.dingtalk\\.com/robot/send\\?access_token=([0-9a-f]{64})',
  },
  {
    id: 'wechat-secret',
    name: ['WeChat or WeCom app secret', '微信或企业微信应用密钥'],
    anchors: ['appsecret', 'app_secret', 'corpsecret', 'corp_secret'],
    pattern:
      '(?:[Aa]pp_?[Ss]ecret|APP_?SECRET|[Cc]orp_?[Ss]ecret|CORP_?SECRET)["\'\\\\]{0,4}\\s{0,4}(?:=>|[:=])\\s{0,4}["\'\\\\]{0,4}([0-9a-f]{32}|[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])',
    entropy: 3,
    holds: hasDigitAndLetter,
  },
]
