import { reasonZh } from '../faces/reason-words.js'

/**
 * What the rooms write into the log, in Chinese. They say it in English, since the log of a server is searched and quoted;
 * only lines for people are told in the language of their shell. `log-words.test.ts` finds the ones that have no row.
 */
const rows: readonly (readonly [RegExp, string])[] = [
  [/^Could not save approvals: /, '无法保存确认记录：'],
  [/^What was approved cannot be read, so every tool is held back: /, '无法读取确认记录，因此扣留所有工具：'],
  [/^The list of tools that are used often cannot be read anew: /, '无法重新读取常用工具列表：'],
  [/^The list of tools that are used often cannot be written: /, '无法写入常用工具列表：'],
  [
    /^What others approved cannot be read; what is known stays in force: /,
    '无法读取其他副本的确认记录；已知的内容继续有效：',
  ],
  [/^'(.+?)' has changed, which is noted: /, '“$1”有变化，已记录：'],
  [
    /^'(.+?)' has changed since it was approved and is held back: (.*)\. Look at it: /s,
    '“$1”在确认之后有变化，已被扣留：$2。查看：',
  ],
  [
    /^'(.+?)' was not in the first report of its source and is held back\. Look at it: /s,
    '“$1”不在其来源的首次报告中，已被扣留。查看：',
  ],
  [/^'(.+?)' looks dangerous \((.+?)\) and is held back\. Look at it: /s, '“$1”看起来有危险（$2），已被扣留。查看：'],
  [
    /^'(.+?)' cannot be compared with what was approved and is held back\. Look at it: /s,
    '“$1”无法与已批准的内容比较，已被扣留。查看：',
  ],
  [/^Could not remove a tool from the store: /, '无法从存储中删除工具：'],
  [/^Could not save tools: /, '无法保存工具：'],
  [
    /^Tracing is off: (\S+) cannot be loaded \((.*?)\)\. Run: (.+?), and start an OpenTelemetry SDK with node --import\./s,
    '未启用追踪：无法加载 $1（$2）。请运行：$3，并用 node --import 启动 OpenTelemetry SDK。',
  ],
  [/^The audit trail cannot be written: (.*); calls go on without it\./s, '无法写入审计记录：$1；调用照常进行。'],
  [
    /^The audit trail is written more slowly than calls come: lines are being left out\./,
    '审计记录的写入慢于调用：正在略去部分记录。',
  ],
  [/^The audit trail lacks (\d+) lines\./, '审计记录缺少 $1 行。'],
  [/^Held here: /, '由本副本持有：'],
  [/^No longer held here: /, '本副本不再持有：'],
  [/^Not taken: (.+?): /, '未能取得 $1：'],
  [/^A drain hook failed: /, '关闭时的清理步骤失败：'],
  [/^The HTTP listener reports /, 'HTTP 监听器报告：'],
  [/^The certificate was read anew: /, '已重新读取证书：'],
  [/^The new certificate is not used, the old one stays in force: /, '未采用新证书，旧证书继续有效：'],
  [/^The certificate has expired: (.*)\. Clients will refuse it\./s, '证书已过期：$1。客户端会拒绝它。'],
  [/^The certificate ends in (\d+) days: /, '证书将在 $1 天后到期：'],
  [/^Every user of this machine can read the key of our certificate: /, '本机所有用户都能读取证书的私钥：'],
  [
    /^A key for administration \((.+?)\) came over plain HTTP from another machine: use TLS, and make another key\./,
    '管理密钥（$1）通过明文 HTTP 从其他机器传来：请使用 TLS，并更换密钥。',
  ],
  [/^Request failed: /, '请求失败：'],
  [/^Upgrade failed: /, '连接升级失败：'],
  [
    /^search: the built-in model cannot be used, so words are matched only; install the package again/,
    '搜索：内置模型不可用，只按词匹配；请重新安装软件包',
  ],
  [/^search: a tool could not be read/, '搜索：有一个工具无法读取'],
  [/^search: the query could not be embedded/, '搜索：查询无法向量化'],
  [/^search: tools could not be embedded/, '搜索：工具无法向量化'],
  [
    /^The sign-in of '(.+?)' was sealed by a secret that is gone\. Run: /,
    '“$1”的登录信息由已不存在的密钥封存，无法打开。请运行：',
  ],
  [/^The renewed sign-in of '(.+?)' is not kept yet: /, '“$1”续期后的登录信息尚未保存：'],
  [/^The uses of a key are not saved yet: /, '密钥的使用记录尚未保存：'],
  [/^The uses of keys are not saved yet: /, '密钥的使用记录尚未保存：'],
  [/^The keys cannot be read anew: /, '无法重新读取密钥：'],
  [/^A stored key cannot be read and opens nothing/, '有一个已存的密钥无法读取，不起作用'],
  [/^A listener for revoked keys failed: /, '密钥吊销的监听者出错：'],
  [/^The secret of sessions cannot be kept, they end with this process/, '会话密钥无法保存，会话将随本进程结束'],
  [
    /^Every user of this machine could read the secret of sessions; remove the file to make another/,
    '本机所有用户都曾能读取会话密钥；删除该文件即可生成新的',
  ],
  [/^damaged (?:store|documents) set aside, starting empty/, '损坏的数据文件已改名保留，以空数据启动'],
  [
    /^a save that was reported as failed is on disk and could not be undone/,
    '一次报告为失败的保存已写入磁盘，无法撤销',
  ],
  [/^database of an earlier format is upgraded, a copy is kept/, '旧格式的数据库已升级，并保留了副本'],
  [
    /^the write-ahead log is gone after an unclean end: the last changes may be lost/,
    '上次异常结束后预写日志丢失：最近的改动可能已丢失',
  ],
  [/^database takes no changes at the moment/, '数据库暂时不接受改动'],
  [/^database closed without tidying up/, '数据库关闭时未能整理'],
  [/^could not note that the store is in use/, '无法标记存储正在使用'],
  [/^store opened without a lock: its folder takes no new files/, '存储以无锁方式打开：其文件夹不能新建文件'],
  [/^Source '(.+?)' stopped: /, '来源“$1”已停止：'],
  [/^The store could not be read: /, '无法读取存储：'],
  [/^The sign-ins cannot be read: /, '无法读取登录信息：'],
  [/^The sign-in of '(.+?)' is no longer good\./, '“$1”的登录已失效。'],
  [/^A sign-in at (\S+) was begun for '(.+?)'\./, '已开始为“$2”在 $1 登录。'],
  [/^'(.+?)' is signed in\./, '“$1”已登录。'],
  [/^The (\w+) of '(.+?)' could not be read: /, '“$2”的 $1 无法读取：'],
  [/^Source '(.+?)' did not start: /, '来源“$1”未能启动：'],
  [/^Process crashed$/, '进程崩溃'],
  [/^Ended processes that an earlier gateway left behind/, '已结束先前的网关遗留的进程'],
  [
    /^The reaper process could not be started; it is tried again with the next child/,
    '无法启动看护进程；启动下一个子进程时再试',
  ],
  [
    /^The reaper process ended; children may outlive a crash until it is back/,
    '看护进程已退出；在它恢复之前，若发生崩溃可能遗留子进程',
  ],
  [/^(\d+) lines suppressed/, '略去 $1 行'],
  [/^A signal could not be sent/, '信号未能发送'],
  [/^A listener of a child process failed/, '子进程的监听者出错'],
  [/^The new tool list of '(.+?)' could not be read: /, '无法读取“$1”的新工具列表：'],
  [/^Result size (\d+) bytes exceeds limit (\d+)/, '结果大小 $1 字节，超过上限 $2'],
  [
    /^the source forgot our session or changed its era; connecting again/,
    '来源丢失了会话或更换了协议版本；正在重新连接',
  ],
  [/^a listener of the MCP client failed/, 'MCP 客户端的监听者出错'],
  [/^Schema conversion failed: /, '模式转换失败：'],
  [/^The tool '(.+?)' is not imported: /, '工具“$1”未导入：'],
  [/^(.+?) answered nothing$/, '$1 没有应答'],
  [/^The MCP server '(.+?)' is not connected: /, 'MCP 服务器“$1”未连接：'],
  [/^Tool list: /, '工具列表：'],
  [/^Tool list size (\d+) bytes exceeds limit (\d+): /, '工具列表大小 $1 字节，超过上限 $2：'],
  [/^Tool called: /, '调用工具：'],
  [/^The tool list changed and was not read again: reconnecting/, '工具列表有变化而对端没有重新读取：正在重新连接'],
  [/^Connected to xiaozhi endpoint/, '已连接小智接入点'],
  [/^xiaozhi endpoint needs attention: /, '小智接入点需要处理：'],
  [/^Lost xiaozhi endpoint: (.*); next try in ([\d.]+) s$/s, '小智接入点断开：$1；$2 秒后重试'],
  [/^Source '(.+?)' is not mounted: /, '来源“$1”无法挂载：'],
  [/^Log sink failed: (.+?), records are being lost there/, '日志输出失败：$1，那里的记录正在丢失'],
  [/^Going on without what is stored: /, '不使用已存的数据继续运行：'],
  [
    /^(.*) Going on with what it knows: what is registered or counted here is not kept\./s,
    '数据文件正被另一个进程使用；按其内容继续运行，但这里注册的工具和计数不会保存。$1',
  ],
  [/^Ended containers that an earlier gateway left behind$/, '已结束之前的网关遗留的容器'],
  [/^A limit is not enforced on this machine$/, '这台机器无法实施某项限制'],
  [/^Kept a sandboxed source from a place that is not on its list$/, '已阻止沙箱中的来源访问不在其名单上的地址'],
  [/^Listening: /, '正在监听：'],
  [/^'(.+?)' differs from the lock file in spelling, which is noted\./, '“$1”与锁文件只有写法上的差异，已记录。'],
  [/^What replica (.+?) told could not be used\./, '副本 $1 告知的内容无法使用。'],
  [/^Not all registered definitions could be read: /, '有已注册的工具定义无法读取：'],
]

/** A message of the log in Chinese; one without a row stays as it was said. */
export const logZh = (message: string): string => {
  const row = rows.find(([pattern]) => pattern.test(message))
  return reasonZh(row ? message.replace(row[0], row[1]) : message)
}
