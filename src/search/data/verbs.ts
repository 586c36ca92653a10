/**
 * Verbs of tool speech and what is done by them, written by hand, one group a line; English first, Chinese after the second bar. Words of
 * one phrase are joined by `_`. Deeds are create, list, get, update, delete, send, convert and compute.
 */

/**
 * What people ask for by a verb, whatever stands beside it: `deeds | English | Chinese`. Where one verb means several deeds, all
 * are named: a tool of any of them is what may be meant.
 */
export const askedVerbs = `
create | create make add new generate build compose draft write save store remember don't_forget record note jot_down keep register book order buy schedule arrange plan set_up insert append clone duplicate copy fork commit stage prepare leave attach upload invite subscribe mint plant sign_up remind | 创建 新建 建立 新增 添加 加上 加到 加一 加个 增加 生成 制作 编写 撰写 写一 写个 写下 写入 保存 存下 存到 存一 存起来 存好 别忘 储存 记住 记下 记着 记好 记一 记个 记录一下 记到 备忘 注册 预订 预定 订一 订个 订购 下单 购买 安排 插入 追加 克隆 复制 拷贝 建一 建个 建张 开一 开个 起草 拟一 留个 留言 留一 评论一下 提交 提个 提一 新开 做个 做一 弄个 弄一 报个 报一 上传 邀请 订阅 提醒我 加入 往 打印
list | list show display search find look_for look_up look_through browse enumerate query filter discover seek hunt google search_for | 列出 列举 列一下 列一列 显示 展示 搜索 搜一下 搜搜 搜 查找 查询 查一下 查查 查一查 查看 查 找 找找 找出 找到 浏览 检索 有哪些 哪些
get | get fetch read view see check check_on give_me tell_me describe explain look_at look_into retrieve inspect review monitor watch track download load print examine analyze analyse compare detect identify recommend suggest summarize summarise preview pull_up bring_up verify validate test ask know learn | 获取 取得 读取 读 看 看看 看一下 看下 瞧瞧 查阅 了解 告诉我 检查 核对 查明 监控 跟踪 追踪 下载 加载 分析 比较 对比 推荐 总结 概括 介绍 解释 预览 什么 多少 谁 哪里 哪儿 哪个 几点 几个 怎么走 怎么样 如何 验证 校验 抓取 知道
update | update change edit modify rename set adjust move switch turn turn_on turn_off enable disable start stop pause resume restart merge approve reject accept assign resolve fix correct replace rewrite revise apply configure toggle lock unlock mark tag label increase decrease raise lower mute sort deploy install upgrade press click type fill select choose pick play skip rotate resize crop reschedule postpone transition shut_down switch_on switch_off turn_up turn_down checkout check_out check_in check_off mark_as move_to put rebase sync connect hover drag scroll navigate go_to improve brighten dim | 更新 修改 编辑 更改 改成 改为 改到 改掉 改一下 改名 重命名 设置 设成 设为 设定 调整 调到 调高 调低 调大 调小 调成 移动 移到 移至 挪到 切换 切到 启动 停止 停掉 停下 暂停 恢复 继续 重启 合并 批准 通过 拒绝 指派 分配 解决 修复 修正 修一下 替换 应用 配置 锁上 锁定 解锁 标记 标为 标成 开启 打开 开灯 关灯 启用 禁用 静音 部署 安装 升级 按下 按一下 点击 点一下 填写 填上 填 选择 选中 选 播放 放一首 放首 放点 播一首 推迟 改期 更换 换成 换到 放到 放进 拖到 拖动 跳转 访问 前往 同步 提高 降低
update delete | close reset revert undo cancel roll_back rollback clear end terminate kill quit exit archive unsubscribe withdraw revoke retract discard_changes detach stop_following block | 关闭 关掉 关上 重置 撤销 撤回 取消 回滚 还原 结束 终止 退出 清空 清除 归档 退订 屏蔽 收回
delete | delete remove erase drop destroy purge wipe trash forget get_rid_of throw_away throw_out clean_up discard uninstall unlink take_out take_off take_away take_down call_off cut_out strip eliminate prune unstage deregister unregister evict scrap bin | 删除 删掉 删了 删去 删 移除 去掉 去除 清理 清掉 抹掉 擦除 忘掉 忘记 忘了 丢弃 丢掉 扔掉 卸载 拆掉 拿掉 销毁 干掉 注销 剔除 不要了
send | send email mail message text notify tell post publish reply respond answer forward share announce broadcast tweet dm write_to call dial pay transfer refund reimburse donate submit deliver dispatch transmit alert pass_on inform push | 发送 发给 发一 发个 发封 发条 发到 发出 发布 发消息 发邮件 发信 发短信 发微信 发 寄 寄给 寄出 通知 告知 告诉大家 告诉他 告诉她 告诉他们 回复 回信 回他 回她 答复 转发 转给 分享 公布 广播 群发 打电话 拨打 支付 付款 付钱 转账 退款 退钱 汇款 捐 推送 投递 说一声
convert | convert translate transform turn_into encode decode format transcribe transpose serialize parse minify compress decompress zip unzip encrypt decrypt geocode ocr export render | 转换 转成 转为 转化 换算 兑换 翻译 译成 编码 解码 格式化 转写 压缩 解压 加密 解密 变成 导出 折合
compute | calculate compute sum add_up multiply divide subtract estimate evaluate solve count simulate predict forecast average integrate differentiate factor work_out figure_out | 计算 算一下 算出 算算 算 求和 加起来 相加 相乘 相减 相除 乘以 除以 求解 估算 统计 预测 总共 合计
`

