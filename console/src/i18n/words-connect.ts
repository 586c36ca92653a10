/** The texts of connecting a client, and of picking what its profile shows. */
export const connectWords = {
  connectTitle: ['Connect a client', '连接客户端'],
  connectPageLead: [
    'One address for every client. Choose what it shall see, copy what belongs into it.',
    '所有客户端使用同一个地址。选择它能看到的内容，复制要写入的配置。',
  ],
  address: ['Address', '地址'],
  needsNothing: ['Clients on this machine need no key.', '本机客户端不需要密钥。'],
  needsKey: [
    'Clients show a key. The snippets take it from the variable {variable}.',
    '客户端需要出示密钥。以下配置从变量 {variable} 读取。',
  ],
  needsSignIn: [
    'Clients need no key: whoever sits before them signs in at the identity provider.',
    '客户端不需要密钥：使用者在身份提供方登录。',
  ],
  makeKey: ['Make a key for it', '为它创建密钥'],
  keyName: ['Name of the key', '密钥名称'],
  keyIsIn: [
    'The key stands in the snippets below, and nowhere else: it is not shown again.',
    '密钥已填入下面的配置，此后不再显示。',
  ],
  keyAsVariable: ['Where the snippet names {variable}, set it first:', '配置中引用 {variable} 时，请先设置：'],
  whichClient: ['Client', '客户端'],
  intoFile: ['Into the file', '写入文件'],
  orCommand: ['Or by its own command', '或使用它自己的命令'],
  startsHere: [
    'It can only start programs: this starts the gateway where it is installed.',
    '它只能启动程序：此配置在安装网关的机器上启动网关。',
  ],
  installFirst: ['Install first: {command}', '先安装：{command}'],
  connectThis: ['Connect a client with this profile', '用此配置档连接客户端'],
  whatItShows: ['What it shows', '展示的内容'],
  pickHint: ['Tick sources or single tools.', '勾选来源或单个工具。'],
  nOfM: ['{n} of {all}', '{all} 个中的 {n} 个'],
  asPatterns: ['As patterns', '以模式表示'],
  foldGroup: ['What {source} has', '{source} 的内容'],
  perList: ['{n} tokens per list', '每次列出 {n} 个 token'],
  keepsValues: ['Keep arguments and results', '保存参数和结果'],
  keepsValuesHint: [
    'In the history, without what is found to be secret. Calls can then be looked into and replayed.',
    '保存在历史中，去除识别出的敏感内容。之后可以查看并重放调用。',
  ],
  keepsOwn: ['as much as the file says', '按配置文件中的大小'],
} as const
