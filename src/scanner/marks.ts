import type { TextMark } from './automaton.js'

/** Names of other sources' tools, as `neighbours` gives them. */
export type OtherNames = (identifier: string) => boolean

/**
 * What is no word: places of secrets, addresses, commands, the markup of chats, names of tools. Each pattern is linear: no part that repeats holds
 * another that does without a bound.
 */
export const marksIn = (text: string, isOther: OtherNames): readonly TextMark[] => {
  const marks: TextMark[] = []
  for (const { token, sign, pattern } of patterns) {
    if (!text.includes(sign)) continue
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match && marks.length < maxMarks; match = pattern.exec(text))
      marks.push({ at: match.index, end: match.index + match[0].length, token })
  }
  for (const found of identifiersIn(text)) {
    const name = text.slice(found.at, found.end)
    const isOthers = isOther(name)
    if (!isOthers && !found.isCode && !name.includes('_')) continue
    marks.push({ at: found.at, end: found.end, token: isOthers ? '#other' : found.isCode ? '#code' : '#ident' })
  }
  return marks.length < 2 ? marks : apart(marks)
}

const maxMarks = 2_000

/** In the order of their places; of two that overlap the longer one that begins first. */
const apart = (marks: readonly TextMark[]): readonly TextMark[] => {
  const kept: TextMark[] = []
  let end = 0
  for (const mark of marks.toSorted((a, b) => a.at - b.at || b.end - a.end)) {
    if (mark.at < end) continue
    kept.push(mark)
    end = mark.end
  }
  return kept
}

/** Words in backticks, and words that are written like the names of functions. */
function* identifiersIn(text: string): Generator<{ at: number; end: number; isCode: boolean }> {
  if (!text.includes('_') && !text.includes('`')) return
  identifier.lastIndex = 0
  let count = 0
  for (let match = identifier.exec(text); match && count < maxMarks; match = identifier.exec(text), count++) {
    const [whole, code] = match
    const at = match.index + (code === undefined ? 0 : 1)
    yield { at, end: at + (code ?? whole).length, isCode: code !== undefined }
  }
}

const identifier = /`([a-z][\w.-]{1,63})`|(?<![\w/.])[a-z][a-z0-9]{0,30}_\w{1,63}/g

interface Pattern {
  readonly token: string
  /** A text without it cannot match. */
  readonly sign: string
  readonly pattern: RegExp
}

