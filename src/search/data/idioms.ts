/**
 * What people say, and the words tools have for it, written by hand: `said | meant`. Ways to say it stand between commas; the words of
 * one follow each other in the query, a few others between at most. What is meant are needs between commas, each by any of its
 * words. Single words for the same are in thesaurus.ts: here stands what only a verb with its object, or a turn of speech, tells.
 */
export const idioms = `
open readme, read readme, 打开 文件, 看 文件 | read, file
last lines, first lines, 最后 行, 前 行 | lines tail head, read file
from disk, local file | file
picture from disk, load picture, load image, 读取 图片, 看 图片 | image media, read file
folder structure, directory structure, whole tree, everything below, 目录结构, 文件夹结构, 目录树 | tree, directory
how big file, space take, size of, 多大, 占 空间 | size
give new name, rename, 改名, 重命名 | rename move
put into folder, put in folder, into folder, 放到 文件夹, 移到 文件夹 | move, file
last modified, last changed, when changed, when modified, 修改时间, 什么时候 修改, 什么时候 改的 | info metadata, file
can access, may access, allowed access, 能访问, 可以访问 | allowed
typo, misspelling, 错别字, 打错, 拼写错误 | edit replace
change line, change one line, 改一行 | edit replace
new text file, create file, create new file, 新建 文件, 建 文件, 创建 文件 | write create, file
save to file, save text, write down file, 存到文件, 保存到文件, 写到文件 | write, file
remember, keep in mind, note for later, save note, 记住, 记下, 记一, 备忘 | create add, entity observation memory fact knowledge
one more thing about, also know about, 再记, 补充一条 | add, observation fact
forget, 忘掉, 忘记, 忘了, 记忆 删, 删 记忆 | delete, observation memory fact
you remember, you know everything, everything know, 你记住的, 你记得的, 记得的 | read, graph memory knowledge
do you know about, know about, 你知道 关于 | search open, node memory knowledge
relate to, is married to, works with, belongs to, 的关系, 关系 记 | relation
content of page, content web page, read this page, 网页 内容, 抓取 网页, 网页 抓 | fetch, page url
google, search internet, search online, look online, latest news, news about, 上网查, 网上搜, 新闻, 百度 | web search
plumber, electrician, hairdresser, 水管工, 理发店 | local places
near me, nearby, around here, 附近 | local places near
what time is, 现在几点, 几点了 | current time
time in when, when it is what time, 时间 点 几点, 时差 | convert, time zone
add numbers, add two, add up, sum up, plus, 加起来, 相加, 之和 | sum add, number
repeat after me, say back, 重复一遍, 原样返回 | echo
step by step think, think through, think about step, 一步步 想, 逐步 思考, 想清楚 | thinking thought sequential
checks pass, checks of pass, ci green, ci pass, 检查 通过, 检查 过 | status, check
reviewers say, feedback on, comment on my pull, 什么意见, 评审意见, 怎么评 | review comment
approve pull request, approve pr, 批准 pr, 批准 合并, 评审通过 | review approve, create
files touch, files change, 改了哪些文件, 动了哪些文件, 涉及哪些文件 | file change
up to date with main, behind main, 更新到最新, 跟上主分支 | update branch
close issue, reopen issue, close bug, 关闭 问题, 关掉 问题, 关掉 issue | update issue
leave comment, say something, leave word, 留言, 留个言, 评论一下 | add comment
function used, where used, used across, usages of, uses of, call function, 找 函数, 用到 函数, 哪里用, 哪里调用 | search, code
popular framework, popular library, popular project, open source project, web framework, 开源项目, 热门 项目, 前端项目 | repository search
who changed, commit history, change history, 谁改, 提交历史, 提交记录, 修改历史 | commit log history
commit changes, commit work, save work, save progress, save in git, 保存 改动, 保存 工作, check in changes, 提交代码, 提交改动, 提交更改, 提交修改, 提交一下 | commit, record change repository
stage files, stage changes, 暂存区, 暂存 | stage staging add
undo staged, unstage, 取消暂存, 撤销暂存 | reset staged staging
have changed, have i changed, my changes, uncommitted, 我改了什么, 改了什么, 改了哪些, 未提交 | status, change working tree
not staged, unstaged, 未暂存, 没暂存, 没有暂存 | unstaged, diff
next commit, about to commit, 下次提交, 将要提交, 准备提交 | staged, diff
switch to branch, go to branch, change to branch, 切换到 分支, 切到 分支 | checkout switch branch
what branches, which branches, branches have, 哪些分支, 有什么分支 | list, branch
in that commit, in this commit, 那个提交, 这次提交 | show, commit
tell team, tell everyone, tell everybody, let everyone know, let team know, announce, 通知大家, 告诉大家, 在群里说, 发到群, 跟大家说 | post message, channel
answer thread, answer in thread, reply thread, 回复 | reply
thumbs up, react with, 点赞, 点个赞, 表情 | reaction
was said, been said, talked about, 聊了什么, 说了什么, 聊天记录, 讨论了什么 | history message
who is on, who is in, who works, 有谁, 有哪些人, 哪些成员 | user people member
who is this person, about this person, 这个人是谁 | profile user
meeting notes, my notes, 会议记录, 会议纪要 | search page note
not done, still to do, unfinished, 没完成, 未完成, 没做完 | query row filter
add paragraph, at end of page, add to page, 加一段, 末尾加, 后面加 | append block
how do i get, way from to, get from to, route to, 怎么走, 怎么去, 怎么到, 路线 | direction route
how far, how long take, 多远, 多长时间到, 要多久 | distance travel
open on, opening hours, open now, open today, still open at, 开门, 营业, 关门 | place detail, opening hour
what address, which address, which place coordinates, 什么地址, 哪个地址 | reverse, address
coordinates of, latitude of, where exactly is, 坐标 是多少, 经纬度 是多少 | geocode coordinate
how high, above sea, altitude, 海拔, 山 多高 | elevation height
eat, lunch, dinner place, restaurant, 吃饭, 餐厅, 饭馆 | restaurant place search
picture of page, screenshot, 截图, 截个图, 截屏 | screenshot
go to website, visit website, open website, open page, 打开网页, 打开网站, 打开 网址 | navigate url
go back, previous page, 上一页, 后退, 返回 前 | back
javascript errors, errors on page, error page, 报错, 控制台 | console message
requests page, network traffic, page load from, 网络请求, 请求了 | network request
new tab, other tab, 标签页 | tab
slow connection, slow network, bad connection, 慢速网络, 弱网, 网速 慢 | emulate throttle, network
attach on page, upload on page, attach my, 网页 上传, 页面 上传 | upload file
fill in, type into, enter into, 填上, 输入框, 填写 | type fill, field form
dropdown, drop down, 下拉 | select option
hit enter, hit key, press enter, 回车, 按一下 键, 按 键 | press key
popup, pop up, dialog, 弹窗, 弹出 | dialog
mouse over, pointer over, 鼠标移到, 鼠标 放到, 悬停 | hover
wait until, wait for, 等到, 等 出现, 等 加载完, 等待 | wait
page so slow, page slow, how fast page, page load slowly, 页面 慢, 加载 慢, 页面性能 | performance trace
window bigger, window smaller, size of window, 窗口 大小, 窗口 调 | resize window
docs for, docs of, documentation for, documentation of, how use library, 的文档, 怎么用 | docs documentation library
how many in database, rows in database, in database, 数据库里 多少, 数据库里 几 | read select query, database
insert row, insert into, add row, change row, 插入一行, 插入一条, 表里 加, 表里 插入 | write insert query
columns, fields of table, table look like, 表结构, 哪些列, 哪些字段, 有哪些列 | describe table column
move ticket, ticket to, in progress, mark as done, set to done, 改成进行中, 进行中, 改成已完成, 标记为完成 | transition status
hours on, log hours, log time, spent on, 工时, 花了 小时 | worklog time log
drop line, write to, 写信给, 发封信 | send email
prepare mail, prepare email, not send, 草稿, 先不发, 别发 | draft
rid of, throw away, 扔掉, 不要了, 丢掉 | delete remove
mark as read, out of inbox, archive mail, 标为已读, 归档 邮件 | modify label
inbox, latest email, latest mail, new mail, 收件箱, 新邮件, 最新的邮件 | read search, email
move meeting, move appointment, postpone, reschedule, meeting to, 会议改, 改到 点, 推迟, 改期 | update, event
call off, cancel meeting, cancel appointment, 取消会议, 取消 日程 | delete cancel, event
appointment, dentist, 日程, 约会, 看牙 | event, calendar
what is on, my schedule, agenda, my plans, 有什么安排, 什么安排, 什么会 | list, event
have time, is free, are free, everybody free, available, 有空, 空闲, 有时间 | free busy availability
umbrella, rain, snow, sunny, cold outside, warm outside, be warm, be cold, be sunny, how warm, how cold, 下雨, 带伞, 冷不冷, 热不热, 下雪 | weather forecast
storm, hurricane, severe weather, flood, 预警, 台风, 暴雨 | weather alert warning
said in video, subtitles, captions, video about, 字幕, 视频 说, 视频里 | transcript subtitle, video
is running, are running, are up, 在运行, 在跑, 运行着 | list running
spin up, start nginx, launch container, 起一个容器, 跑一个, 跑个 | run start, container
shut down, bring down, 停掉, 停下 | stop
container print, output of container, container say, 容器日志, 容器 输出 | log
apply yaml, deploy this, roll out, 应用 配置, 部署 | apply resource
light on, lights on, turn light on, turn on, switch on, 开灯, 打开 灯, 打开 空调, 打开 电视 | turn switch on, device
light off, lights off, turn light off, turn off, switch off, 关灯, 关掉 灯, 关闭 灯, 关掉 空调, 关上 灯 | turn switch off, device
degrees, warmer, colder, too cold, too hot, 温度调, 调到 度, 暖和一点, 冷一点, 热一点, 太冷, 太热 | temperature set thermostat
is door, is light, is window, 开着吗, 关了吗, 关着 | state
put on music, put on jazz, put on song, put on some, play song, listen to, 放一首, 放首, 听歌, 来点音乐, 放点 | play, track song music
louder, quieter, too loud, turn up, turn down, 大声, 小声, 声音大, 声音小, 声音 大, 声音 小 | volume, set
stop music, stop song, silence, stop playing, 别放, 停止播放, 音乐停 | pause playback
money back, pay back, 退款, 退钱, 退给 | refund
bill, charge customer, 账单, 开票, 开 发票 | invoice
new client, add client, 新客户, 加 客户 | customer create
`

/** What is recognised by its shape: `needs | expression`. */
export const shapes = `
file | \\b[\\w-]+\\.(?:json|md|txt|csv|ya?ml|toml|log|pdf|png|jpe?g|gif|py|ts|js|html|xml|docx?|xlsx?)\\b
navigate fetch url page | (?:https?:\\/\\/|www\\.)\\S|\\b[\\w-]+\\.(?:com|org|net|io|dev|cn|edu|gov)\\b
`