/**
 * Where the object decides: `deeds | verbs | objects`. The first row counts one of whose objects follows the verb, in Chinese one
 * that stands in the same clause; `*` is any object. Without one, what is written above, or nothing.
 */
export const askedFor = `
create | open start raise file put_up submit log cut lodge report begin enter | pull_request pull_requests pr prs merge_request mr issue issues bug bugs ticket tickets defect incident case feature_request discussion repository repo project branch tab window account thread channel conversation complaint claim support_request release milestone
create | 打开 开 提 提交 建 报 起 发起 开启 | 合并请求 拉取请求 pr mr issue bug 问题 工单 缺陷 需求 分支 仓库 项目 新标签 标签页 讨论 会话 账户 账号 任务 单子 频道
create | put add enter pencil drop | calendar appointment event meeting reminder note todo task shopping_list list row record entry
create | 放 加 记 写 排 约 | 日历 日程 会议 提醒 待办 清单 笔记 便签 任务 约会
create | log track | time hours worklog expense expenses work
create | start begin | list document doc page spreadsheet note recording trace timer poll survey chat container
create | take | note notes screenshot picture photo snapshot
create | push | files commit commits branch
create | 提交 | 代码 改动 更改 修改 变更 暂存
create | leave | comment comments note review message feedback
get | open 打开 | file files document readme pdf page pages site website url link folder directory image picture photo log logs book email mail message letter attachment spreadsheet sheet notebook node nodes 文件 文档 网页 页面 网站 链接 网址 目录 文件夹 图片 照片 日志 邮件 消息 附件 表格
update | open 打开 开 | light lights lamp door gate curtain curtains blinds garage valve tv television device app application browser program heater fan 灯 门 窗 窗帘 空调 电视 设备 应用 软件 程序 浏览器 风扇 开关
update | make | it louder quieter warmer brighter darker cooler bigger smaller
compute | add 加 | number numbers figures values up together 数 数字 两个数
send | drop | line message email
create | make | *
create send | write | him her them to
send | give | back
send | push 推 | notification notifications alert 通知 消息
get | give | me us
`

/**
 * By which verb a tool says what it does, in its name or as the first word of its description: `deed | English | Chinese`. Only
 * verbs that leave no doubt: a tool without one has no deed and is nobody's to put aside.
 */
export const toolVerbs = `
create | create add insert append generate make register save store write upload commit fork clone duplicate copy compose draft put schedule | 创建 新建 新增 添加 增加 生成 插入 写入 保存 注册 上传 复制 克隆 建立 预订 追加 提交
list | list search find query browse enumerate lookup filter discover show | 列出 列举 查询 搜索 查找 检索 浏览
get | get read fetch retrieve view describe check download inspect | 获取 读取 取得 查看 返回 得到 下载 检查
update | update edit modify set change move rename replace patch merge approve enable disable start stop pause resume restart toggle switch assign transition apply configure click fill | 更新 修改 编辑 设置 更改 移动 重命名 替换 合并 启用 禁用 启动 停止 暂停 恢复 重启 切换 打开 调整 执行 运行
delete | delete remove erase drop destroy purge wipe trash clear reset revoke cancel uninstall unlink terminate kill discard close truncate revert | 删除 移除 清空 清除 删掉 取消 卸载 销毁 撤销 重置 关闭
send | send post publish notify reply forward share broadcast tweet pay transfer refund dispatch create_refund create_payment create_charge create_transfer create_payout create_order place_order issue_refund make_payment | 发送 发布 通知 回复 转发 推送 支付 转账 退款 群发 分享
convert | convert translate transform encode decode format transcribe compress decompress encrypt decrypt parse | 转换 翻译 换算 编码 解码 格式化 压缩 解压 加密 解密 解析
compute | calculate compute sum multiply divide subtract solve estimate count | 计算 求和 求解 估算 统计
`