const patterns: readonly Pattern[] = [
  {
    token: '#secret-path',
    sign: '.',
    pattern:
      /(?:~|\$home|%userprofile%|\/home\/[\w-]{1,32}|\/root|\/users\/[\w-]{1,32})?[\\/]?(?<![\w)])\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|pgpass|git-credentials|config\/gcloud|azure|bash_history|zsh_history|vault-token|htpasswd|gitconfig)\b(?:[\\/][\w.*-]{1,64}){0,4}/g,
  },
  { token: '#secret-path', sign: '.env', pattern: /(?<![\w)\]}])\.env\b(?:\.\w{1,20})?(?! file named)/g },
  {
    token: '#secret-path',
    sign: '.',
    pattern:
      /(?<![\w.-])(?:mcp|credentials|claude_desktop_config|secrets)\.(?:json|ya?ml|toml)\b|\bwallet\.dat\b|(?:\*|\w{1,40})\.(?:pem|keystore|kdbx|p12|pfx)\b|config\/database\.yml/g,
  },
  { token: '#secret-path', sign: '/etc/', pattern: /\/etc\/(?:passwd|shadow|sudoers)\b/g },
  { token: '#secret-path', sign: '/proc/', pattern: /\/proc\/(?:self|\d+)\/environ\b/g },
  {
    token: '#secret-path',
    sign: '.',
    pattern: /\b(?:cookies\.sqlite|service-account\.json|terraform\.tfstate|known_hosts)\b/g,
  },
  { token: '#secret-path', sign: 'id_', pattern: /\bid_(?:rsa|ed25519|ecdsa|dsa)\b/g },
  { token: '#secret-path', sign: 'authorized_keys', pattern: /\bauthorized_keys\b/g },
  { token: '#secret-path', sign: 'printenv', pattern: /\bprintenv\b/g },
  {
    token: '#image-link',
    sign: '](http',
    pattern: /!\[[^\]\n]{0,80}\]\(https?:\/\/[^\s)]{1,200}[?&/][\w-]{1,30}=[^\s)]{0,200}\)/g,
  },
  {
    token: '#url-hole',
    sign: '://',
    pattern:
      /https?:\/\/[^\s"'`<>(){}]{1,200}(?:<|\{\{?|\$\{?|\[)[^<>{}[\]\n]{0,20}(?:key|secret|token|password|chat|conversation|history|data|content|message|hex|base64|env|密钥|数据|内容|对话|密码)[^<>{}[\]\n]{0,20}[>}\]]/g,
  },
  { token: '#url', sign: '://', pattern: /(?:https?|wss?|ftp):\/\/[^\s"'`<>()，。；、]{1,300}/g },
  { token: '#email', sign: '@', pattern: /(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/g },
  { token: '#email', sign: '+', pattern: /(?<![\w+])\+\d{9,14}\b/g },
  {
    token: '#chat-markup',
    sign: '<',
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id)[^>\n]{0,20}>|<\/?(?:system|developer|assistant|system[-_]reminder|system[-_]prompt|admin|sys|hidden|secret|tool_description|instructions?_override|user_message)(?:\s[^<>\n]{0,60})?>|<<sys>>/g,
  },
  { token: '#chat-markup', sign: '[', pattern: /\[\/?(?:inst|admin|system|sys|developer|hidden)\]/g },
  {
    token: '#chat-markup',
    sign: '\n',
    pattern:
      /\n\s{0,4}(?:human|assistant|user|system|用户|助手|系统)\s{0,2}[:：][^\n]{0,400}\n\s{0,4}(?:human|assistant|user|助手)\s{0,2}[:：]/g,
  },
  {
    token: '#chat-markup',
    sign: '#',
    pattern: /#{2,4} {0,2}(?:system|instruction|系统|系统指令)(?: (?:prompt|message|override))?\s{0,2}[:：]/g,
  },
  {
    token: '#important',
    sign: '<',
    pattern: /<\/?(?:important|critical|mandatory|urgent|priority|instructions?|rules?|note)(?:\s[^<>\n]{0,60})?>/g,
  },
  { token: '#important', sign: '【', pattern: /【(?:重要|系统|系统管理员|管理员|必读|紧急)[^】\n]{0,10}】/g },
  { token: '#comment', sign: '<!--', pattern: /<!--/g },
  {
    token: '#command',
    sign: ' ',
    pattern:
      /\b(?:curl|wget|iwr)\b[^|\n]{0,160}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b|\brm -[rf]{1,2}\b|\bchmod (?:-r )?[0-7+][\w+]{0,5} ?(?:-r)? ?\/|\bnc -\w{0,4}e\b|\bpowershell(?:\.exe)? -e\w{0,20} |\bufw disable\b|\bpython3? -c\b|\bbash -[ci]\b|\beval\(|\/dev\/tcp\/|\bcat [~/.$]|\|\s?base64\b|\bcrontab -|\bsudo \w|\b(?:ba)?sh -c\b|\bnode -e\b|\bperl -e\b|\bmkfifo\b|\bdd if=|\bbase64 -d|\biex\b|\bos\.system\(|\bsubprocess\.|\bosascript -e|\bcertutil -/g,
  },
  {
    token: '#skip-permissions',
    sign: '--',
    pattern: /--(?:dangerously-[\w-]{1,40}|yolo|no-confirm|auto-approve|skip-permissions|trust-all-tools)\b/g,
  },
  {
    token: '#memory-file',
    sign: '.',
    pattern:
      /\b(?:claude|agents|gemini|memory)\.md\b|(?<!\w)\.cursor(?:rules|\/rules)\b[\w./-]{0,40}|copilot-instructions\.md|\.windsurfrules/g,
  },
  { token: '#profile-file', sign: '.', pattern: /(?:~\/)?\.(?:bashrc|zshrc|profile|bash_profile|zprofile)\b/g },
]
