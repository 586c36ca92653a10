import type { Rule } from './rule.js'

const hush = 'secrecy|secrecy.weak|unasked'

/** Orders to the model: what it is to hand over, hide, forget or obey. */
export const orderRules: readonly Rule[] = [
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
      ['secret.demand', 'shadow.when|shadow.before-any|again'],
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
      ['context.give', 'pass.parameter'],
      ['context.own'],
      ['context.mention', 'send.link'],
      ['context.mention|private.read', 'send.out'],
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
      ['context.give', 'directive|pass.parameter|always|again'],
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
    when: [
      ['secrecy'],
      ['secrecy.weak', 'directive|private.read|context.give|exec|exec.weak|redirect|address|send.out|always'],
    ],
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
    id: 'instruction.command',
    severity: 'high',
    unless: ['instruction.secrecy', 'instruction.ignore-previous', 'instruction.markup'],
    when: [
      ['address', 'directive|exec|send.out|again|fake|unasked'],
      ['markup.important', 'pass.parameter|path.read|secret.give|unasked'],
      ['markup.comment', 'send.out|address'],
    ],
    reason: {
      en: 'It gives orders to the model as if it were its operator.',
      zh: '它以操作者的身份向模型下命令。',
    },
  },
  {
    id: 'instruction.to-model',
    severity: 'medium',
    unless: ['instruction.secrecy', 'instruction.ignore-previous', 'instruction.markup', 'instruction.command'],
    when: [
      ['markup.important', 'directive'],
      ['markup.comment', 'directive'],
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
]
