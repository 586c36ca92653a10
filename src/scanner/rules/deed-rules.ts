import type { Rule } from './rule.js'

const hush = 'secrecy|secrecy.weak|unasked'

/** Deeds: other recipients, commands, other tools, whatever stays behind. */
export const deedRules: readonly Rule[] = [
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
    when: [['exec'], ['exec.weak', 'address|again|fake'], ['command', 'directive|first|unasked']],
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
      ['shadow.change', 'directive|always|redirect|secret.give|shadow.when'],
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
    id: 'instruction.company',
    severity: 'medium',
    within: 200,
    unless: [
      'secret.exfiltration',
      'secret.demand',
      'context.exfiltration',
      'context.demand',
      'instruction.secrecy',
      'instruction.ignore-previous',
      'instruction.to-model',
      'instruction.unasked',
      'action.redirect',
      'action.command',
      'tool.shadowing',
      'tool.others',
    ],
    when: [
      [
        'directive|always|first|regardless|again|fake|lever|unasked|secrecy.weak|address',
        'secret.theirs|secret.demand|context.mention|send.out|exec.weak|private.read|other-tools|shadow.before-any|shadow.instead|persist|path.read',
      ],
      ['pass.parameter', 'secret.theirs|context.mention|private.read|path.read|other-tools|send.out'],
      ['send.out', 'secret.theirs|context.mention|private.read|answer|result'],
    ],
    reason: {
      en: 'It gives an order about something that is not its own: secrets, private things, other tools, other places.',
      zh: '它对不属于自己的事物发号施令：机密、私人内容、其他工具或外部地址。',
    },
  },
  {
    id: 'tool.reference',
    severity: 'low',
    unless: ['tool.shadowing'],
    when: [['other']],
    reason: { en: 'It speaks of a tool of another source.', zh: '它提到其他来源的工具。' },
  },
  {
    id: 'tool.takeover',
    severity: 'high',
    when: [['prefer', 'other-tools|regardless|override|shadow.before-any|persist']],
    reason: {
      en: 'It wants to be used in place of other tools, whatever is asked.',
      zh: '它要求不顾需求地取代其他工具。',
    },
  },
  {
    id: 'tool.preference',
    severity: 'medium',
    unless: ['tool.takeover'],
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