/** What tools call each deed, for verbs that say it otherwise. */
export const deedWords = {
  create: 'create new add',
  list: 'list search find',
  get: 'read get view',
  update: 'update set change',
  delete: 'delete remove',
  send: 'send post',
  convert: 'convert',
  compute: 'calculate sum compute',
} as const

/** What these do is seen in a name only: `Runs a SELECT` reads, `run_code` may do anything. */
export const nameVerbs = `
update | run execute turn_on turn_off
`

/** Verbs that are nouns as often: in the name of a tool they say what it does only where they come first. */
export const nounVerbs = `
apply cancel change check click close commit copy count draft drop estimate fill filter format forward list merge move notify patch pause pay post put query refund
reply reset run save schedule search set share show start stop store sum switch transfer trash turn upload view
`

/** Nouns more often than verbs: asked for, they count where a word follows that only follows verbs. */
export const verbNouns = `
answer book call commit draft email file label log mail message note order plan post print publish record release reply report request stage tag test text track type work
`

/** Words with a verb in them that are none: Chinese has no blanks between, and a longer word hides a shorter one. */
export const noVerbs = `
浏览器 合并请求 拉取请求 发票 发现 开发 开发者 发生 出发 发展 头发 沙发 首发 突发 发动机 开放 开心 开始时间 公开 离开 分开 开门 开会 开源 查看器 找不到 读者 阅读量 看板 看牙 看起来 看来 算法 预算 打算 云计算 选项 选手 候选 搜索引擎 搜索框 填充 记录 日记 笔记 书记 登记 记者 登记表 写字 作者 关闭的 打开的 读书 提示 提示词 提供 提前 建议 建筑 关键 建模 改变了 寄存 邮寄地址 说明 捐赠者 往返 往往 交往 订单 修改时间 创建时间 更新时间 发布时间 发送者 发件人 删除线 通知栏 安装包 上传者 下载量 翻译器 计算器 计算机 评论区 预测值 备忘录 存储 存在 支付宝 付款人 转换器 编码器 取消订单号 推送服务 拷贝数 复制品 归档文件 归档文件夹 归档目录 提交历史 提交记录 提交信息 历史记录 通知设置 更新日志 搜索历史 支付方式 预订记录 生成器 播放列表 收藏列表
`

/** Words of names that have an opposite, each with what people say for it: `word … | opposite …`. */
export const opposites = `
on 开灯 打开 开启 开一下 开开 点亮 | off 关灯 关掉 关上 关闭 关了 熄灭
lock 锁上 锁门 锁好 上锁 | unlock 解锁 开锁
enable activate 启用 开启 打开 | disable deactivate 禁用 停用 关闭 关掉
start begin launch 启动 开始 | stop end halt 停止 停掉 结束
open 打开 拉开 | close shut 关闭 关上 关掉 拉上
mute silence 静音 | unmute 取消静音
pause hold 暂停 | resume continue 继续 恢复
up raise 调高 调大 升 | down lower 调低 调小 降
increase raise 增加 提高 调高 | decrease reduce lower 减少 降低 调低
follow 关注 | unfollow 取关 取消关注
subscribe 订阅 | unsubscribe 退订 取消订阅
encode 编码 | decode 解码
encrypt 加密 | decrypt 解密
compress zip 压缩 | decompress unzip 解压
upload 上传 | download 下载
import 导入 | export 导出
next 下一 | previous last 上一
attach 附上 | detach 分离
assign 指派 分配 | unassign 取消指派
archive 归档 | unarchive 取消归档
block 拉黑 屏蔽 | unblock 取消屏蔽 取消拉黑
`
