import type { Locale } from '../../serving/locale.js'
import type { KeyVariable, WayIn } from '../../serving/our-launch.js'

/** The words of the greeting; commands and names are the same in every language. */
export interface GreetingWords {
  readonly serves: string
  readonly console: string
  readonly tools: string
  readonly examples: string
  readonly none: string
  starting(names: string): string
  readonly key: string
  readonly keyNeeded: Readonly<Record<KeyVariable, (options: string) => string>>
  readonly signIn: string
  readonly signsIn: Readonly<Record<WayIn, (options: string) => string>>
  readonly connect: string
  readonly orLet: string
  readonly try: string
  readonly next: string
  bringIn(options: string): string
  lookOn(options: string): string
  readonly stop: string
}

const makeKey = (options: string): string => `export PEGBOARD_KEY=$(npx pegboard key create me${options})`
const keyFor = (options: string): string => `npx pegboard key create NAME --role caller${options}`

export const greetingWords: Readonly<Record<Locale, GreetingWords>> = {
  en: {
    serves: 'Pegboard serves MCP at',
    console: 'Console',
    tools: 'Tools',
    examples: '(examples, until there are sources)',
    none: '(none yet: clients register them, or add sources)',
    starting: (names) => `(starting: ${names})`,
    key: 'Key',
    keyNeeded: {
      PEGBOARD_TOKEN: () => 'callers must send the token; below it is taken from PEGBOARD_TOKEN',
      PEGBOARD_KEY: (options) => `callers must send one, below it is taken from PEGBOARD_KEY: ${makeKey(options)}`,
    },
    signIn: 'Sign in',
    signsIn: {
      provider: (options) =>
        `people give their client the address alone and sign in with the browser; scripts send a key: ${keyFor(options)}`,
      key: (options) =>
        `people give their client the address alone and paste their key into the browser: ${keyFor(options)}`,
    },
    connect: 'Connect a client:',
    orLet: 'or let us write it (--undo takes it back):',
    try: 'Try',
    next: 'Next',
    bringIn: (options) => `npx pegboard init${options} brings in the servers that your clients already have`,
    lookOn: (options) => `npx pegboard doctor${options}, npx pegboard top${options}`,
    stop: 'Stop',
  },
  zh: {
    serves: 'Pegboard 已启动，MCP 地址：',
    console: '控制台',
    tools: '工具',
    examples: '（示例；添加来源后换成你自己的）',
    none: '（还没有：由客户端注册，或添加来源）',
    starting: (names) => `（正在启动：${names}）`,
    key: '密钥',
    keyNeeded: {
      PEGBOARD_TOKEN: () => '调用者必须出示 token；下面的命令从 PEGBOARD_TOKEN 读取它',
      PEGBOARD_KEY: (options) => `调用者必须出示密钥；下面的命令从 PEGBOARD_KEY 读取它：${makeKey(options)}`,
    },
    signIn: '登录',
    signsIn: {
      provider: (options) => `人员只需把地址填入客户端，再在浏览器中登录；脚本出示密钥：${keyFor(options)}`,
      key: (options) => `人员只需把地址填入客户端，再在浏览器中粘贴自己的密钥：${keyFor(options)}`,
    },
    connect: '接入客户端：',
    orLet: '或者由我们写好（--undo 可撤销）：',
    try: '试试',
    next: '下一步',
    bringIn: (options) => `npx pegboard init${options} 把客户端里已有的服务器搬过来`,
    lookOn: (options) => `npx pegboard doctor${options}、npx pegboard top${options}`,
    stop: '停止',
  },
}
