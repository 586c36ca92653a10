import type { Pair } from './words.js'

/** How a key of a source is called and explained. In English the schema of the configuration explains it. */
export interface KeyWords {
  readonly label: Pair
  readonly zh: string
}

/** Every key that a source may have; a test compares it with the schema. */
export const keyWords: Readonly<Record<string, KeyWords>> = {
  command: { label: ['Command', '命令'], zh: '要运行的程序，不含参数；不经过 shell。' },
  args: { label: ['Arguments', '参数'], zh: '每行一个。' },
  env: { label: ['Environment', '环境变量'], zh: '除最小集合外传给程序的变量。' },
  url: { label: ['URL', 'URL'], zh: '它的地址。' },
  headers: { label: ['Headers', '请求头'], zh: '随每个请求发送。' },
  spec: { label: ['OpenAPI document', 'OpenAPI 文档'], zh: 'OpenAPI 3 文档的路径或 URL。' },
  baseUrl: { label: ['Base URL', '基础 URL'], zh: '调用发往何处，优先于文档所写。' },
  path: {
    label: ['Path', '路径'],
    zh: '定义所在的 JSON 文件，或 RegistryTools 的 tools.db；其中的工具只列出和查找，不能调用。',
  },
  module: { label: ['Module', '模块'], zh: '导出工厂函数的模块：路径或包名。' },
  config: { label: ['Given to the module', '交给模块的内容'], zh: '传给工厂函数。' },
  folder: { label: ['Folder of scripts', '脚本文件夹'], zh: '其中每个 *.js 也是一个工具，以其定义开头。' },
  scripts: { label: ['Scripts by name', '按名称的脚本'], zh: '名称与脚本；每个都是一个工具。' },
  cwd: { label: ['Working folder', '工作目录'], zh: '在何处运行。默认：网关启动的位置。' },
  limits: { label: ['Limits of its processes', '进程限制'], zh: '其进程可使用的资源，优先于 children.limits。' },
  sandbox: {
    label: ['Sandbox', '沙箱'],
    zh: 'none、bubblewrap、docker 或 podman，或包含 kind、network、mounts、image 的对象。',
  },
  isolation: {
    label: ['Whose its process is', '进程归谁'],
    zh: 'shared 所有人共用，caller 每个调用者一个，session 每个客户端会话一个；用于会记住操作的服务器，如浏览器。',
  },
  maxProcesses: { label: ['Processes at once', '进程数上限'], zh: '配合 isolation，含备用进程。默认 8。' },
  spare: { label: ['Started ahead', '备用进程'], zh: '配合 isolation，是否预先启动一个。默认 1。' },
  era: { label: ['Protocol era', '协议代际'], zh: 'auto 会询问服务器。' },
  auth: { label: ['Signing in there', '在那里登录'], zh: '如何在服务器登录。默认：服务器要求时使用 OAuth。' },
  assert: { label: ['Tell who calls', '告知调用者'], zh: '用网关签发的一分钟令牌告诉服务器是谁在调用。' },
  includeTags: { label: ['Only these tags', '仅这些标签'], zh: '只保留带有其中某个标签的操作。' },
  excludeTags: { label: ['Not these tags', '排除这些标签'], zh: '去掉带有其中某个标签的操作。' },
  allowPrivate: { label: ['Private addresses', '内网地址'], zh: '允许文档指向本机或内网地址。' },
  namespace: { label: ['Namespace', '命名空间'], zh: '其工具 id 的第一部分。默认：来源名称。' },
  description: { label: ['Description', '描述'], zh: '写给人看：它是什么。' },
  tags: { label: ['Tags', '标签'], zh: '加到它的所有工具上。' },
  timeoutMs: { label: ['Time for one call (ms)', '单次调用时限（毫秒）'], zh: '默认 30000。' },
  includeTools: { label: ['Only these tools', '仅这些工具'], zh: '用它自己的名称，* 代表任意文字。' },
  excludeTools: { label: ['Never these tools', '排除这些工具'], zh: '用它自己的名称，* 代表任意文字。' },
  onChange: { label: ['When a tool changes', '工具变化时'], zh: 'hold 扣留直到有人批准，note 只记录。' },
  newTools: { label: ['When something new is shown', '出现新内容时'], zh: 'hold 扣留直到有人批准，note 只记录。' },
  scan: { label: ['What the scanner finds', '扫描器的发现'], zh: 'hold 扣留直到有人批准，note 只显示，off 不扫描。' },
  annotations: {
    label: ['Its own word on read-only', '它自称只读时'],
    zh: 'trust 表示采信，只用于你自己运行的服务器。',
  },
  overrides: { label: ['Overrides', '覆盖'], zh: '按工具名称改变展示方式；也可在工具页的“展示为”中修改。' },
  registry: {
    label: ['From a registry', '来自注册表'],
    zh: '由 pegboard add 写入：注册表、名称和版本，用于查看更新。',
  },
  hosting: { label: ['In a fleet', '多副本时'], zh: 'one 由一个副本运行，each 各自运行，caller 由调用者决定。' },
  whenCutOff: { label: ['When cut off', '与数据库断开时'], zh: 'keep 继续运行，stop 先停止。' },
  startTimeoutMs: {
    label: ['Time to start (ms)', '启动时限（毫秒）'],
    zh: '默认 30000；可能先下载的命令（npx、uvx）为 120000。',
  },
  downloadTimeoutMs: {
    label: ['Time to download (ms)', '下载时限（毫秒）'],
    zh: '首次下载不计入启动时限。默认 300000。',
  },
  healthCheck: { label: ['Health check', '健康检查'], zh: '默认每 30000 毫秒一次，5000 毫秒无应答为一次失败。' },
  startOnDemand: { label: ['Start when called', '按需启动'], zh: '休眠到有工具被调用；已知的工具保持列出。' },
  idleStopMs: { label: ['Stop when idle (ms)', '空闲停止（毫秒）'], zh: '默认从不。' },
  startTries: { label: ['Starts that may fail', '允许启动失败次数'], zh: '默认 3。' },
  afterStartTries: { label: ['After that', '此后'], zh: 'slow 每分钟再试，park 等待 pegboard restart。' },
}
