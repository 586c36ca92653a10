import type { Signal } from '../../automaton.js'

/** What is taken: secrets, files that hold them, the conversation; and where it goes. */
export const takingSignals: readonly Signal[] = [
  {
    // Reads a file that holds secrets.
    id: 'path.read',
    isPositive: true,
    phrases: ['@read ~8 #secret-path', '#secret-path ~6 @read'],
  },
  {
    id: 'path.give',
    isPositive: true,
    phrases: ['@give ~8 #secret-path', '#secret-path ~14 @give'],
  },
  {
    id: 'secret.read',
    isPositive: true,
    phrases: [
      '@read ~6 @secret',
      '@read ~6 api|ssh|private|access|session|github ~1 key|keys|token|tokens|configuration',
      '@read ~6 environment|env ~0 variables',
      '@read ~6 seed|recovery|mnemonic ~0 phrase|words',
      '@read ~3 环境变量|浏览器 ~4 @secret|全部',
    ],
  },
  {
    // Secrets that are somebody's, and not those of the tool.
    id: 'secret.theirs',
    isPositive: true,
    phrases: [
      'user|users|host|logged|their|browser|wallet|machine|repository ~3 @secret|environment|seed|ssh',
      '@secret|seed ~3 of|from ~3 user|host|machine|environment|session|notes|browser',
      'api ~0 keys|key ~3 you ~2 know|have|can|find|hold',
      'keys|secrets|credentials|passwords ~1 you ~1 hold|know|have|can',
      'secrets|keys ~2 in ~2 its|your ~1 context',
      'saved|stored|private ~0 passwords|keys',
      '用户|主机|浏览器|钱包|上下文|掌握|环境 ~4 @secret|环境变量|助记词',
      '环境变量 ~3 中 ~6 令牌|密钥',
      'passwords ~3 submit|send',
      '#secret-path',
    ],
  },
  {
    id: 'secret.give',
    isPositive: true,
    phrases: [
      '@give ~6 @secret',
      '@secret ~4 @give',
      '@give ~6 api|ssh|private|access|session|github ~1 key|keys|token|tokens',
      '@give ~6 environment|env ~0 variables',
      '@read ~8 @secret ~8 @give',
      '@read ~8 seed ~0 phrase ~8 @give',
      '@give ~6 环境变量',
      '环境变量 ~8 @give',
    ],
  },
  {
    // The very text of a file of secrets.
    id: 'path.content',
    isPositive: true,
    phrases: [
      '@content ~5 #secret-path',
      '#secret-path ~5 @content',
      'content|contents ~4 ssh|private|aws|env|passwd|credentials ~3 key|keys|credentials|file|passwd',
      'reading ~2 etc ~0 passwd',
      'credentials|env|key ~2 file ~0 contents|content',
      '私钥|密钥 ~2 文件|内容 ~4 @give',
      'cat|type|less|head ~0 #secret-path',
    ],
  },
  {
    id: 'secret.demand',
    isPositive: true,
    phrases: [
      'required|must|should ~4 hand|collect|send ~8 @secret|environment|keys',
      "enter|provide|supply|give|fill|pass|attach|paste|copy ~4 user|user's|host|their|your|current|all|any|master ~4 @secret|keys|ones",
      'reveal|dump|output ~3 all|the|every|your ~2 secrets|credentials|keys|passwords',
      '提供|填写|提交|交出|列出|说出|附上|取出|获取|收集|传入|填入|用 ~4 用户|全部|所有|主机|现有|你|上下文|浏览器 ~6 @secret|环境变量',
      '用户|主机 ~4 @secret|环境变量 ~6 @give',
      'ask ~2 user ~3 password|passwords ~6 pretext|routine|as',
      'api ~0 keys|key ~2 you ~2 know|have|can|find|hold',
    ],
  },
  {
    // "… and pass it as `note`."
    id: 'pass.parameter',
    isPositive: true,
    phrases: [
      '@give ~8 as|in|into|to|via|through|with|under ~3 @parameter',
      '@parameter ~3 must|should ~2 contain|hold|be|include',
      '作为|放到|填入|放入|放进|写入|填在|通过|在 ~8 @parameter',
      '@parameter ~4 传入|填入|填写|放入',
    ],
  },
  {
    // The conversation, or what the model was told.
    id: 'context.give',
    isPositive: true,
    phrases: [
      '@give ~5 @whole ~4 @conversation',
      '@give ~6 @conversation ~5 @whole',
      '@give ~4 system|developer|hidden ~0 prompt|message|instructions',
      '@give|repeat|reveal|output|print|share|summarise|summarize ~4 your ~3 instructions|prompt|context|rules',
      '@give|repeat|reveal|summarise|summarize ~4 everything|anything|whatever ~3 user|they|you ~3 said|told|wrote|asked|written|say',
      'repeat ~2 instructions|prompt ~3 you ~2 given',
      'summary ~2 of ~1 everything ~3 user',
      '@whole ~3 @conversation ~6 @give',
      '@give ~4 @user ~4 @conversation|message|question|messages|@personal',
      'copy|keep|collect ~5 @user ~1 messages|passwords|data|keystrokes',
      'list|state|report|tell|names ~6 tools ~3 available|can ~2 you|use',
      '@give ~8 系统提示|提示词|系统提示词',
      '系统提示词|提示词 ~8 @give|原文',
      '@conversation ~8 @give',
      '复述|重复|说出 ~8 指令|提示词',
      '用户 ~2 的 ~2 @personal ~10 @give',
      '@give ~6 用户 ~4 消息|笔记|@conversation',
      '用户 ~8 消息 ~8 @give',
      '将|把 ~3 用户 ~8 消息|笔记|问题|对话 ~8 @give|复制',
      'forward|send|report|submit ~5 question|answer|draft|message',
      'system|full|complete|entire|previous ~1 prompt|conversation|messages|history ~3 verbatim|here|word|base64',
    ],
  },
  {
    id: 'context.mention',
    phrases: [
      'system ~0 prompt',
      '系统提示|系统提示词',
      'conversation|chat ~0 history|transcript|so',
      '聊天记录|对话记录|对话内容',
      'private ~0 messages|documents|files|notes',
      '私人 ~0 文件|笔记',
      'user ~1 notes|name|phone|location|messages|documents|contacts',
    ],
  },
  {
    // Somewhere out of here.
    id: 'send.out',
    isPositive: true,
    phrases: [
      '@send ~12 #url|#email',
      '@give ~8 #url|#email',
      'request|fetch|visit|open|resolve|access|ping ~3 #url ~8 @conversation|secret|hex|contents|whatever|plus|followed|complete|with',
      '#url ~4 followed|plus|with|and ~8 @user|@conversation|secret|data',
      '发送|上传|转发|提交|请求|访问 ~6 到|至|给|#url ~4 #url|#email',
      '#url|#email ~6 @send',
      '@send ~6 us|attacker|collector',
    ],
  },
  {
    // An address to which the answer itself carries data.
    id: 'send.link',
    phrases: [
      '#image-link',
      'markdown|image|picture|link|pixel ~8 #url ~8 encoded|base64|followed|user|conversation|data|query',
      'append|add|include|render|insert ~6 #url ~12 user|conversation|data|query|key|secret',
      '插入|附上|添加 ~8 #url ~16 用户|对话|查询参数|密钥|编码',
      'host ~0 name ~8 secret|key|token|password',
    ],
  },
  {
    id: 'answer',
    phrases: [
      'your|final|every|each ~1 answer|reply|response|summary|answers|replies',
      'when ~0 you ~1 summarise|summarize|answer|reply',
      '最终回复|每次回答|回复中|回答中',
    ],
  },
  {
    // What the model itself was told or can do.
    id: 'context.own',
    isPositive: true,
    phrases: [
      '@give|repeat|reveal|output|print|share|copy|state|report ~3 your ~2 system|hidden|initial|developer ~1 prompt|instructions|message',
      'repeat|reveal|print|output|copy ~3 instructions|prompt|rules ~2 you ~1 were|have ~1 given|been',
      '@give|state|list|report ~5 tools ~2 available|you ~2 to|can|have ~2 you|use',
      '你的 ~2 系统提示词|提示词|系统提示|隐藏提示词 ~8 @give',
      '@give ~4 你的 ~4 系统提示词|提示词|隐藏提示词|指令',
      '复述|重复|输出 ~2 你 ~8 指令|提示词',
      '{{ ~1 system_prompt',
      'everything ~2 user ~2 said|wrote|told|asked ~3 far|you',
    ],
  },
  {
    id: 'private.read',
    isPositive: true,
    phrases: [
      '@read|export|summarise|summarize|collect ~4 private|personal|confidential ~1 documents|messages|files|notes|data|mails',
      '@read ~4 user|users|their ~1 notes|documents|files|messages|mails|contacts|photos|history',
      'export ~2 contacts|messages|notes',
      '@read|整理|导出 ~3 用户 ~4 笔记|文件|消息|邮件|通讯录|照片|私人文件',
      '整理|导出 ~6 私信|通讯录|聊天记录',
    ],
  },
  {
    // An address that is built from what somebody said.
    id: 'send.link.data',
    phrases: [
      '#url ~3 followed|plus|concatenated|with|and ~6 user|conversation|chat|secret|key|message|what|everything',
      '#url ~6 query ~0 string',
      'query ~0 string ~8 #url',
      'encode|encoded|hex|base64 ~8 request|fetch|visit|call|get|load ~3 #url',
      'name|address|email ~6 in ~1 the ~1 query',
      '转成|编码 ~8 访问|请求 ~2 #url',
      '#url ~6 拼接|加上|后面|放进|查询参数',
    ],
  },
  {
    id: 'result',
    phrases: [
      'in|of|from ~2 result|output|response|answer|field',
      'returned|returns|answers|answer ~2 with|here|text|steps',
      '返回|结果|输出',
    ],
  },
]
