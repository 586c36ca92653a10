/**
 * What the gateway says about sources, phrase by phrase: a reason is put together from a few of these and names of the
 * operator's own. The console and the command line read them here. `test/repository/chinese.test.ts` makes every reason the gateway has and looks for what is left in English.
 */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^Switched off\.$/, '已停用。'],
  [/^Sleeps until one of its tools is called\.$/, '休眠中，有人调用它的工具时启动。'],
  [/^Tool not found: (.+)\. List the tools to see their ids\.$/, '没有这个工具：$1。请列出工具查看标识。'],
  [/^There is no such request for approval; it may be too old\.$/, '没有这个批准申请；可能已过期。'],
  [/^Stopped by request\.$/, '已按要求停止。'],
  [/^Removed\.$/, '已移除。'],
  [
    /What it runs or leads to is new or has changed, and nobody has said yes to it\. Look at it and say yes: /,
    '它要启动或连接的内容是新的，或有变化，还没有人同意。查看并同意：',
  ],
  [/^The source waits for a yes: /, '来源等待同意：'],
  [
    /belongs to another user \(uid (\d+)\); it is used, since it was named, and whoever changes it decides what runs/,
    '属于另一个用户（uid $1）；因已指名而采用，能修改它的人就能决定运行什么',
  ],
  [
    /may be changed by group (\d+); it is used, since it was named, and whoever changes it decides what runs/,
    '组 $1 的成员可以修改它；因已指名而采用，能修改它的人就能决定运行什么',
  ],
  [/^is pending: /, '等待同意：'],
  [/(?<=^|ended: )The connection was closed\.$/, '连接已关闭。'],
  [/^Did not answer (\d+) health checks in a row within (\d+) ms each\./, '连续 $1 次健康检查未在 $2 毫秒内应答。'],
  [
    /'(.+?)' did not answer within (\d+) ms\. It may still have run; raise timeoutMs if it needs longer\./,
    '“$1” 未在 $2 毫秒内应答。它可能已执行；需要更久时请调大 timeoutMs。',
  ],
  [/(\S+) answered with HTTP status (\d+)\./, '$1 返回 HTTP 状态 $2。'],
  [/^Source '(.+?)' did not start: /, '来源“$1”未能启动：'],
  [/^The catalog file (.+?) cannot be read: /, '目录文件 $1 无法读取：'],
  [/^The OpenAPI document (.+?) cannot be read: /, 'OpenAPI 文档 $1 无法读取：'],
  [/^The OpenAPI document (.+?) cannot be used: /, 'OpenAPI 文档 $1 无法使用：'],
  [/^The embedded module (.+?) did not start: /, '内嵌模块 $1 未能启动：'],
  [/ENOENT: no such file or directory, \w+ '(.+?)'/, '没有这个文件或文件夹：$1'],
  [
    /the environment variable (\w+) is not set; set it, or write (\$\{.+?\})/g,
    '环境变量 $1 未设置；请设置它，或写成 $2',
  ],
  [/is not a known key; did you mean "(.+?)"\?/g, '不是已知的键；是否想写“$1”？'],
  [/is not a known key; the keys here are /g, '不是已知的键；可用的键有：'],
  [/is not a known key; remove it/g, '不是已知的键，请删除'],
  [/is not a known type "(.+?)"; did you mean "(.+?)"\?/g, '“$1” 不是已知的类型；是否想写“$2”？'],
  [/is not a known type "(.+?)"; use one of /g, '“$1” 不是已知的类型，可用：'],
  [/is required; add (?:an? )?[a-z ]+/g, '是必需的，请补上'],
  [
    /says neither "command" nor "url"; add one of them, or a "type"/g,
    '既没有 “command” 也没有 “url”；请补上其一，或写明 “type”',
  ],
  [
    /is needed with (\S+): tokens are for an address, so say under which one clients reach this gateway, as (\S+)/g,
    '使用 $1 时必须填写：令牌只对一个地址有效，请写明客户端用哪个地址访问本网关，例如 $2',
  ],
  [
    /must begin with https:\/\/ unless it is on this machine: tokens pass there/g,
    '必须以 https:// 开头（本机除外）：令牌会经过那里',
  ],
  [
    /is needed with auth\.people\.issuer: register a client there, and write its id/g,
    '使用 auth.people.issuer 时必须填写：请在那里注册一个客户端，并写上它的 id',
  ],
  [
    /is for an identity provider: add auth\.people\.issuer, or remove it where people sign in with keys/g,
    '只用于身份提供方：请补上 auth.people.issuer；若人员用密钥登录，请删除它',
  ],
  [/must hold "openid": nobody says who it was otherwise/g, '必须包含 "openid"：否则无从得知是谁'],
  [/is the same as an earlier one; remove one/g, '与前面的相同，请删除一个'],
  [/there is no profile "(.+?)"; did you mean "(.+?)"\?/g, '没有配置档“$1”；是否想写“$2”？'],
  [/there is no profile "(.+?)"/g, '没有配置档“$1”'],
  [
    /must say whom it is for: groups, clients, people or everyone(?:, got \w+)?/g,
    '必须写明对象：groups、clients、people 或 everyone',
  ],
  [
    /is never reached: the row before it \((\d+)\) is for everyone, and the first row that fits counts\. Move that one to the end/g,
    '永远轮不到：前面的第 $1 行对所有人有效，而第一个符合的行生效。请把那一行移到最后',
  ],
  [/is never reached: whoever it names is taken by a row before it/g, '永远轮不到：它所指的人已由前面的行处理'],
  [
    /is empty, so nobody who signs in may do anything; write a row for them/g,
    '为空，因此登录的人什么也不能做；请为他们写一行',
  ],
  [
    /The key of the vault does not fit: what is kept was sealed by the key (.+?), and (.+?) is (.+?)\. Nothing was changed\./,
    '保险库的密钥不匹配：已保存的内容由密钥 $1 加密，而 $2 是 $3。没有做任何改动。',
  ],
  [
    / Set vault\.key to the key that sealed it; while it is being changed, set vault\.previousKey to the earlier one and run: pegboard vault rotate\./,
    '请把 vault.key 设为当时加密的密钥；更换密钥期间，请把 vault.previousKey 设为旧密钥并运行：pegboard vault rotate。',
  ],
  [
    / If that key is gone: pegboard vault rotate --forget-unreadable, after which everybody signs in again\./,
    '如果那个密钥已丢失：pegboard vault rotate --forget-unreadable，之后所有人需重新登录。',
  ],
  [/expected one of ("none".+?), got \w+/g, '应为 $1 之一'],
  [/; did you mean "(.+?)"\?/g, '；是否想写“$1”？'],
  [/expected (.+?), got (?:an? )?(\w+)/g, '应为 $1，实际是 $2'],
  [/; mend that file, or correct the path/g, '；请修复该文件，或更正路径'],
  [/; put it in quotes/g, '；请加上引号'],
  [/; remove the quotes/g, '；请去掉引号'],
  [
    / Mend what it names; it is tried again when the file changes, or by: pegboard restart/,
    '请修正它所指的内容；文件变化后会自动重试，也可以重新启动该来源',
  ],
  [/^The source did not answer (\S+) within (\d+) ms\./, '来源未在 $2 毫秒内应答 $1。'],
  [/^The connection to the process ended: /, '与进程的连接已断开：'],
  [/^The connection to the process /, '与进程的连接'],
  [/^The stream to the process is closed\./, '与进程的数据流已关闭。'],
  [/^The connection to (.+?) ended: /, '到 $1 的连接已断开：'],
  [/^The connection to (\S+) /, '到 $1 的连接'],
  [/^The stream to (\S+) is closed\./, '到 $1 的数据流已关闭。'],
  [/^The stream to (\S+) ended before it was open\./, '到 $1 的数据流在打开之前就结束了。'],
  [/(.+?) could not be started: /, '$1 无法启动：'],
  [/was refused\. Check that the server is running and the port is right\.?/, '被拒绝：服务器在运行吗？端口正确吗？'],
  [/failed: no such host\. Check the name in the url\.?/, '失败：没有这个主机，请检查 url 中的名称。'],
  [/failed: the name could not be looked up just now\.?/, '失败：暂时无法解析名称。'],
  [/was reset by the server\.?/, '被服务器重置。'],
  [/was closed by the server before it had answered\.?/, '在应答之前被服务器关闭。'],
  [/was closed by the server\.?/, '被服务器关闭。'],
  [/took too long to open\.?/, '打开超时。'],
  [/brought no answer in time\.?/, '未及时应答。'],
  [/went silent in the middle of an answer\.?/, '在应答中途没有了数据。'],
  [/ ?is closed\.?$/, '已关闭。'],
  [/brought something that is not HTTP\.?/, '返回的不是 HTTP。'],
  [/failed \((.+?)\)\./, '失败（$1）。'],
  [/ ended by itself with exit code (\w+)\./, ' 自行退出，退出码 $1。'],
  [/ was ended by (\w+)\./, ' 被信号 $1 结束。'],
  [
    / was ended: over its (memory limit|limit of processor time|limit of processes|limit of file size) of (.+?) \((?:it used (.+?)|[^)]*)\)\./,
    ' 因超出限制（$2）被结束。',
  ],
  [
    / was ended: over its (?:memory limit|limit of processor time|limit of processes|limit of file size) of (.+?)\./,
    ' 因超出限制（$1）被结束。',
  ],
  [
    / Not seen inside its sandbox: (.+?)\. Name what it needs in "sandbox\.mounts"\./,
    '沙箱内看不到：$1。请在 “sandbox.mounts” 中写明它需要的内容。',
  ],
  [
    / is not seen inside its sandbox, or what runs it is not\. Name its folder in "sandbox\.mounts"\./,
    '（或运行它的程序）在沙箱内看不到。请在 “sandbox.mounts” 中写明其目录。',
  ],
  [
    / It sees only the system and what "sandbox\.mounts" names; its home and \/tmp are empty\./,
    '它只能看到系统和 “sandbox.mounts” 中写明的内容；主目录和 /tmp 是空的。',
  ],
  [/ was not started, since its sandbox cannot be made: /, ' 未启动，因为无法建立沙箱：'],
  [
    /bubblewrap needs Linux, and this is (\w+)\. Use "docker" or "podman" instead\./,
    'bubblewrap 需要 Linux，本机是 $1。请改用 “docker” 或 “podman”。',
  ],
  [
    /bubblewrap is not installed\. Install it \(apt install bubblewrap, dnf install bubblewrap\)\./,
    '未安装 bubblewrap。请安装（apt install bubblewrap）。',
  ],
  [
    /bubblewrap cannot make a sandbox here: (.+?)\. Unprivileged .+$/,
    'bubblewrap 在此无法建立沙箱：$1。请检查用户命名空间。',
  ],
  [
    /(docker|podman) is not installed\. Install it, or use another "sandbox"\./,
    '未安装 $1。请安装，或换用其他 “sandbox”。',
  ],
  [
    /(docker|podman) does not answer: (.+?)\. Start its service, or let this user use it\./,
    '$1 没有应答：$2。请启动其服务。',
  ],
  [
    /^The mount (.+?) does not exist\. Create it, or correct "sandbox\.mounts"\./,
    '挂载 $1 不存在。请创建，或更正 “sandbox.mounts”。',
  ],
  [
    /^The mount (.+?) leads to (.+?), which would take the box away\. Name what is needed below it\./,
    '挂载 $1 指向 $2，会使沙箱失去意义。请写明其下需要的内容。',
  ],
  [
    /^The mount (.+?) is a part of the system and can only be read\. Leave out "write"\./,
    '挂载 $1 属于系统，只能读取。请去掉 “write”。',
  ],
  [/^The mount (.+?) is a socket: .+$/, '挂载 $1 是套接字，不能挂载。'],
  [
    /^The mount (.+?) leads out of (.+?), in which the child may write\. Remove that link\./,
    '挂载 $1 指向可写目录 $2 之外。请删除该链接。',
  ],
  [/ It is started again; the log has its last words\./, '会重新启动；日志中有它最后的输出。'],
  [/ It wrote '(.+?)' on stdout, which is not MCP\./, '它在 stdout 上输出了“$1”，这不是 MCP。'],
  [/Starting: (\S+) is downloading what it runs\./, '正在启动：$1 正在下载要运行的程序。'],
  [
    / was still downloading what it runs after (\d+) ms\. Run the command once in a shell to see why, or raise "downloadTimeoutMs"\./,
    ' 在 $1 毫秒后仍在下载要运行的程序。请先在 shell 中运行一次该命令查看原因，或调大 “downloadTimeoutMs”。',
  ],
  [
    / was not ready within (\d+) ms; it may still have been downloading what it runs\. Run the command once in a shell, or raise "startTimeoutMs"\./,
    ' 未在 $1 毫秒内就绪；可能仍在下载要运行的程序。请先在 shell 中运行一次该命令，或调大 “startTimeoutMs”。',
  ],
  [
    / was not ready within (\d+) ms\. Raise its start timeout, or see why it hangs\./,
    ' 未在 $1 毫秒内就绪。请调大其启动时限，或查看它为何停住。',
  ],
  [/ It wrote nothing to stderr\./, '它没有向 stderr 输出任何内容。'],
  [/ Its last words on stderr:/, '它最后向 stderr 输出：'],
  [
    / A shell says 127 when it cannot find a command: is it installed and on PATH\?/,
    'shell 找不到命令时返回 127：是否已安装并在 PATH 中？',
  ],
  [/ A shell says 126 when a file is not executable\./, '文件不可执行时 shell 返回 126。'],
  [
    /there is no such command\. Put only the program into "command", and the rest into "args"\./,
    '没有这个命令。“command” 只写程序本身，其余写入 “args”。',
  ],
  [
    /there is no such command\. Is it installed, and in a folder of PATH\? An absolute path always works\./,
    '没有这个命令。是否已安装，并在 PATH 的某个文件夹中？使用绝对路径总是可行。',
  ],
  [
    /there is no such file\. Check the path; relative ones start at the working folder\./,
    '没有这个文件。请检查路径；相对路径从工作目录算起。',
  ],
  [
    /(\S+) exists, but the interpreter in its first line, or its loader, does not\. Install that\./,
    '$1 存在，但其首行指定的解释器或加载器不存在，请安装。',
  ],
  [
    /it may not be executed\. Is it a program, with its execute permission set \(chmod \+x\)\?/,
    '不允许执行。它是程序并且有执行权限（chmod +x）吗？',
  ],
  [
    /the limit on processes or memory is reached\. Raise it \(ulimit -u\), or run fewer sources\./,
    '已达到进程或内存上限。请调高（ulimit -u）或减少来源。',
  ],
  [
    /too many files are open\. Raise the limit \(ulimit -n\), or run fewer sources\./,
    '打开的文件过多。请调高上限（ulimit -n）或减少来源。',
  ],
  [
    /its arguments and variables are too large for this system\. Pass large values in a file\./,
    '参数和变量对本系统过大，请用文件传递大的值。',
  ],
  [
    /the file is not a program for this system\. A script needs a first line such as (\S.*)\./,
    '文件不是本系统的程序。脚本需要类似 $1 的首行。',
  ],
  [
    /its working folder (.+?) does not exist\. Create it, or correct "cwd"\./,
    '工作目录 $1 不存在，请创建或更正 “cwd”。',
  ],
  [/its working folder (.+?) is not a folder\. Correct "cwd"\./, '工作目录 $1 不是文件夹，请更正 “cwd”。'],
  [
    /its working folder (.+?) may not be entered\. Change its permissions, or "cwd"\./,
    '无权进入工作目录 $1，请更改权限或 “cwd”。',
  ],
  [/the system answered with an unknown error\./, '系统返回未知错误。'],
  [/the system answered (\w+)\./, '系统返回 $1。'],
]

// Before another reason, whose words then begin in the middle.
const leftAlone = 'Failed repeatedly and is left alone for a while. It last failed with: '

/** A reason in Chinese; what nobody translated stays as the gateway said it. */
export const reasonZh = (reason: string): string =>
  reason.startsWith(leftAlone)
    ? `连续失败，暂停调用一段时间。最近一次失败：${reasonZh(reason.slice(leftAlone.length))}`
    : phrases.reduce((text, [pattern, zh]) => text.replace(pattern, zh), reason)
