import type { Severity } from '../finding.js'

/** When signals in one text, close to each other, are worth a person's look. */
export interface Rule {
  readonly id: string
  readonly severity: Severity
  /** All of one of these lists, within the window; `a|b` is either of the two. */
  readonly when: readonly (readonly string[])[]
  /** How far apart, in characters, its signals may stand; `window` where it does not say. */
  readonly within?: number | undefined
  readonly reason: { readonly en: string; readonly zh: string }
  /** Graver rules that say the same: where one of them is told, this one is not. */
  readonly unless?: readonly string[] | undefined
}

/** How far apart, in characters, the signals of one rule may stand. */
export const window = 420

const hush = 'secrecy|secrecy.weak|unasked'

export const rules: readonly Rule[] = [
  {
    id: 'secret.exfiltration',
    severity: 'high',
    when: [
      ['path.read', `path.give|pass.parameter|again|send.out|exec|lever|${hush}`],
      ['path.content', 'path.give|send.out|directive|lever'],
      ['path.give', `directive|lever|pass.parameter|address|${hush}`],
      ['secret.read', 'secret.theirs', `pass.parameter|lever|again|${hush}`],
      ['secret.give', 'secret.theirs', `directive|pass.parameter|send.out|lever|shadow.when|fake|${hush}`],
      ['secret.give|secret.demand', `secrecy|unasked|address|lever|fake`],
      ['secret.demand', 'shadow.when|shadow.before-any'],
    ],
    reason: {
      en: 'It asks for a secret (a key, a password, a file of credentials) to be read and handed over.',
      zh: '它要求读取机密（密钥、密码或凭据文件）并交出来。',
    },
  },
  {
    id: 'secret.demand',
    severity: 'medium',
    unless: ['secret.exfiltration'],
    when: [
      ['path.content'],
      ['path.give'],
      ['secret.give', 'secret.theirs'],
      ['secret.demand', 'directive|fake'],
      ['path.read', 'directive'],
    ],
    reason: {
      en: 'It asks the model for secrets or for the contents of a file that holds them.',
      zh: '它向模型索取机密，或索取存放机密的文件内容。',
    },
  },
  {
    id: 'context.exfiltration',
    severity: 'high',
    when: [
      ['context.give', `send.out|shadow.before-any|address|fake|${hush}`],
      ['context.give', 'pass.parameter', 'directive|lever|always'],
      ['context.own'],
      ['context.mention', 'send.link'],
      ['context.mention', 'send.out', 'directive|secrecy|secrecy.weak|address'],
    ],
    reason: {
      en: 'It asks for the conversation, the instructions of the model or personal data to be handed over.',
      zh: '它要求交出对话内容、模型的指令或个人数据。',
    },
  },
  {
    id: 'context.demand',
    severity: 'medium',
    unless: ['context.exfiltration'],
    when: [
      ['context.give', 'directive|pass.parameter|context.mention|always|again'],
      ['send.link', 'answer|directive|secret.theirs|context.mention'],
      ['send.link.data'],
    ],
    reason: {
      en: 'It asks for the conversation or the instructions of the model.',
      zh: '它索取对话内容或模型的指令。',
    },
  },
  {
    id: 'instruction.secrecy',
    severity: 'high',
    when: [
      [
        'secrecy',
        'directive|send.out|redirect|exec|exec.weak|shadow.when|shadow.instead|markup.important|persist|bypass|address|always|command',
      ],
    ],
    reason: {
      en: 'It tells the model to do something and to keep it from the user.',
      zh: '它让模型做某事并瞒着用户。',
    },
  },
  {
    id: 'instruction.hide',
    severity: 'medium',
    unless: ['instruction.secrecy', 'secret.exfiltration', 'context.exfiltration'],
    when: [['secrecy'], ['secrecy.weak', 'directive|context.give|exec|exec.weak|redirect|address|send.out|always']],
    reason: { en: 'It tells the model to keep something from the user.', zh: '它让模型对用户有所隐瞒。' },
  },
  {
    id: 'instruction.ignore-previous',
    severity: 'high',
    when: [['override']],
    reason: {
      en: 'It tells the model to leave its instructions or the wishes of the user behind.',
      zh: '它让模型抛开既有指令或用户的意愿。',
    },
  },
  {
    id: 'instruction.role',
    severity: 'high',
    when: [['role']],
    reason: {
      en: 'It gives the model another role, or tells it whom to obey.',
      zh: '它让模型扮演另一角色，或规定它服从谁。',
    },
  },
  {
    id: 'instruction.markup',
    severity: 'high',
    when: [['markup']],
    reason: {
      en: 'It holds the markup by which chats tell systems, users and assistants apart.',
      zh: '它含有聊天中区分系统、用户与助手的标记。',
    },
  },
  {
    id: 'instruction.to-model',
    severity: 'medium',
    unless: ['instruction.secrecy', 'instruction.ignore-previous', 'instruction.markup'],
    when: [
      ['address', 'directive|unasked|exec|send.out|again|fake'],
      ['markup.important', 'directive|pass.parameter|path.read|secret.give'],
      ['markup.comment', 'directive|address|send.out'],
      ['fake', 'directive|unasked|pass.parameter'],
    ],
    reason: {
      en: 'It speaks to the model as if it were its operator, not of what the tool does.',
      zh: '它以操作者的口吻对模型发号施令，而不是说明工具的用途。',
    },
  },
  {
    id: 'instruction.unasked',
    severity: 'high',
    when: [['unasked', 'exec|redirect|context.give|shadow.instead|override|bypass|command|private.read']],
    reason: { en: 'It tells the model to act without asking the user.', zh: '它让模型不经用户同意就行动。' },
  },
  {
    id: 'action.redirect',
    severity: 'high',
    when: [['redirect', 'directive|secrecy.weak|shadow.when|send.out|always|regardless']],
    reason: {
      en: 'It changes or adds whom something goes to: a recipient, an account, an address.',
      zh: '它改变或增加去向：收件人、账户或地址。',
    },
  },
  {
    id: 'action.recipient',
    severity: 'medium',
    unless: ['action.redirect'],
    when: [['redirect']],
    reason: { en: 'It names a recipient or an address of its own.', zh: '它自带收件人或地址。' },
  },
  {
    id: 'action.command',
    severity: 'high',
    when: [
      ['exec', 'directive|command|secrecy.weak|shadow.before-any|unasked|fake|first'],
      ['exec.weak', 'secrecy.weak|unasked'],
      ['exec.weak', 'result', 'directive|again'],
    ],
    reason: { en: 'It tells the model to run a command.', zh: '它让模型执行命令。' },
  },
  {
    id: 'action.run',
    severity: 'medium',
    unless: ['action.command'],
    when: [['exec'], ['exec.weak', 'address|again|fake|result'], ['command', 'directive|first|unasked']],
    reason: { en: 'It speaks of running a command that it brings along.', zh: '它要求运行它带来的命令。' },
  },
  {
    id: 'tool.shadowing',
    severity: 'high',
    when: [
      ['shadow.when', 'directive|always', 'shadow.instead'],
      ['shadow.when', 'redirect'],
      ['other', 'shadow.when', 'directive|always'],
      ['other', 'shadow.instead|redirect'],
      ['shadow.before-any', 'directive', 'pass.parameter|context.give|other-tools'],
    ],
    reason: { en: 'It changes how other tools are to be used.', zh: '它改变其他工具的用法。' },
  },
  {
    id: 'tool.others',
    severity: 'medium',
    within: 100,
    unless: ['tool.shadowing'],
    when: [
      ['shadow.when', 'directive|shadow.instead|always'],
      ['shadow.before-any', 'directive|pass.parameter|always|private.read'],
      ['shadow.change'],
      ['other-tools', 'shadow.instead'],
    ],
    reason: { en: 'It makes rules for the use of other tools.', zh: '它为其他工具的使用立规矩。' },
  },
  {
    id: 'tool.reference',
    severity: 'low',
    unless: ['tool.shadowing'],
    when: [['other']],
    reason: { en: 'It speaks of a tool of another source.', zh: '它提到其他来源的工具。' },
  },
  {
    id: 'tool.preference',
    severity: 'medium',
    when: [['prefer']],
    reason: { en: 'It pushes itself before other tools, whatever is asked.', zh: '它不顾需求地要求优先选用自己。' },
  },
  {
    id: 'instruction.persistence',
    severity: 'high',
    when: [
      ['persist', `prefer|override|address|markup.important|memory.write|${hush}`],
      ['memory.write', `directive|bypass|always|${hush}`],
    ],
    reason: {
      en: 'It wants to stay in force beyond this call: in memory, in files of rules, in other sessions.',
      zh: '它想在本次调用之外继续生效：写入记忆、规则文件或其他会话。',
    },
  },
  {
    id: 'instruction.remember',
    severity: 'medium',
    unless: ['instruction.persistence'],
    when: [['persist', 'directive|always'], ['memory.write']],
    reason: { en: 'It gives orders for other sessions.', zh: '它对其他会话发号施令。' },
  },
  {
    id: 'instruction.bypass',
    severity: 'high',
    when: [['bypass']],
    reason: {
      en: 'It wants confirmations, reviews or guards to be switched off or got around.',
      zh: '它要求关闭或绕过确认、审核或防护。',
    },
  },
]
