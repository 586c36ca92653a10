/**
 * Chinese words and the English words of tool speech they were translated by, with the share of each in percent. Induced
 * from public translated interface texts (NOTICE.md names them), not copied from a dictionary. One entry a line.
 */
export const inducedLexicon = `
IP地址 ip:57 nat:8
一 next:29 one:20 hop:17 kubernetes:9
一下 click:37
一个包 package:98
一个整 integer:92
一个月 month:67 one:14
一个月内 month:90
一个组 group:88
一些 kubernetes:15 take:12 something:9
一份 one:43
一位 one:70 atleast:24
一分 minute:47 one:45
一分钟 minute:94
一切 re:83
一列 column:97
一台 service:20 compute:19 ecs:19 elastic:15
一同 together:39
一周 week:77
一周内 week:90 one:60
一块 disk:33 elastic:26
一处 place:33 one:29 group:26
一天 days:83 one:10
一天内 days:90
一头 cow:71
一定 period:40 queries:34 certain:20
一对 pair:62 api:16
一封 address:55 email:36
一层 one:25 layer:24 level:24
一帧 frame:92
一年 year:69 one:20
一年内 year:90 one:60
一张 one:59 image:21
一批 batch:42
一旦 pod:17 config:14 make:13 map:12
一月 month:45
一条 message:26 one:10
一样 one:16 node:16
一次 time:29 one:27 single:8
一次性 one:30 time:28 disposable:9
一款 mcp:35 ai:25
一步 step:26 next:15
一段 queries:30 time:21 snippet:14
一段时间 period:46 time:19 amount:14
一点 bit:34
一种 way:27 kubernetes:25 one:22
一站 one:25 stop:24 ai:24
一站式 one:42 ai:27 stop:20
一笔 predicts:85
一篇 article:92
一系 series:28 list:22 sequence:21
一系列 series:28 list:22 sequence:21
一级 level:43 top:20 first:14 quota:13
一组 set:56 group:16
一致 consistent:43 match:8
一致性 consistency:44 data:18 pair:12 conformance:12
一般 general:61 generic:9 typically:9 private:8
一般性 general:72
一节 section:84
一行 line:41 row:23 one:10 next:8
一起 together:54 along:21
一轮 round:77
一部 part:73 kubernetes:13
一部分 part:73 kubernetes:13
一键 click:22 one:21 quick:16
一键生成 generate:90
一问一答 criterion:25 answer:25 question:25 effective:17
一页 page:40 next:18 previous:8
一项 items:43 one:20
七 kodo:34 qiniu:34
七天 days:53 seven:25
七层 layer:62
万 number:90
万个 segmentation:45 unit:40
万物 ai:67
万能 master:85
三 three:12 either:12 must:12 category:11
三个 three:83 pods:12
三天 days:54 three:22
三层 three:51
三方 party:50 third:38 tripartite:8
三月 march:57
三种 three:73
三级 level:57
三者 three:23 week:23 choose:23
三要素 three:63 element:20
三角 triangle:92
上一年 year:90
上一步 previous:45
上一页 previous:60
上下 context:83
上下文 context:81
上下文长度 context:90
上下行 upstream:89
上个月 month:90
上传 upload:84
上传图标 upload:90
上传图片 image:68 upload:68
上传失败 upload:90
上传头像 upload:90 avatar:45
上传成功 uploaded:54 successfully:36 upload:36
上传文件 upload:72 file:54
上传日期 date:90
上传点的类型 point:90 type:90 upload:90
上传证书 certificate:90 upload:60
上午 utc:37
上周 last:72
上报 reporting:69
上方 top:43
上架 publish:51 submit:16 released:10
上架插件 plugin:90
上架智能体 agent:90
上架规则 rules:90
上次 last:87
上次同步 last:90
上次在线时间 last:90 online:90
上次执行时间 time:90
上次登录 last:90
上次联系 last:90
上游 upstream:85
上班 work:68 duty:23
上移 move:21
上级 parent:33 manager:19 superior:15 line:10
上级部门 superior:71
上线 rollout:37 online:20 deployment:11
上行 uplink:46 upstream:20
上角 corner:55 top:41
上解 unbinds:89
上边距 margin:90 top:90
上述 pod:34 preceding:13
上限 limit:31 maximum:18 upper:15 cap:14
上面 pod:19 kube:10 config:9
下一步 next:90
下一页 next:60
下个月 next:48 month:40
下划 underscores:51 letters:16 contains:10
下划线 underscores:51 letters:16 contains:10
下列 following:92
下午 pm:39 afternoon:31
下单 placed:43 order:40
下发 fulfilled:17 publishing:11 distribute:11 delivery:10
下周 next:51 week:42
下层 underlying:50 volume:22
下拉 dropdown:72 select:22
下拉菜单 dropdown:97
下文 context:81 contextual:8
下方 one:32 enter:21 click:13
下来 next:54 pod:40
下标 offset:46
下次 next:79 time:20
下次执行时间 next:90 time:90
下游 downstream:73
下班 get:16
下班时间 duty:84
下移 move:23
下级 subordinates:57 ids:36
下线 offline:30 deactivate:10
下线分析集群 analysis:90 cluster:90
下线服务 service:90
下线服务版本 service:90 withdraw:90
下线网关路由 gateway:90 route:90
下行 downstream:94
下角 bottom:93
下载 download:88
下载应用 download:90 app:60
下载报告 download:90 report:90
下载文件 download:68 file:68
下载日志 download:90
下载证书 certificate:90 download:60
下载速度 limit:68
下边距 bottom:90 margin:90
下限 lower:33 bound:26 limit:11
下面 following:45 pod:18
不 without:12
不为空 empty:45 null:45
不予 car:85
不会 won:24
不允许 allowed:60
不允许回应 reacting:90
不再 longer:69
不再提示 don:36 show:36
不再提醒 remind:90
不再显示 show:72 longer:36
不到 found:43 find:19
不包含 contains:36
不变 unchanged:60 remains:27
不可 cannot:31 available:18 unavailable:12
不同 different:73
不同于 different:60
不含 tax:46 excl:44
不含税 tax:46 excl:44
不够 sufficiently:90
不太可能 likely:66
不得 must:46 cannot:20
不必 unnecessary:87
不必要 unnecessary:55
不想 don:62 use:32
不是 instead:45 rather:11
不是一个负数 negative:90 number:90
不稳定 unstable:90
不符 match:66 mismatch:25
不等于 equal:90
不能 cannot:78 must:10
不能引用 reference:81
不自动更新 update:90
不良 toxic:85
不要 don:45
不论 regardless:92
不起作用 work:95
不足 insufficient:60 enough:11
不过 however:94
不适 apply:45 work:27
不错 good:57
与其 already:81
与非 non:74
专 dedicated:52 mq:13 rocket:11
专业 professional:52 pro:34
专业版 pro:22 edition:18 ultimate:16
专业版登录 version:90
专业级 professional:38
专区 zone:90
专场 session:41 special:36 ai:12
专家 experts:64
专属 dedicated:72
专有 vpc:20 private:18 virtual:18 cloud:18
专注 focus:98
专用 dedicated:35 cdc:30
专线 connect:30 express:21 router:13 ecr:11
专线接入 connection:39 circuit:33 express:22
专辑 album:75 spotify:22
专门 specially:62
专题 topic:95
且 must:17 long:16
世界 world:97
业务 business:51
业务流程 workflow:62 business:32
东西 anything:83
丢失 lost:46 lose:16 missing:15
丢弃 discard:69 dropped:22
两 multi:51
两个 two:79
两分 two:85
两分钟 two:85
两天 days:90
两张 two:90
两次 two:30 match:19 confirm:16 twice:15
两步 two:33 factor:32 authentication:18
两点 points:50 two:36
两种 two:22 last:9 month:9
两端 ends:92
两者 false:33 true:31 prs:16 either:14
两表值比对 compare:90 table:90
两项 two:90
严格 strict:66 stricter:10
严重 severity:53 critical:25 high:14
严重性 state:85
个人 personal:69
个人信息 information:29 profile:17 person:15 personal:9
个人头像 image:76
个人已加入 joined:90
个人用户 individual:51 isv:36
个人空间 space:63
个人访问令牌 access:90 personal:90
个人资料 profile:81 picture:10
个人资料图片 profile:90
个冲突文件 conflicting:90
个别 individual:46 verbosity:21 vmodule:21
个可用模块 available:90
个合并请求 pull:90 active:45 request:45 requests:45
个子 ids:22
个字符 characters:43 contains:13
个性 personalized:42 create:28 personal:14
个性化 personalized:42
个数 number:73 count:14
个月前 ago:90
个节点被置换 replaced:90
个配置节点 configuration:90
中位数 median:68
中国 chinese:36 china:30 cn:10
中将 set:29 map:22 config:22
中小 small:40 subimage:32 px:20
中心 center:68
中心化 centralized:41
中文 chinese:69 zh:14 cn:8
中文名 chinese:93
中文名称 chinese:90
中断 interrupt:29 disruption:13 breaking:9
中止 aborted:59 stops:17 terminate:10
中止执行 stop:79
中立 neutral:92
中等 medium:61
中间 intermediate:37 middle:27 center:17
中间件 middleware:98
丰富 rich:56 richer:22
串 thread:65 string:16 yaml:9
串行 serial:86
临时 temporary:53 ephemeral:23
临时文件 file:49
丹麦 danish:68
丹麦克朗 dkk:85
为主 primary:31 home:25 promote:15 master:15
为了 order:49
为何 re:90
为假 false:90
为准 prevail:36 subject:30 use:16
为必填项 required:90
为止 far:89
为此 enable:28 add:26
为真 true:90
为空 empty:60
主 primary:50 main:21 master:14
主从 primary:41 secondary:24 standby:19
主体 subject:40 body:18 aigc:10 entity:10
主动 actively:45 proactive:25
主动防御 proactive:28 configuration:18 rule:17 feature:16
主叫 caller:54 calling:34
主叫号码列表 list:90
主子 account:85
主将 moderators:90
主库 database:28 source:28 primary:28
主持 host:61 moderators:29
主持人 host:88
主控 master:54
主机 host:77
主机名 hostname:61 pod:8
主机地址 host:90
主目录 home:31 base:18 clone:18 kubernetes:18
主要 main:43 primary:37 major:10
主视 home:76
主视图 home:76
主讲 user:57 teacher:29
主键 key:53 primary:30
主页 home:36 homepage:25 page:23
主页链接 home:90
主题 topic:56 theme:21
主题无效 invalid:90
主题色 color:60 theme:60
举报 report:85 dismissed:14
举报人 reporter:85
举报原因 reason:90 report:90
举报消息 message:90 report:90
久 longer:36 least:24
么 operate:30
义 predefined:94
之 kubernetes:55
之一 one:80
之上 top:43 pod:31
之下 beneath:85
之内 days:89
之前 previous:16
之后 later:12
之外 outside:54 beyond:15 system:9
之间 two:13 across:12
乐 lego:82
乐意 love:39 happy:30 questions:23
乘以 multiplied:85
书 feishu:62 lark:8
书写 write:42
书写方向 direction:90
书签 bookmark:89
书籍 book:96
买 buy:46 get:27
买家 buyer:43
了解 learn:46 understand:9
了解更多 learn:54
事 anything:83
事件 event:91
事件名称 event:90 name:90
事件描述 description:90
事件标题 title:90
事件状态 event:90 status:90
事件类型 event:90
事件驱动 keda:43 based:41
事务 transaction:86
事实 grounding:40 google:35
事情 things:94
事项 list:63
二 either:25 two:20 choose:17 factor:10
二个 seconds:69
二次 fa:77
二级 seconds:45 level:38 secondary:13
二维 qr:45 code:45
二维码 qr:43 code:42
二者 either:67
二进制 binary:72
二进制数据 binary:90
于 applies:14 applied:11
云 cloud:75
云主机类型 type:90 cvm:60
云凭证 cloud:90
云提供商 cloud:90
云数据库账号 account:60
云盘 disk:58 cloud:34
云盘挂载 cloud:90 disks:90
云端 cloud:38 drive:28 google:9
云集 cloud:45 cluster:40 hybrid:8
互动 interactive:46 message:25 interaction:13
互动游戏 interactive:90
互斥 exclusive:44 mutually:26 alarm:8
互联 ip:33 internet:30 address:20
互联网 internet:66 tunnels:19
互访 virtual:93
互通 interconnection:36 clusters:14 connected:14 interconnected:9
五个 five:94
五元 quintuple:44 acl:43
五官 facial:45 features:38
亚克 acrylic:85
亚克力 acrylic:85
亚太 pacific:44 asia:44
亚太地区 pacific:44 asia:44
亚尔 rial:80
些 went:29 something:29 wrong:29
交互 interact:37 interactive:30 interaction:16
交互式 interactive:69 shell:12
交互方式 interactively:83
交互模式 interactive:90
交付 delivery:66 chain:31
交叉 cross:99
交换 swap:56 switch:16 exchange:9
交换机 switch:46 vswitch:15 vpc:12
交易 transaction:84
交易类型 code:82
交替 alternating:85
交流 communication:54 exchange:34
交谈 chat:56
交集 intersection:57 take:15 bitmaps:15
产业 industry:55 ai:34
产出 output:57
产品 product:71 service:15
产品价格 price:88
产品名 name:54 product:39
产品名称 postgres:37 product:30
产品名称代码 code:90 product:90
产品图片 product:90
产品属性 product:90
产品数量 products:90
产品类型 type:90
产物 artifacts:49 target:23 remove:15
产生 generated:38 produce:30
产者 producer:62
享 dedicated:60 mq:17 rocket:15
享受 enjoying:64 get:22
亮 highlight:71 bright:10
亮度 brightness:44 lightness:36
亮点 highlights:88
亮色 light:34
亲和性 affinity:62 pod:21
亲爱 dear:53 name:24
人 person:20 people:16 operator:8
人为 room:39 one:26 user:24
人事 personnel:58 people:14 hr:10
人们 people:82
人力 platform:20
人员 person:26 group:18 personnel:11 employee:10
人员类型 type:90
人员编号 number:90
人均 anyone:35 per:31 user:26
人头 profile:65
人头像 profile:65
人工 user:25 manually:23 human:15
人工智能 ai:53
人才 talent:82
人才库 pool:88
人数 number:30 users:28 people:13 count:11
人机 captcha:89
人民 cny:43
人民币 cny:32
人物 figure:34 face:27 characters:18
人类 human:76
人脸 face:83
人脸识别 recognition:53 facial:43
亿 billion:90
什么 nothing:15 body:11
仅供 playback:61 time:33
仅管理员可见 admins:90 visible:90
仅限 limited:26 restricted:13 available:8
仅限于 limited:85
今天 today:81 days:13
今年 year:64
今日 today:99
介于 must:53 exclusive:25
介绍 introduction:33 description:19 introducing:14
介质 medium:55 media:39
仍 still:77 anyway:8
仍然 still:59 anyway:16
从不 never:77
从中 url:73
从小 widget:80
从收藏中移除 remove:90
从文件 file:98
从智能体移除 remove:90
从未 never:97
从模板创建 create:90
从此 removed:41 plural:20 channel:18 one:15
从而 cluster:56
从雅虎 ticker:90
从零开始 zero:92
仓 data:39 warehouse:18
仓库 repository:67
仓库名称 name:90 repository:90
仔细 carefully:77
仔细检查 double:92
他人 others:52 people:17
他们 one:19 plural:15 re:10 zulip:10
付款 payment:83
付费 pay:25 paid:15 billing:13 method:10
付费模式 mode:90
付费类型 billing:68 type:45
代 anti:28 diversion:28 ddo:28
代付 pay:33 behalf:23 admin:14
代号 type:17 bgpip:9 multip:9 bgp:9
代币 token:59 coze:16
代替 instead:76 replaced:19
代理 proxy:58 agent:21
代理人 agent:88
代理服务 proxy:47 service:32
代理服务器 proxy:27 kubernetes:25 kube:23
代码 code:85
代码块 code:90
代码执行 execution:45 ce:21 judge:21
代码段 snippet:42 block:42
代码生成 generation:62
代表 represents:39 indicates:18 means:16
代金 voucher:60 automatically:15
代金券 voucher:60 automatically:15
令人 information:38 offensive:32
令牌 token:81
令牌类型 token:90 type:90
以上 bitmaps:14 works:9 none:9 higher:9
以下 following:85
以下内容 following:52
以便 order:26 easier:14 pod:9 allow:9
以内 less:24 within:18
以前 previous:54 formerly:13
以及 well:13
以后 later:70 future:27
以后再说 later:60
以外 type:27 outside:26
以太 ethernet:88
以太网 ethernet:88
以来 since:64 checkpoint:16 emits:16
以此 passed:56
以防 case:96
仪表 dashboard:94
仪表板 dashboard:66
仪表盘 dashboard:71
仲裁 specifies:30 value:28
件 file:33 pickup:21
件夹 folder:84
价值 value:67 map:24
价格 price:85
任一 match:52 passes:24 either:18
任人 owner:34 person:23 responsible:14 charge:12
任何 anything:11
任何人 anyone:74 able:10
任务 task:81 job:14
任务依赖 task:90
任务信息 task:90
任务分析 doctor:61 job:29
任务分组 task:90
任务发起人 initiator:90 job:90
任务名称 name:90 job:30 task:30
任务备注 task:90 description:45 notes:45
任务开始时间 start:90 time:90
任务执行状态 status:90 task:90
任务描述 description:90 task:60
任务标题 task:90 title:60
任务栏 taskbar:55 launcher:33
任务管理 task:90
任务类型 type:90 task:72
任务结束时间 end:90 time:90
任务调度 scheduling:74
任意 arbitrary:40 length:13
任职 job:55 get:19 data:14
份文件 backup:46 file:31
企 chatbots:48 comment:47
企业 enterprise:63
企业功能 enterprise:90
企业版 enterprise:90
企业级 enterprise:53 level:44
企业邮箱 business:90
伊朗 iran:52 islamic:24
休假 vacationing:34 leave:22 dd:12 yyyy:12
休息 rest:50 break:43
休息日 days:50
休眠 sleep:65 hibernate:18
休闲 boys:85
优 tuning:92
优先 priority:46 precedence:8
优先权 licensing:67 priority:24
优先级 priority:68
优势 benefits:94
优化 optimization:36 optimize:32 sql:9
优惠 coupon:48 offer:33
优惠券 coupon:60 applied:12 code:12
优雅 graceful:62 elegantly:28
伙伴 teammates:45 buddy:28
会员 members:47
会议 meeting:71 conference:16
会议主题 topic:50
会议室 room:90
会议室配置 configuration:90
会话名称 name:90
会话数量 conversations:90
会话轮数 rounds:90
传 passed:39 provided:9 specifies:9
传中 uploading:95
传入 incoming:23 passed:20 webhooks:11 specified:9
传出 outgoing:50 webhooks:29 oauth:14
传到 upload:60
传导 upload:47 import:42
传播 propagating:59 propagation:36
传给 passed:96
传统 classic:31 traditional:16 legacy:16 ipv:8
传统型 clb:36 classic:23 real:20 server:10
传输 transport:28 transfer:26 transmission:14
传输层 layer:56 transport:38
传输速率 limit:50 rate:37
传递 passed:63
传音 speech:35
伪 pseudo:65 simulated:23
伪装 impersonate:45 impersonation:29 uid:12 masquerade:10
伪造 csrf:45 antiforgery:45
估算 estimate:74
估计 estimated:96
伸缩 scaling:63 auto:25
似乎 seems:38 looks:28 appear:21
但是 however:67
位 bit:27 digits:17 bitwise:11
位于 located:23 json:12 git:10 hub:9
位数 number:52 digits:27
位点 offset:58 topic:10
位置 location:54 position:38
低 low:46 lower:15 medium:13
低于 less:35 lower:26 older:10
低优先级 low:63
低码率 low:90
低频 infrequently:90
体 agent:71 body:13
体会 agent:83
体积 volume:90
体系 architecture:53 system:37
体系结构 architecture:95
体育 sports:54
体面 graceful:49 shutdown:35 kubelet:10
体验 experience:78
体验增强 experience:90
何人 anyone:74 able:10
何时 see:54 changes:34
余弦 cosine:66
余数 remainder:57
余额 balance:66 account:11
作 made:45 changes:21
作业 job:71 spark:8
作为 kubernetes:14 use:12
作出 reacted:92
作出反应 reacted:90
作品 work:86
作废 invalidating:54 voided:34
作用 scope:30 ipam:19 purpose:12
作用域 scope:66
作者 authorization:57
作者姓名 authorization:90
你好 hello:39 hi:29
你的消息 message:90
佳 poor:74
使 make:54 enables:15
使得 make:48 allows:22
使用 use:58
使用全局设置 global:90 use:90
使用协议 terms:90
使用率 usage:62 describe:13 total:10 storage:9
使用示例 example:90 usage:90
使用者 user:22 principals:20 subject:17 share:17
使用说明 instructions:68
使用量 usage:60 storage:9
例 case:50 example:22
例外 exceptions:54
例如 example:26
例子 example:74
例行 routine:45 load:44
供 available:32 use:30 ai:11
供参考 ai:38 powered:29
供应 provisioning:46 auto:40 vendor:10
供应商 provider:30 vendor:27 supplier:10
供者 provider:67
依据 basis:23 based:22 context:11
依次 turn:68
依赖 dependencies:65 dependent:10
依赖于 depends:36 relies:24
依赖性 dependency:82
依赖配置 configuration:90
侦听 listening:95
侦听器 listener:94
侧 side:55 asn:8
侧边 sidebar:63 left:13 side:9
侧面 side:40 panel:30 html:22
便宜 cheapest:71
便携 portable:97
便笺 note:67
促销 promotions:62 sales:28
俄罗斯 russian:57
保 major:34 protection:27 event:11 period:10
保存 save:57 saved:34
保存图标 icon:90
保存并退出 save:90
保存成功 saved:68 successfully:45
保存的指标 metric:90 saved:90
保守 conservative:90
保密 secret:38 confidential:28 keep:18 kubernetes:12
保护 protection:42 protected:25 deletion:13
保护器 guard:92
保护期 period:58 protection:29
保持 keep:34 stay:10 persistence:9
保持一致 parameter:12 consistent:10
保持联系 touch:50 stay:39
保留 retention:31 keep:17 retain:14 reserved:11
保留字 reserved:64 word:26
保管 keep:28
保证 ensure:51 guarantees:16 guaranteed:10
保险 safe:63 insurance:19 guarantee:11
保险箱 safe:78
保障 assurance:46 elasticity:43 ensure:10
信 chat:42 comment:17 wecom:11 wechat:10
信任 trusted:76 untrusted:16
信任木马文件 trojan:90 trusts:90
信号 signal:85
信息 information:68
信息内容 message:84
信息图标 icon:90
信息安全 information:43 security:41
信息流 alpha:57
信用 credits:86
信用卡 card:76
修剪 prune:93
修复 fixed:58 repair:28
修护 fixing:41
修改 modify:77
修改主题 topic:90
修改事件总线 bus:90 event:90
修改人 modifier:60
修改任务模板 task:90 template:90
修改优先级 edit:90 priority:90
修改值班表 call:90 schedule:90
修改加速域名 domain:90 update:90
修改参数模板 parameter:90 modify:54 template:54 modifies:36
修改变量 modify:90
修改后端通道 upstream:90
修改告警规则 alarm:60 modifies:60 rule:60
修改告警设置 alarm:90 settings:90
修改回调模板 callback:90 template:90
修改域名状态 domain:90 status:60
修改备份策略 backup:90 policy:90 modify:60
修改套餐配置 plan:90
修改子网属性 attributes:90 subnet:90 modify:60
修改定时任务 scheduled:90 task:90
修改实例信息 instance:90
修改实例参数 instance:72 parameters:72 modify:54 modifies:36
修改实例名字 instance:90 name:45
修改实例名称 instance:77 name:64 modify:39
修改实例属性 instance:90
修改实例账号 account:90 instance:90
修改密码 password:90 change:39
修改应用 application:90 modifies:60
修改应用信息 information:90
修改应用账号 account:90 application:90
修改快照信息 modifies:90 snapshot:90
修改截图模板 template:90
修改托管实例 instance:90 managed:90
修改插件 plugin:90
修改数据源 data:90 source:90
修改文件 file:90
修改日期 date:90
修改时间 modified:36 time:36
修改机器组 group:90 machine:90
修改权限组 group:90
修改标签 tag:90
修改标签策略 policy:90
修改模块名称 module:90
修改用户 user:90
修改用户信息 user:90 information:54 modifies:54
修改用户状态 status:90 user:90
修改用户类型 types:90 users:90
修改电子邮箱 change:90 email:90
修改目录名称 folder:60
修改短信签名 signature:90 sms:90
修改策略场景 policy:90 scenario:90
修改素材样本 modifies:90 samples:90
修改索引 index:90
修改索引表 table:90
修改缓存卷 volume:90
修改编排 scheme:60
修改网关名称 gateway:90 name:90
修改节点状态 node:90 status:90
修改节点配置 node:60
修改表格标签 table:90 tags:90
修改规则 modify:45 rule:45 rules:45
修改订阅对象 object:90 subscription:90
修改记录 record:90
修改记录分组 group:90 record:90
修改设置 change:60 settings:60
修改账号主机 account:90
修改账号备注 account:90 modify:60 remarks:60
修改账号组 account:90 group:90
修改账户备注 account:90 remarks:90
修改资源组 group:90 resource:60
修改转发规则 rule:90 forwarding:60
修改转码模板 template:90 transcoding:90
修改通知 notification:90
修改镜像属性 image:90 modify:60 attribute:45 attributes:45
修改防护策略 policy:90
修改集群参数 cluster:90 parameters:90
修改集群名称 cluster:70 name:60 modify:50 modifies:30
修改集群属性 attributes:90 cluster:90
修改集群标签 cluster:90 tags:90
修改集群配置 cluster:90 modify:90
修改集群镜像 cluster:90 image:90
修正 fixed:61
修补 patch:64 deployment:18
修订 revision:90
修订版 revision:84
修饰 modifier:88
修饰符 modifier:88
倍数 multiple:63
倒序 reverse:21 descending:19 desc:16 order:13
倒换 vbr:28 failover:13 ha:13 router:13
倒数 last:53 days:34
候选 candidate:88
候选人 candidate:42
借用 borrowing:94
值 value:90
值班 schedule:46 call:43
倾向 preferred:85
倾斜 skew:90
假 fake:42 false:37 function:11
假勤设置 settings:90 attendance:60
假定 assumes:61 uri:15
假期 vacationing:59 holiday:24
假设 assumes:51 suppose:18
偏好 preferences:80 preferred:13
偏差 drift:27 skew:22 stack:13
偏移 offset:86
偏移位置 offset:90
偏移值 offset:90
偏移量 offset:51 pagination:11
做 made:25
做出 make:45 making:29 kubernetes:18
停 disables:36 stop:30
停下 free:61 freed:34
停机 stops:33 instance:27 apsara:25
停止 stop:87
停止云端推流 pushing:90 streams:90
停止任务 job:68 stop:68
停止基线检测 baseline:90 check:90
停止定时任务 cron:90 jobs:90
停止实例 instance:90 stop:90
停止应用 application:90
停止异步任务 task:90
停止录制 recording:90
停止服务 stop:90 service:60
停止流日志 flow:90 log:90
停止流程 flows:90
停止监听 listener:90
停止蜜罐 honeypot:90
停止计算组 warehouse:90
停用 deactivated:47 disabled:34
停用域名 domain:90 stop:90
停用指定任务 job:90
停留 stay:50
停运 service:47
健康 health:69 check:9 healthy:8
健康检查 health:51 check:19
健康状态 health:60
健身 fitness:90
偶 secret:42 pairs:26
傅里叶 fourier:90
储存 storage:51 stored:38
储藏 stash:71 drop:12 pick:9
储量 storage:57
像 portrait:23 images:22
像头 camera:53 webcam:23
像是 looks:85
像素 pixels:86
像素点 map:85
僧伽 sinhala:85
價 price:59 special:34
儿童 kids:73
允许 allow:81
允许值 value:85
允许通知 notifications:90
元 metadata:73 meta:12
元素 elements:81
元素值 value:90
元组 tuple:39
充值 recharge:70
充分 get:40
充当 acts:94
兆 mb:57
先 first:78
先前 previous:80 prior:12
先后 came:47 first:47
先进 advanced:94
光学 optical:90
光标 cursor:93
光纤 fibre:34
克兰 ukrainian:83
克朗 krone:65
克隆 clone:82
克隆实例账户 account:90 instance:90
免 free:48 password:20 without:13
免费 free:86
免费复制 copy:90 free:90
免费版 free:41 edition:25
免费证书申请 certificate:90 free:90
入 incoming:21 inbound:20
入会 meeting:42 join:42
入侵 intrusion:68
入口 entry:33 endpoint:25 ingress:9
入法 ime:62
入职日期 date:60
入门 started:36 quickstart:20 getting:14 entry:11
入驻 registration:49
內 content:56 page:39
全 full:57
全书 encyclopedia:85
全名 name:47 full:44
全员 message:54
全天 days:92
全局 global:84
全局权限 global:90
全局规则 global:90
全屏 fullscreen:33 full:31 screen:26
全文 full:46 text:44
全文检索 search:44
全文索引 text:44 full:41
全新 new:61 use:18
全球 global:39 accelerator:28 ga:27
全称 full:45 name:44
全站 name:35 domain:30 accelerated:21
全网 network:34 entire:28 across:28
全选 select:40
全部 full:10 ids:9
全面 comprehensive:61 mcp:15
全额 amount:42 full:42
八进制 octal:92
公 public:57 key:15
公众 official:32 account:22 chat:15 public:14
公众号 account:90 official:90
公共 public:77
公共房间 public:90
公共数据 utilise:28 flowcore:28 analyse:28
公共邮箱地址 address:90 public:90
公共频道 public:56 channels:35
公司 company:88
公司名称 company:90
公告 announcement:73 advisory:13
公布 published:47 advertise:33
公平 fair:43 fairness:30
公平性 fairness:44 api:34
公开 public:61 expose:18
公开配置 public:90
公式 formula:96
公有 public:52
公民 citizenship:90
公测 staging:43 ip:42
公网 public:41 network:21 ip:10
六月 june:56
六段 six:40 segmentation:33
兰卡 sri:90
共 total:56
共享 shared:86
共享位置 location:90
共享密钥 key:90 shared:90
共享组件信息 component:90 information:90 shared:90
共享资源 commons:52 wikimedia:43
共享频道 channels:60 shared:60
共同 common:48 share:26 co:19
共和 republic:82
共和国 republic:82
共存 co:28 exists:28
关 switch:13
关内 gateway:36 internal:16 vpc:13 linked:11
关掉 turn:43
关机 shutdown:24 shut:19 stop:14
关注 following:50 follower:14 watch:8
关系 relationship:49
关联 associated:63 linked:9
关节 gateway:92
关节点 gateway:92
关键 keyword:63 key:12
关键字 keyword:55 match:12 action:9
关键字搜索 keyword:90 search:90
关键帧 keyframes:92
关键词 keywords:75 words:8
关闭 disable:35 close:31
关闭专业版 cwp:90 pro:90
关闭外网 network:90 public:90
关闭安全策略 policy:90 security:90
关闭实例互通 instance:90 interconnection:90
关闭工单 close:90
关闭源站防护 origin:90 protection:90
关闭窗格 close:90
关闭跟踪集 set:90 tracking:90
关闭选项卡 close:90
关闭通道组 connection:90 group:90
关闭频道 channel:90
兴趣 interested:89
兴趣小组 sig:75
其一 filled:85
其中 one:29 pod:18
其他 another:24 additional:15 different:10 others:9
其他人 others:74 posts:11
其余 rest:95
其子 sub:92
其它 others:17 additional:16 another:16 services:14
具体 specific:64 details:10
具备 role:33
具有 pods:9
兹罗提 zloty:42 pln:42
兼容 compatible:34 tair:17 oss:16 redis:16
兼容性 compatibility:88
兼容模式 mode:90
兼职 job:33 additional:33 part:14
内 within:48 inside:9
内地 mainland:53 proxy:32 chinese:12
内外 region:23 backup:22
内存 memory:65 cpu:10
内存大小 gb:26 memory:24
内容 content:89
内容不能为空 empty:90 content:54 cannot:36
内容分析 analysis:51 content:24
内容类型 content:90
内嵌 tree:31 kubelet:19 embedded:13 inline:12
内核 kernel:62 linux:12
内核模块 kernel:57 module:37
内测 beta:15 available:11
内置 built:72
内联 inline:84
内部 internal:77
再 try:13 longer:10
再次 able:21 re:11
再次运行 run:90
再试一次 try:93
冒号 colon:39 thumbsup:16 mark:14 white:13
冗余 redundant:71
写 write:69
写下 write:90
写作 writing:78
写入 write:67 written:14
写字 letters:42 uppercase:18 lowercase:18 made:8
写错 typo:56
军事 military:90
冠军 champion:97
冲突 conflicts:82
决定 determines:53 decide:33
决策 decision:99
冷 cold:55 storage:17
冷却 cooldown:56 period:37
冷热 cold:26 hot:26 data:22 layering:18
冻结 frozen:22
准入 admission:60
准备 ready:57 prepare:36
准备停止 ready:90 stop:90
准备就绪 ready:95
准备暂停 pause:90 ready:90
准确 accurate:54 exactly:9
准确性 accuracy:97
减 reduction:51 get:28
减去 subtracts:32 sub:24 datetime:21 resulting:13
减小 decrease:45 reduce:44
减少 reduce:60 decrease:24 subtracts:8
减少缩进 indent:90 decrease:60
几 days:73
几个 several:84
几乎 almost:97
几何 geometry:38 known:12 well:12 object:10
几何图形 geometric:84
几内亚 guinea:92
几分 minutes:51 take:39
几分钟 minutes:51 take:39
几天 days:92
几条 number:45 items:43
几种 several:48 use:42
几秒 seconds:60 get:31
几秒钟 seconds:64
几行 file:29 rows:27
几页 page:58 number:23
凭据 credentials:56 secret:28
凭证 credentials:56
出 outbound:30 egress:19 outgoing:11 wrong:8
出于 reasons:54 security:27
出入 outbound:29 inbound:28
出口 outbound:41 egress:41
出境 border:18 outbound:18 cross:18 transfer:17
出差 trip:49 business:45
出来 service:55
出版 published:28 publication:28
出现 appear:22 occurred:13 something:11 went:11
出现意外 unexpected:85
出生 birth:95
出生日期 date:45 birth:41
出错 error:68 occurred:15
函数 function:83
函数名称 function:90 name:90
函数管理 function:90
函数调用 call:48 invocation:39
函数调用类型 function:90 type:90
分 semicolon:22 minutes:10 time:10 score:9
分为 split:46 divided:20
分享 share:89
分享到 share:90
分享对话 share:90
分享链接 link:90
分值 scores:90
分别 respectively:57 separate:16
分割 separated:40 split:33
分割线 lines:49
分区 partition:83
分区图 partition:90
分区字段 partition:90 field:45
分区数 number:90
分区表 table:67
分发 distribute:48 distribution:34 cdn:10
分块 chunking:73
分层 layering:30 cold:21 hot:21 data:16
分屏 split:54 screen:34
分布 distribution:47 spread:9
分布图 chart:39 statistical:32
分布式 distributed:59 global:17
分库 drds:29 atom:29 url:27
分开 separately:96
分成 revenue:45 share:45
分批 batch:86
分拆 break:85
分摊 allocation:60 cost:15
分支 branch:85
分散 spread:77 placement:11
分数 score:90
分机 extension:98
分机号 number:92
分析 analysis:52 analyze:14 analytics:9
分析器 analyzers:78
分段 segmentation:58
分段层级 hierarchy:90
分派 dispatch:52 rule:24
分片 shard:58 mongo:10 segmentation:8
分片上传文件 upload:90
分片数量 number:60
分离 separation:34 detach:25 splitting:23 separate:9
分箱 bins:90
分类 category:58 classification:27
分类管理 categorize:85
分类级别 classification:90
分级 level:28 tiered:17 attacks:13 defining:13
分组 group:83
分裂 split:81
分解 decompose:48 biconnected:22
分词 dictionary:28 aliws:23 tokenize:23
分账 allocation:48 cost:45
分辨 resolution:54 image:18
分辨率 resolution:56 image:19 px:10
分配 assigned:59 allocation:13 allocated:10
分配一个团队 assigned:90 team:90
分配客服 agent:90 assigned:90
分配标签 assigned:90
分配模式 assignment:83
分量 component:93
分钟 minutes:76
分钟前 ago:90
分销 distributors:67
分隔 separated:61 comma:26
分隔符 separator:49 delimiter:30
分隔线 divider:85
分页 page:34 pagination:21 paging:9 paginated:8
分页下标 page:90
分页参数 pagination:90
分页大小 size:51 page:39
分页数 number:90
分页码 page:90
分页起始标记 token:90
分页页码 number:68 page:68 pagination:45
切 switch:49 real:27 server:17
切入 live:43 stream:42
切分 split:37 segmentation:18 chunks:18
切换 switch:65 toggle:17
切换侧边栏 sidebar:90 toggle:90
切换器 switcher:92
切换节点设置 node:90 settings:90
切片 slice:69 chunks:11
切片方法 method:90
划分 divided:39 partition:31
划线 underscores:32 letters:14 hyphens:12 underline:10
列 column:88
列为 really:52
列举 list:71
列出 list:90
列出密钥引用 references:90
列出数据表 list:90 tables:90
列出记录 list:90
列名 column:51 name:47
列名称 column:90
列式 columnar:90
列数 columns:60
列表 list:88
列表名称 list:90 name:90
列表操作 list:90
刚果 congo:57
创作 creation:63 creative:9
创建 create:94
创建一个应用 application:90
创建一个模版 template:90
创建一个流程 flow:90
创建专用通道 dedicated:90 tunnel:90
创建专用集群 cdc:90
创建个人信息 create:90 information:90
创建主题 topic:68 create:45 creates:45
创建事件 create:90
创建事件目标 delivery:90 target:90
创建事件规则 event:90 rule:90
创建事件集 bus:90 event:90
创建于 created:68
创建云数据库 cloud:90 database:90
创建云硬盘 cloud:90 disks:90
创建交付链 chain:90
创建交易 create:90
创建产品 product:90
创建人 creator:70 owner:12
创建从实例 instance:90 replication:90
创建仓库 create:60 repository:60
创建仪表盘 dashboard:90
创建任务 create:90 task:60
创建任务模板 create:68 template:68 job:45 task:45
创建企业组织 organization:90
创建会话 create:60 session:60
创建使用计划 plan:90 usage:90
创建值班表 call:90 schedule:90
创建克隆实例 instance:90
创建共享单元 create:45 creates:45 resource:45 share:45
创建凭据 secret:90
创建函数 function:90
创建分支 create:90
创建分派策略 dispatch:90
创建分类 category:90
创建列 column:90
创建别名 aliases:90
创建副本 copy:68
创建助手 assistant:90 create:90
创建单位 create:90 unit:90
创建参数模板 parameter:90 create:54 template:54 creates:36
创建发信地址 address:90 create:90 mail:90
创建发布 release:90
创建变量 variable:90
创建只读实例 read:90 create:60 replicas:60
创建只读组 group:90 ro:90
创建合并请求 pull:90 request:90
创建后端通道 upstream:90
创建告警策略 alarm:90 policy:90
创建告警规则 rule:72 creates:54 alarm:36 alert:36
创建告警集成 integration:90
创建命名空间 namespace:60 create:45 creates:45
创建团队 team:72 create:54
创建图像流 create:90
创建场景 create:90 scenario:90
创建域名 domain:90
创建域名分组 domain:90 group:90
创建域名别名 aliases:90 domain:90
创建备份 backup:90 create:45 creates:45
创建备份计划 backup:90 create:90 plan:90
创建失败 create:60 failed:60
创建子用户 sub:90 user:90
创建子网 subnet:90 creates:60
创建安全策略 policies:90 security:90
创建安全组 group:90 security:90 create:45 creates:45
创建定时任务 create:68 cron:45 job:45 scheduled:45
创建定时计划 create:90 plan:90
创建实例 instance:60 create:50 creates:40
创建实例网络 instance:90
创建实例账号 account:90 instance:90
创建实验 experiment:90
创建密码 create:90 password:90
创建密钥 key:90
创建密钥对 key:90 pair:90 creates:60
创建对端网关 customer:90
创建对象 kubectl:32 apply:23
创建属性 create:90
创建巡课 spectators:90
创建工作流 workflow:68 create:45
创建工作空间 workspace:90 create:60
创建工作组 create:60 groups:60 working:60
创建工作表 create:90
创建工具 create:90 tool:90
创建工单 create:45 issue:45
创建序列 create:90 job:90
创建应用 application:56 create:45 creates:34
创建应用分组 create:90 group:90
创建应用账号 account:90 application:90
创建弹性网卡 eni:68 create:45 creates:45
创建快照 create:54 creates:36 savepoint:36 snapshot:36
创建快照策略 policies:90 snapshot:90
创建恢复任务 create:90 restore:90
创建成功 created:60
创建房间 create:90 room:90
创建拒答问题 rejected:90
创建挂载点 mount:90 creates:60 target:60
创建接入点 access:90 point:90
创建插件 plugin:90
创建数据库 database:72 create:54 creates:36
创建数据流动 create:90 data:90 flow:90
创建数据源 data:90 source:68 create:45 creates:45
创建数据集 create:68 dataset:68
创建文件 create:90 file:90
创建文件夹 folder:90 create:60
创建文件系统 file:90 system:90 creates:60
创建文档 create:90 documentation:60
创建新令牌 create:90 token:90
创建新分类 category:90 new:90
创建新团队 create:90 team:72 new:54
创建新图表 chart:90 create:90 new:90
创建新帐户 account:90 create:90
创建新房间 create:90 new:90 room:90
创建新文档 new:90
创建新标签 create:90 new:90
创建新的组织 new:90 organization:90
创建新账户 account:90 create:90
创建新频道 create:90 new:90 channel:60
创建日历 calendar:90
创建日志主题 log:90 topic:90
创建日志集 logset:90
创建日期 date:72 created:54
创建时间 created:41 time:41
创建服务 service:90 create:45 creates:45
创建服务版本 service:90 version:90
创建机器组 group:90 machine:90 create:60
创建权限模板 template:90
创建权限策略 create:90 policy:90
创建权限组 group:90 permission:68 create:45 creates:45
创建权限配置 configurations:90 permission:90
创建来源 source:60
创建标签 create:49 tag:41 label:33
创建标签策略 policy:90
创建检测策略 create:90 policy:90
创建模块 module:90
创建模型 model:90
创建模型服务 model:90 service:90
创建模板 create:90
创建水印模板 creates:90 template:90
创建活动 campaign:89
创建流控规则 rule:90
创建流日志 flow:90 log:90
创建消息 create:90
创建消费组 consumer:90 create:60 group:60
创建消费者 consumer:90
创建清单 create:90
创建环境 environment:90 create:60
创建用户 user:60 create:45 creates:30 users:30
创建用户组 user:75 create:60 group:60 creates:30
创建用户角色 role:90 user:90
创建电子表格 create:90 spreadsheet:90
创建白名单 allowlist:60 create:60
创建监听 listener:90
创建目录 create:68 folder:45
创建目标组 group:90 target:90
创建看板 board:90
创建知识库 create:60
创建私有域 domain:90 private:90
创建站点 site:90 create:60
创建策略 policy:90 create:68
创建筛选条件 filter:90 create:60
创建素材样本 creates:90 samples:90
创建索引 create:45 creates:45 index:45 indices:45
创建索引信息 index:90
创建索引表 table:90
创建组织 organization:90
创建组织成员 member:90 organization:90
创建终端节点 endpoint:90 create:60
创建缓存卷 volume:90
创建网关 gateway:90
创建网络应用 application:90 create:90
创建网络探测 create:90
创建群组 group:90
创建者 creator:76
创建自定义库 custom:90
创建节点池 node:90 pool:90
创建节点组 group:90 node:90
创建蜜罐模板 honeypot:90
创建表格 table:81
创建视频房间 create:90 room:90 video:90
创建角色 role:90 create:36 creates:36
创建触发器 trigger:90 create:45
创建计算环境 compute:90 environment:90
创建计算组 warehouse:90
创建设备 device:90
创建访问配置 access:90 configuration:90
创建评论 create:90 commented:60
创建课堂 room:90
创建账号 account:90 create:45 creates:45
创建账号组 account:90 group:90
创建账户 account:90 create:90
创建资产类目 category:90 create:90
创建资源文件 file:90 resource:90 create:60
创建资源池 pool:90
创建资源组 create:64 resource:64 group:39
创建路由策略 create:54 policy:54 routing:54 creates:36
创建路由表 route:90 table:90 creates:60
创建身份凭证 credentials:90
创建转发规则 create:90
创建转换器 transformer:90
创建转码模板 template:90 transcoding:90
创建边缘函数 create:60 edge:60 routine:60
创建边缘实例 edge:90 instance:90
创建迁移任务 migration:90 task:90 creates:60
创建运维项 items:90
创建运行 create:90
创建连接 connection:90 create:60
创建通知 notification:90
创建通知模板 notification:90 template:90
创建通道组 connection:90 group:90
创建邮件配置 configuration:90 email:90 creates:60
创建部署目标 deployment:90 target:90
创建部门 create:90 department:90
创建配置 configuration:90 create:60
创建镜像 image:90 create:45 creates:45
创建镜像仓库 repository:90
创建防护策略 policy:90
创建隔离规则 isolation:90 rule:90
创建集群 cluster:54 create:54
创建项目 project:77 create:51
创建预置标签 tags:90
创建频道 create:68 channel:45 stream:34
创建飞书任务 create:90 task:90
创建驱动 driver:90
创意 creative:92
创新 innovation:90
创造 creativity:74
创造力 level:53
初始 initial:65 initialize:13
初始值 initial:53 value:36
初始化 initialize:60
初始状态 initial:92
删 untag:44 resources:41
删除 delete:88 remove:8
删除一个应用 application:90
删除一个模版 template:90
删除专用通道 dedicated:90 tunnel:90
删除专用集群 cdc:90
删除业务模块 business:90 module:90
删除主题 delete:54 topic:54 deletes:36
删除书签 bookmark:90 delete:90
删除事件目标 delivery:90 target:90
删除事件规则 event:90 rule:90
删除事件集 bus:90 event:90
删除交付链 chain:90
删除人员类型 delete:90
删除从实例 instance:90 replica:90
删除仪表盘 dashboard:90 delete:90
删除任务 delete:68 task:45
删除任务模板 template:90
删除企业组织 organization:90
删除会话 delete:90
删除作业记录 delete:90 job:90
删除使用计划 plan:90 usage:90
删除全量备份 delete:90 full:90
删除公网域名 public:90
删除共享单元 delete:45 deletes:45 resource:45 share:45
删除凭据对象 secret:90
删除函数 function:90
删除函数版本 function:90 version:90
删除分类 category:68 delete:45
删除分组 delete:90 group:90
删除列表 delete:90
删除别名 aliases:90 deletes:60
删除单个主机 host:90
删除参数模板 parameter:90 template:72 delete:54 deletes:36
删除发信地址 address:90
删除发信模板 email:90 template:90
删除变量 variable:68 delete:45
删除后端服务 backend:90
删除向量索引 index:90 vector:90
删除启动配置 configuration:90 launch:90
删除告警策略 alarm:90 deletes:54 policy:54 delete:36
删除告警规则 rule:60 alarm:45 alert:45 delete:45
删除命名空间 namespace:72 delete:36 deletes:36
删除回调规则 callback:90 rule:90
删除图标 delete:90
删除图片 image:60 remove:60
删除坐席信息 agent:90 information:90
删除域名 domain:90 delete:51 deletes:39
删除域名别名 aliases:90 domain:90
删除备份 backup:90
删除备份仓库 backup:60 delete:60 repository:60
删除备份快照 delete:90 snapshot:90
删除备份策略 backup:90 delete:90 policy:90
删除备份计划 backup:90 delete:90 plan:90
删除备份集 backups:60 delete:60
删除复制组 group:90 replication:90
删除失败 delete:68 failed:68
删除媒体 media:90
删除子用户 sub:90 user:90
删除子网 deletes:90 subnet:90
删除安全策略 policy:90 security:90 delete:60
删除安全组 group:90 security:90 deletes:60
删除定时任务 delete:60 scheduled:60 task:60
删除定时计划 delete:90 plan:90
删除实例 instance:72 delete:54
删除实例账号 account:90 instance:90
删除实验 experiment:90
删除密钥 key:68 remove:45
删除密钥对 key:90 deletes:60 pair:60
删除对端网关 customer:90
删除对话记录 chat:90 delete:90
删除层版本 layer:90 version:90 deletes:60
删除属性 delete:68 property:45
删除巡课 spectators:90
删除工作区 workspace:90
删除工作流 workflow:54 delete:36 deletes:36 pipeline:36
删除工作空间 delete:90
删除工作组 delete:60 groups:60 working:60
删除帐户 account:90 delete:90
删除序列 delete:90 job:90
删除应用 application:45 delete:45
删除应用分组 group:90
删除应用账号 account:90 application:90
删除弹性网卡 eni:68 delete:45 deletes:45
删除归集规则 collection:90 delete:90 rule:90
删除当前帐户 account:90 delete:90
删除录制模板 recording:90 template:90
删除录制规则 recording:90 rule:90
删除快照 delete:51 snapshot:51 deletes:39
删除快照策略 snapshot:90 deletes:60 policies:60
删除成功 delete:39 deleted:39 successfully:39
删除成员 member:90
删除成员角色 member:90 role:90
删除截图模板 template:90 delete:60 screencapturing:60
删除截图规则 rule:90 screencapturing:90
删除手动备份 manually:90
删除手工备份 backup:90 manually:90
删除执行 executions:90
删除扫描规则 rule:90 scan:90
删除报警规则 rules:90
删除拒答问题 rejected:90
删除挂载点 mount:90 delete:60 point:60
删除指定任务 job:90
删除指定分组 delete:90 group:90
删除指定实例 instance:90
删除指定镜像 image:90 specified:90
删除接入点 access:90 point:90
删除插件 plugin:90
删除插件挂载 attachment:90
删除故事 story:90
删除数据库 database:56 delete:45
删除数据引擎 data:90 engine:90
删除数据流动 data:90 delete:90 flow:90
删除数据源 data:90 source:90 delete:60
删除数据集 dataset:60 delete:60
删除文件 delete:72 file:54
删除文件夹 folder:90 delete:60
删除文件系统 file:90 system:90 delete:45 deletes:45
删除文档 delete:60 documentation:60
删除文档库 delete:90
删除日历 calendar:90
删除日志主题 log:90 topic:90
删除普通参数 parameter:90
删除智能体 agent:90 delete:90
删除服务 service:90 deletes:60
删除服务版本 service:90 version:90
删除木马记录 records:90 trojan:90
删除本仓库 delete:90 repository:90
删除机器人 delete:90
删除机器组 group:90 machine:90 delete:60
删除权限策略 delete:90 policy:90
删除权限组 delete:60 group:60 permission:45 deletes:30
删除某一集群 cluster:90
删除标签 delete:38 tags:38
删除标签策略 policy:90
删除检测策略 delete:90 policy:90
删除检索模板 template:90 delete:45 deletes:45 retrieval:45
删除模型 delete:60 model:60
删除模型标签 labels:90 model:90
删除模型版本 model:90 version:90
删除模板 delete:90 template:90
删除水印 delete:90 watermark:90
删除水印模板 template:90 deletes:60 watermark:60
删除水印规则 rule:90 watermarking:90
删除泳道组 group:90 lane:90
删除流控规则 rules:90
删除流日志 delete:60 flow:60 log:60
删除消息 delete:90 message:60
删除消费组 consumer:90 delete:68 group:68
删除消费者 consumer:90
删除物理专线 connection:90 delete:60
删除环境 delete:90 environment:60
删除用户 user:68 delete:34 deletes:34
删除用户组 user:77 group:64 delete:51 deletes:39
删除用户配置 user:90
删除白名单 allowlist:90
删除监听 listener:90
删除目录 delete:60 directory:60
删除目标组 target:90 deletes:60 group:60
删除私有网关 gateway:90
删除私有网络 delete:90
删除站点 site:90
删除策略 policy:77 delete:51
删除策略场景 policy:90 scenario:90
删除筛选条件 filter:90 delete:60
删除系列 delete:90
删除素材样本 deletes:90 samples:90
删除索引 delete:45 deletes:45 index:45 indices:45
删除索引表 table:90
删除组件 component:60 delete:60
删除组织身份 identity:90 organization:90
删除终端节点 endpoint:90 delete:68
删除缓存卷 volume:90
删除网关服务 gateway:90 service:90
删除网关路由 gateway:90 route:90
删除联系人 contact:90 delete:60
删除聚合实例 instance:90 recording:90
删除背景图片 background:90 image:90
删除节点 delete:60
删除节点池 delete:60 node:60 pool:60
删除行 delete:90
删除表格组 group:90 table:90
删除规则 rule:90 delete:60
删除角色 role:90 delete:60
删除解析记录 delete:90 record:90
删除触发器 trigger:90 delete:60
删除计算环境 compute:90 environment:90
删除计算组 warehouse:90
删除订阅关系 subscription:90
删除认证文件 certificate:90
删除记录 delete:54 record:54
删除记录分组 group:90 record:90
删除设备 device:90
删除设备影子 device:90 shadow:90
删除访客 delete:90 visitor:90
删除证书 certificate:90 delete:60
删除评论 delete:90 commented:60
删除账号 account:90 deletes:60
删除账号失败 account:90
删除账号组 account:90 group:90
删除账户 delete:90
删除资产类目 category:90
删除资源标签 resources:90 untag:60
删除资源池 delete:90
删除资源组 delete:64 resource:64 group:39
删除超级节点 node:90 super:90
删除路由 route:90
删除路由策略 deletes:60 routing:60
删除路由表 route:90 table:90 deletes:60
删除转发规则 delete:60 forwarding:45 rule:45 rules:45
删除转换器 transformer:90
删除转码模板 template:90 transcoding:90 deletes:60
删除转码规则 rule:90 transcoding:90
删除边缘实例 edge:90 instance:90
删除迁移任务 migration:90 task:68 delete:45 deletes:45
删除连接 connection:60 delete:60
删除通知 notification:90
删除通知策略 notification:90 policy:90
删除通道组 connection:90 group:90
删除部署任务 deployment:90
删除部署目标 deployment:90 target:90
删除部门 delete:90 department:90
删除镜像 image:77 deletes:39
删除镜像仓库 repository:90 delete:60 image:60
删除防护策略 policy:90
删除防护规则 rule:90
删除附件 delete:90
删除隔离规则 isolation:90 rules:90
删除集成 delete:90 integration:90
删除集群 cluster:75 delete:45 deletes:30
删除集群路由 cluster:90 route:90
删除项目 delete:75 project:60
删除项目空间 namespace:90
删除预置标签 tag:90
判定 judge:24 active:23 determine:21
判断 determine:53 judgment:16 whether:10
利比 jamahiriya:48
利用 pod:29 use:28 utilization:14
利用率 utilization:66
刪 deleted:95
别 don:90
别人 others:92
别名 aliases:60
别称 aliases:69 name:23
到期 expiration:48 due:22 expiry:17
到期日 expiration:88
到期时间 expires:45
到来 upcoming:32
到达 reached:64 arrives:20
制 clock:75
制作 make:36 create:28
制品 artifact:98
制备 provisioning:50 volume:14 persistent:10
制定 make:55
制度 hours:34 working:33 system:22
制表 tabs:88
制表符 tabs:88
制造 manufacturing:90
制面 dashboard:84
刷 flash:57
刷新 refresh:76
刷新令牌 refresh:90
刷新区域 region:90
刷新日志 refresh:90
刷新类型 type:90
刷新重试 refresh:90
刷新间隔 refresh:90
券 voucher:50 reserved:33
刻度 ticks:52 scale:32
前 ago:12 first:9
前一月 month:90 previous:90
前任 task:35
前列 column:86
前台 foreground:52 bring:28
前导 leading:74
前往 go:91
前往主视图 go:90 home:90 view:90
前往消息 go:90
前提 prerequisites:87
前景 foreground:68 selection:27
前端 frontend:41 browser:11
前缀 prefix:77
前置 pre:51
前进 forwarding:82
前面 previous:25 preceding:21
剔除 removal:24 remove:20 delay:11
剖析 profiling:52 metric:16 cloud:15
剧 comic:40
剧本 playbook:76
剧集 episode:97
剧集项目创建 episode:90 project:90
剧集项目更新 episode:90 project:90
剧集项目查询 episode:90 project:90
剩 left:60 days:30
剩下 left:90
剩余 remaining:70 left:24
剩余时间 time:52 remaining:33
剪切 clipboard:48 cut:38
剪切板 clipboard:34
剪裁 pruned:33 trimming:24
剪贴 clipboard:68 copy:20
剪贴板 clipboard:65 copy:19
剪辑 editing:66 online:14 clipping:8
副作用 side:44 effects:41
副本 replicas:47 copy:27
副本数 number:60
割线 lines:49
力 ai:31 power:22
力图 heatmap:71
力量 strength:49 loras:40
办公 office:98
功率 rate:50 success:46
功能 feature:62 function:11
功能强大 powerful:86
加 add:36 whitelist:22
加上 put:40
加入 join:80 add:14
加入了会话 conversation:90 joined:90
加入于 joined:90
加入会议 join:90
加入团队 join:90
加入时间 time:90
加入讨论 discussion:90 join:90
加入通话 call:90
加号 plus:90
加固 hardening:51
加密 encryption:44 encrypted:34
加密传输 default:21 value:20 false:18
加密方式 method:90
加密算法 encryption:32 algorithm:26 cryptographic:20
加工 processing:40 transformation:22 etl:22
加快 speed:24
加急 buzz:61 messages:19
加拉 bengali:85
加班 overtime:97
加粗 bold:94
加解密 key:87
加载 load:85 reload:10
加载到草稿 draft:90 load:90
加载失败 failed:75 load:60
加载更多对话 conversations:90
加载错误 error:90
加速 acceleration:34 accelerated:31
加速器 accelerator:94
加速域名 domain:90 name:90
务器 server:63
务必 must:90
动 animated:36 gif:35 dynamic:14
动作 action:75 filter:9
动态 dynamic:63 dynamically:22
动手 hands:85
动检 detected:52 auto:34
动漫 anime:94
动物 animal:67 nature:24
动画 animation:34 spinner:23
动词 verb:80
助于 helps:50
助力 boost:27 chat:24 ai:15
助手 assistant:70 ai:8
助教 assistants:29
助理 assistant:63 agents:17 ai:12
努力 effort:53 constrains:16 high:11 medium:10
勋章 badge:86
勒索 ransomware:56 backup:18 anti:12 uni:10
動 action:81
勤 attendance:64
勾 check:51 uncheck:34 box:8
包 package:67
包名 package:90
包含 contains:55 include:35
包含域 domains:90
包含延迟任务 deferred:90
包括 including:83
包月 subscription:39 monthly:30 subscribed:9
包装 wrap:30
包裹 package:42
匈牙利 hungarian:67
化 instantiate:22 persists:16 containerized:16
化生 based:45 generation:24
北京 utc:28 beijing:21 date:20
匯 import:86
匹配 match:85
区 zone:39 workspace:23
区内 partition:37 inside:32 within:14
区分 distinguish:23 sensitive:16 case:15 insensitive:14
区分大小写 case:90
区块 blockchain:44 block:32 across:12
区域 region:53 area:13 zone:8
区域性 culture:71
区段 band:90
区间 interval:48 range:30
医学 biomedical:57
医疗 medical:67 healthcare:28
医疗保险 insurance:74
匿名 anonymous:80
匿名登录 anonymous:52
十六 hex:53 hexadecimal:38
十六进制 hex:53 hexadecimal:38
十年 decade:68
十进制 decimal:98
千 kilobytes:40 attribute:25
千里 speech:35
升 upgrade:87
升序 ascending:46 order:16 asc:15 desc:9
升级 upgrade:80
升级包 package:36 update:23 ota:21 air:9
升级实例 instance:90
升级实例版本 instance:90 version:90
升级引擎镜像 engine:90 image:90
升级集群 cluster:90 upgrade:60
升降 specification:36 adjustment:26 modify:21
午夜 midnight:90
半 semi:74
半天 half:40 days:28
半年 year:42 half:42
半径 radius:86
半角 commas:48
华为 huawei:43 maa:21
华文 chinese:69
协作 collaboration:30 collaborate:22 collaborative:13 members:12
协作者 collaborator:58
协助 assistant:30
协商 negotiate:90
协管 moderators:82
协管员 moderators:82
协议 protocol:68
协议名称 protocol:90 name:60
协议文件路径 protocol:90
协议类型 protocol:90
协调 coordinate:45 reconciliation:18 reconcile:14 coordination:10
卓 android:60
单 single:44 order:18 per:9
单一 single:90
单个 single:70 individual:9
单任务 data:58
单位 unit:42
单体 monolithic:90
单元 unit:67 resource:14
单元格 cell:84
单元测试 unit:71
单击 click:82
单列 column:46 single:37
单号 number:35
单向 way:36 one:25 two:24
单字 form:62 fields:29
单引号 single:97
单张 single:78
单数 singular:90
单条 single:74 individual:13
单点 sso:34 single:20
单独 separate:56 individually:23 explode:10
单行 line:48 single:38
单词 word:93
单选 single:46 select:18 selection:14 radio:12
单选题 choice:38 radio:24
单通 single:54 connection:32
单通道 single:54 connection:32
单项 items:77 checklist:16
卖 sell:43
卖家 seller:67 admin:24
南非 south:68
博客 blog:72 kubernetes:8
占 proportions:42 status:22 http:16
占位 placeholder:76
占卜 divination:46 occult:40
占用 occupied:18 taken:13 use:11
卡 card:76 replenishment:9
卡片 card:91
卡片类型 card:90
卡通 cartoon:57
卢比 rupee:97
印 watermark:43
印度 india:44
印度卢比 inr:48 indian:35
印文 line:34 print:31
印章 seal:95
危 risk:56 high:22 syscalls:16
危害 severity:36 vulnerability:26 critical:24
危险 dangerous:57 danger:16
即 value:9
即使 even:86
即刻 ai:52
即可 object:14 custom:14 according:13
即将 soon:20 upcoming:13
即席 hoc:45 ad:45
即时 instant:34 time:29 livechat:16
卷 volume:67
卷上 volume:93
卷快照 volume:90
卷数 volume:88
卸载 uninstall:68
卸载云硬盘 cloud:90 disks:90
卸载插件 uninstalls:45
卸载模块 module:90
厂商 vendor:44 provider:24
历史 history:67 historical:17
历史数据 historical:45 cron:20
历史版本 historical:60 version:60
历史记录 history:86
历史记录为空 empty:60 history:60
压 stress:38 benchmark:20 bench:10 cloud:10
压制 suppression:80
压力 pressure:53 stall:13 psi:13 kubelet:13
压缩 compression:34 compressed:26
压缩包 archive:50 zip:20 files:14
压缩文件 compressed:38 gzip:22 archive:18
压缩率 compression:86
厚度 thickness:90
原 original:89
原值 original:57
原则 principle:85
原因 reason:82
原图 original:53 image:37
原地 place:95
原始 original:57 raw:38
原始数据 splunk:44 perform:31
原子 atomic:76
原文 original:44 text:18 source:12 content:10
原有 original:58 existing:20 provided:14
原来 original:58 pod:21 legacy:16
原点 origin:79
原理 works:51
原生 native:71
去 go:36 deduplication:22
去创建 create:90
去发布 publish:90
去年 last:48 year:40
去掉 remove:84
去火山创建 create:90 volcano:90
去除 remove:80 indicates:11
县 county:41 district:36 search:10
参 parameter:51 input:34
参与 participating:33 invitees:18
参与度 engagement:96
参与者 participants:66 actor:9 join:9
参会 participants:41 attendees:18
参加 participation:17 field:16
参加工作日期 date:90 participation:45
参加者 attendees:92
参数 parameter:78
参数传递 argument:26 passed:22
参数信息 parameters:71 information:23
参数值 value:46 parameter:26 token:10
参数列表 list:68 parameters:45
参数名 name:90 parameter:36
参数名称 name:90 parameter:68
参数描述 description:90
参数类型 type:90 parameter:60
参数设置 renewal:26 auto:22 monthly:11
参照 following:90
参看 application:84
参考 reference:50 refer:13
参考图 reference:90
参考文献 reference:59
参考资料 reference:71
参见 see:72 refer:13
参阅 see:50 refer:11
又 left:56 channel:31
及其 api:21 remove:19 pods:14 along:10
友好 friendly:93
双 dual:42 ipv:20 two:20
双击 double:45 click:42 doubleclick:10
双列 two:34 column:33
双向 bidirectional:23 mutually:20 tls:10 association:9
双引号 double:88
双拼 pinyin:20 double:19
双方 party:42
双曲 hyperbolic:57 arc:24
双流 stream:33 domain:18 multi:16 live:15
双重 two:41 factor:41
双重身份 authentication:44 factor:24 two:24
反 deserializing:26 anti:16 insecure:12
反函数 inverse:53 arcsine:23
反向 reverse:63
反射 udp:61 reflects:28
反应 reaction:60 reacted:25 slack:8
反弹 reverse:47 shell:47
反思 reflection:68
反映 reflects:85 load:10
反正 arctangent:44 arc:28
反汇编 disassemble:58 class:29
反编译 decompile:24 dex:24
反转 invert:25 reversing:18
反选 inverse:90
反馈 feedback:73
发 resend:37 config:18
发人 developer:96
发件 sender:66 email:15
发件人 sender:60 send:12
发件人号码 number:90
发件人名称 name:90
发件人地址 address:90
发信 sender:52 sending:19 email:8
发信人 sms:53 sender:35
发信域名 domain:90 sender:90
发出 emitted:40 sent:32 make:23
发动 top:37 hits:21 rule:20
发器 trigger:65
发布 publish:58 release:20
发布于 published:72
发布函数版本 function:90 version:90
发布列表 get:90 list:90 release:90
发布历史 history:90
发布失败 failed:72
发布层版本 layer:90 version:90
发布平台 platform:90
发布成功 published:45 publish:30 successfully:30
发布文档预览 preview:90 released:90
发布日期 date:90
发布时间 time:90
发布更新 publish:90
发布服务 service:90
发布服务版本 service:90 version:90
发布渠道 channel:54 publishing:36
发布管理 management:90
发布结果 results:54 publish:36
发布网关路由 gateway:90 route:90
发布记录 publish:36
发布详情 details:90 release:90
发帖 post:94
发放 issuance:37 issued:27 grant:25
发文 files:81
发消息 outbound:65 receive:29
发现 discovery:34 discover:21 found:14
发生 occurred:52 happens:8
发生变化 change:88
发生意外 unexpected:46 error:39
发生未知错误 error:90 unknown:90
发票 invoice:94
发票提醒 invoice:90
发票日期 date:90
发给 token:49 sent:38
发行 release:36 distribution:12 serving:10
发行版 distribution:47 linux:28
发行者 issuer:90
发表 irrevocably:73
发言 speak:28 speech:13 post:9
发言人 speakers:96
发货 shipment:82
发起 initiate:43 start:22
发起人 initiator:54 user:23
发起集群诊断 cluster:90
发送 send:67 sent:20
发送信息 message:72
发送到 sent:59 webhook:12 send:8
发送单条消息 message:90
发送单条邮件 email:90 single:90
发送失败 failed:90 send:90
发送密钥 key:90 send:90
发送成功 sent:54 successfully:54 send:36
发送数据 retrieve:60 email:23
发送文本 send:90 text:90
发送测试通知 notification:90 send:90
发送测试邮件 email:90 send:90 test:60
发送消息 message:64 send:39
发送的消息 messages:90
发送短信 sms:90 sends:60
发送给 sent:83
发送者 sender:92
发送至 sent:79
发送请求 send:90
发送邀请 send:90
发送邮件 email:51 send:51
发送附件 attachment:90
取 pull:58
取代 replace:56 beta:25
取信 information:88
取值 value:45 valid:13
取决 depending:74
取决于 depending:74
取回 retrieval:28 lifecycle:14 fetch:14 retrieve:13
取得 get:52 take:16 obtain:13
取消 cancel:60 cancelled:12
取消任务 task:90 cancels:60
取消保护云盘 disk:90
取消信任木马 trojan:90 untrusts:90
取消全选 deselect:90
取消分组 ungroup:90
取消勾选 uncheck:90
取消导入 cancel:90
取消执行 execution:90
取消订阅 cancel:54 subscription:36 unsubscribe:36
取消证书审核 certificate:90 review:90
取消证书订单 certificate:90 order:90
取消转码作业 job:90
取消运行 cancel:90
取而代之 favor:38 io:30 kubernetes:23
受 protected:19 unsupported:15 untrusted:11
受众 audience:59
受信任 trusted:90
受到 may:31 subject:26 protected:19
受控 controlled:80
受欢迎 popular:73
受邀 invited:79 people:17
受邀者 invitee:61
受限 restricted:62 constrained:14 limited:14
受限访客 guest:90 limited:90
变 immutability:12 tag:11 change:8
变为 become:53
变体 variant:58 variation:17
变动 changes:96
变化 changes:82
变得 make:80
变成 become:25 running:17 ready:17 pod:14
变换 transform:67 much:26
变更 change:66
变更原因 reason:90 change:60
变更插件列表 list:90
变更类型 change:90 type:90
变更请求 change:90
变现 billing:32 message:31 user:31
变配询价 price:90 scaling:90
变量 variable:92
变量值 value:60 variable:33
变量名 name:92
变量类型 type:90 variable:90
叙利亚 syrian:32
口 port:74 smtp:22
口令 password:32 passphrase:19 scratch:14 code:11
口号 number:45 port:43
口径 calculation:57 duration:30
句号 period:96
句子 say:85
句柄 handle:90
句点 period:68
另 another:74
另一台 another:94
另一组 another:39
另外 alternative:18 another:17 additionally:13 others:12
另存 save:96
另存为 save:26
只 one:13 true:10 specifies:8
只是 example:87
只有 one:10 single:10 people:9 owner:8
只查询文件夹 folder:90 queries:90
只能 one:27 must:12
只读 read:85
召回 recall:79
召回向量数据 data:90 query:90
可不 specifies:25 optional:24
可不填 kubernetes:43
可任意 freely:32 maximum:24 named:22
可信 trusted:80 keystore:9
可变 mutable:31 variable:31
可回收 bin:58
可执行文件 executable:54 binary:18 kubectl:9 netsdk:8
可爱 kawaii:55
可用 available:65 availability:15
可用区列表 list:90 availability:45 zones:45
可用性 availability:84 host:10
可用的工具 tools:90
可疑 suspicious:57
可移植 portable:68
可编 ascripts:57 rules:26
可编程 ascripts:57 rules:26
可能 may:56 might:15
可见 visible:81
可见度 visibility:95
可视 visual:58 visualized:25
可视化 visualized:36 visualization:34
可视化类型 type:90
可读 readability:85
可读性 readability:85
可逆 irreversible:65
可选 optional:32 available:32
可选参数 optional:90
可选设置 optional:90
可选项 optional:32 available:32
可靠 reliable:74 trusted:14
可靠性 reliability:67
台 caster:35 production:29 studio:29
台湾 taiwan:60 province:21
史记 history:86
右 right:85
右上 right:60 top:28
右上角 right:60 top:28
右侧 right:77 side:13
右对齐 right:90 align:54
右移 right:60 move:31
右边 right:85
右键 right:71
号 number:57 code:11
号码 number:88
各 queries:37 describe:14 severity:10
各个 individual:40 various:21 across:10 different:9
各种 various:83
各种类型 various:85
各类 various:52 etc:28
合 merge:92
合一 identity:85
合作 collaborate:71
合作伙伴 partners:94
合作者 collaborator:89
合同 contract:95
合并 merge:58 pull:28
合并方法 merge:90 method:90
合并联系人 merge:90
合并请求 pull:60 requests:60
合成 speech:19 text:17 synthesized:10
合法 valid:67 invalid:9
合法性 validating:34
合法性检查 validating:55 validation:33
合流 stream:42 mixing:33 merge:10 live:9
合理 reasonable:71
合约 contract:57 fabric:18
合规 compliance:66 check:10
合规性 compliance:93
合计 total:46 aggregate:34
合适 appropriate:47 suitable:23 case:10
吊销 revoke:79
吊销证书 certificate:90 revoke:90
同 vpc:10
同一个 pod:25
同义 synonym:83
同义词 synonym:83
同事 workers:30 co:30
同于 system:20
同名 name:50
同意 agree:60 consent:13
同意书 consent:89
同时 time:18 simultaneously:12 ids:11
同构 remote:40 adbdata:22 analytic:16 db:16
同样 similarly:18 maxmemory:10
同步 sync:45 synchronization:21 synchronize:12
同步器 syncer:96
同步失败 failed:90 sync:90
同步操作 operations:85
同步数据 data:90
同步更改 changes:90
同步机器信息 information:90 machine:90
同步镜像 image:90
同步阅读列表 collections:60 sync:60
同源 origin:38
同级 sibling:60
名 name:94
名下 domain:54
名为 named:38 name:11
名单 allowlist:30 ip:18 list:13 whitelist:12
名字 name:45 namespace:20
名将 claim:52
名称 name:95
名称不能为空 name:90 empty:60
名称是必填项 name:90
后付费 go:32 pay:23 postpaid:17
后台 background:62 backend:9
后处理 post:96
后果 consequences:68
后端服务协议 backend:90 protocol:90 service:90
后继 successor:54
后续 subsequent:66 later:12
后缀 suffix:79
后置 post:35 sql:28
后退 back:74
向 send:11 backward:9
向上 ceil:22
向下 floor:17
向前 forwarding:97
向导 wizard:61 setup:16
向量 vector:60 collection:22
吞吐 throughput:68 performance:23
吞吐量 throughput:57 api:29
否 yes:38 false:23
否则 otherwise:81
含 including:49 without:18 inclusive:11
含义 meaning:75 parameter:21
含有 contains:63 invisible:8
含税 tax:60
听到 hear:94
启 start:47 enable:18
启动 start:53 launch:17
启动一个执行 execution:90
启动参数 parameter:60 startup:60
启动同步任务 sync:90 task:90
启动实例 instance:60
启动服务 start:90 service:60
启动模式 mode:90
启动流日志 flow:90 log:90
启动流程 flows:90
启动监听 listener:90
启动迁移任务 migration:90 start:90
启发 heuristic:90
启用 enable:89
启用加密 encryption:90
启用域名 domain:90 start:60
启用子网路由 enables:90 subnet:90
启用实例 instance:90 enable:60
启用工作流 enable:60 workflow:60
启用指定任务 job:90
启用授权规则 rule:90
启用插件 enable:90
启用数据密钥 data:90 key:90
启用更新检查 checker:90 enable:90 update:90
启用网页搜索 enable:90 search:90
启用自动翻译 enable:90
启用诊断输出 diagnostic:90 output:90
启用项目 enable:90
启用预测 enable:90
吸引 attract:85
吸附 snap:67
呈现 rendered:66 expose:18 markdown:12
告知 existence:21 know:21
告警 alert:46 alarm:41
告警信息 alert:27 event:26 alarm:22
告警类型 type:90 alert:45
告警页统计 page:90 statistics:90
告诉 tells:36 kubernetes:26
员 user:46
员工 employee:84
员工信息 information:90
周 week:70
周一 monday:70 mon:24
周三 wednesday:57
周二 tuesday:74
周五 friday:62 fri:28
周六 saturday:45 sat:28
周前 ago:90
周四 thursday:57
周围 around:90
周报 weekly:37 report:37 cwp:21
周日 sunday:67 sun:27
周期 cycle:40 period:30
周期性 recurring:31 periodic:23 occurrence:17
周期性重发 every:90 resend:90
周知 known:90
周边 peripheral:85
呼 call:49 outbound:49
呼入 inbound:39 incoming:24 call:24
呼叫 call:88
命中 hit:68 match:10
命中率 rate:23 domain:22 ratios:18 req:9
命令 command:73
命令描述 command:90 description:90
命令提示符 command:78
命令行 line:60
命令集 commands:81
命名 namespace:57 named:9
命名空间 namespace:68
命名空间名称 name:72 namespace:36
命名空间描述 description:90 namespace:90
咨询 consult:78
品名 product:48 name:47
品牌 brand:81
品种 variant:57
品类 category:57
哈希 hash:83
响应 response:82
响应体 body:90
响应示例 response:90
响铃 ring:86
哎呀 oops:82
哔哔声 beep:78
哦 oh:90
哪 use:84
哪个 indicates:37 specifies:24
哪些 specify:28 queries:22 queues:11 exchanges:11
哪里 expectations:85
唤醒 wake:57
售卖 purchasable:30 sales:26 available:11
唯一 uniquee:86
唯一性 uniqueness:92
商 vno:30 operator:30 provider:29
商业 business:60
商业化 commercial:92
商业智能 intelligence:66 service:26
商务 business:59
商品 product:47 items:32
商品信息 commodity:62
商品名称 name:90
商品图片 product:90
商品详情 product:60
商家 merchant:97
商店 store:70 catalog:9
商户 merchant:63 pay:22
商标 logo:21
善意 faith:45 good:45
喜欢 favorite:81
嗅 sniffing:85
嘛 scheduler:85
嘿 hey:71
器 scheduler:32 runner:14
噪 noise:92
噪声 noise:62 stationary:28
噪音 noise:90
四个 four:86
四层 layer:65 transport:12
四种 four:66 types:26
四舍五入 rounds:70
回 back:35 origin:25
回传 post:54
回信 reply:78
回到 back:67 go:21
回填 backfill:78
回声 echo:68
回复 reply:49 response:25 canned:9
回复图标 icon:90
回复数 responses:87
回复消息 message:68 reply:68
回应 reaction:57 react:23 post:10
回归 regression:86
回执 receipts:74 read:20
回收 recycle:40 reclaim:14 bin:8
回收站 bin:47 recycle:21 trash:14
回放 replay:90
回来 back:94
回档 rollback:46 rolling:21 back:20
回溯 rewind:54
回答 answer:59 response:24
回调 callback:58 url:15
回调地址 callback:90
回车 enter:70 press:13
回车键 enter:32 key:24 press:23
回退 back:25 fall:21 reverted:20 rollback:12
回退完成 complete:90
回顾 recap:71 review:21
因 due:76 instrumentation:13
因为 cannot:25 since:19 pod:16 due:9
因变量 independent:24 pairs:24 dependent:24
因子 factor:73 two:12
因此 therefore:30 opt:9 sdk:8
因素 factor:42 mfa:22
团队 team:91
团队不存在 team:90
团队名称 name:90
团队已删除 deleted:90
团队成员 members:60 team:60
团队描述 description:90
团队版 team:90
团队管理员 team:90
团队设置 settings:90
固件 firmware:53 otafirmware:39
固化 solidified:29
固定 fixed:50 pinned:29
固定值 value:44 monitoring:14 fixed:9
固定消息 message:60
固定金额 fixed:90
国 sm:26 shang:14 mi:14 smcertificate:13
国内 burst:20 china:20 mainland:20 ddo:18
国家 country:87
国家代码 country:90
国籍 nationality:66
国际 international:70
国际化 internationalized:28 key:20
图 image:39 graph:15 figure:9
图书 book:85
图例 legend:94
图像 image:76
图像尺寸 size:90
图像数量 number:90
图像文件 image:44 file:40
图像标签 image:90
图像格式 format:66
图像流信息 information:90
图像流名称 name:90
图像编辑 edit:40
图层 layer:72 gl:9 deck:9
图库 gallery:85
图形 graph:48 shapes:19 graphics:9
图形界面 gui:28 qemu:22
图文 watermark:92
图标 icon:81
图案 created:22 word:22
图片 image:75
图片上传失败 failed:90 image:90 upload:90
图片大小 mb:48 image:21
图片尺寸 image:58
图片格式 jpeg:25 png:24 image:16
图片理解 image:90 understanding:60
图片生成 generation:90 image:90
图片链接 image:40 url:36
图片预览 image:90
图表 chart:76 diagram:12
图谱 graph:81
图钉 pin:55 drop:32
圆 circle:70
圆圈 circle:90
圆形 circle:63
圆角 radius:27 corner:24 rounded:24
圈 circle:34 cyclomatic:34
土耳其 turkish:73
在内 including:74
在地图上查看 map:90 view:60
在此期间 period:35
在线 online:64 live:9
地 pod:20 place:18 safely:14 securely:9
地区 region:61
地图 map:67 sitemap:12
地址 address:62 url:11 ip:9
地址栏 url:47 bar:39
地址类型 address:90 type:90
地域 region:82
地平线图 horizon:90
地方 place:28 elsewhere:16 anywhere:13 somewhere:10
地点 location:57 workplace:9 address:8
地点地址 address:90 location:90
地球 earth:47 globe:25
地理 geocoding:17 geographic:16 location:14 geo:13
地理位置 geolocation:47 ip:22 request:14
地盘 local:49 disk:47
场景 scenario:64 scene:26
场景名称 name:90
场站 site:31 alibaba:30 cloud:29
均 users:25 none:23 url:20
均值 means:40 avg:39
均分 space:42 evenly:42
均匀 uniform:90
均衡 clb:25 balancer:21 load:15 instance:8
均衡器 balancer:43 load:36
坐席 agent:99
坐标 coordinates:81
坐标值 point:90
坐标轴 axis:89
块 block:58 chunks:16
垂直 vertical:77
垃圾 garbage:47 collection:28
垃圾箱 trash:79
型 nlb:23 ip:12 waf:12
型号 model:84
垫片 padding:57
埃及 egyptian:42
城市 city:91
域 domain:74
域名 domain:59 name:32
域名列表 domain:90 assets:60 list:60
域名数组 array:90 domain:90
域名解析 resolution:25 record:10 dns:9 ip:9
域名过户 domain:90 ownership:90
域名锁定解锁 domain:90
域性 culture:71
基 base:42 rebase:30 based:13
基于 based:88
基准 benchmark:45 base:40 ref:8
基准分支 base:90
基因 genetic:57
基数 cardinality:48 many:16 one:14
基本 basic:77
基本信息 basic:45 info:45
基本认证 authentication:60 basic:60
基础 basic:60 base:18
基础数据 basic:60 data:60
基础版登录 version:90
基础知识 kubernetes:48
基础组件 basic:90 component:60
基础设施 infrastructure:50 infra:45
基础配置 basic:90
基类 class:47 base:47
基线 baseline:77 check:9
基金 foundation:38 fund:35
基金会 foundation:40 wikimedia:28 cncf:23
堆 heap:85
堆叠 stacked:80
堆栈 stack:80
堆积 consumer:38 heaped:24 messages:22
堡垒 bastion:44 host:35
填 left:16 filled:16 blank:13 empty:8
填充 populate:32 fill:30 mattermost:9
填入 filled:35 enter:15
填写 fill:49 enter:10 required:9
填报 report:28 centralized:24 fill:15 centrally:11
填空 fill:41 blank:41
境内 mainland:41 outside:26
境外 inside:42 china:42
增 incremented:45 auto:45
增值 value:40 added:39
增值税 vat:95
增值税号 vat:90
增值税号码 vat:90
增加 add:59 increase:30
增加策略组 group:90 policy:90
增大 increase:92
增强 enhanced:68 enrichment:11
增强型 enhanced:61
增强服务 enhanced:90
增强版 moderation:80
增购 additional:33 purchase:33 ai:27
增量 incremental:79
增长 growing:74
壁纸 wallpaper:90
声卡 soundcard:45 alsa:45
声明 declared:54 claim:24
声纹 voiceprint:94
声音 sound:54 voice:24
声音克隆 clone:90
声音文件 sound:66
处 specify:23
处于 state:26 pod:20 running:10
处理 processing:63 handling:21
处理事件 pending:47 events:20
处理函数 handler:92
处理器 processor:55 ingest:15
处理方式 type:90
处理程序 handler:67
处理结果 results:88
处罚 penalty:43 presence:42
处置 handling:36 event:10 operation:10 dispose:8
备 secondary:25 standby:17 replica:9
备份 backup:82
备份代码 backup:90
备份地域 backup:90 region:90
备份文件 backup:46 file:31
备播 resource:32 standby:24
备案 icp:39 filing:25 obtain:18
备注 remarks:50 note:19 description:16
备注信息 information:60 remarks:60
备注内容 content:90
备用 alternative:15 alternate:12 secondary:10 standby:9
备选 alternative:78
复位 reset:90
复制 copy:64 replication:16
复制到 copy:96
复制到空间 space:90
复制到资源库 copy:90 library:90 resource:90
复制名称 copy:90
复制场景 copy:90 scenario:90
复制失败 copy:90 failed:60
复制属性 attribute:90
复制工作表 copy:90 worksheet:90
复制成功 copy:54 copied:36 successfully:36
复制服务 service:90
复制粘贴 copy:51
复制节点 copy:90
复制规则 copy:60 rule:60
复制链接 copy:90
复刻 clone:41 replication:22 replicated:16
复古 vintage:57
复合 compound:53 composite:38
复数 plural:58 number:29
复杂 complex:66 complicated:9
复杂度 complexity:79
复杂性 complexity:90
复杂程度 complexity:94
复现 reproducible:97
复用 reuse:51 cname:16 reusable:16
复盘 review:90
复选 select:33
复选框 checkbox:93
外 public:37 external:16 outside:11 network:10
外侧 outside:48 put:30
外勤 field:81
外壳 shell:56
外汇 forex:42
外派 international:44 assignment:30 relocation:17
外派原因说明 international:90
外联 outgoing:23
外补 outpainting:94
外观 appearance:55 look:9
外部 external:81
外部账号 external:90
外链 link:60
多 multi:47 multiple:17
多个 multiple:52 one:39
多久 long:40 late:18 unit:14
多于 contains:33
多云 cloud:25 multi:14
多列 column:54 multiple:39
多功能 features:82
多台 one:46 elastic:14 ecs:13 compute:10
多因子 multi:47 token:46
多块 one:74
多天 days:66 many:23
多少 many:46 number:37
多层 multi:51
多条 multiple:62
多样 controls:39 randomness:28 diversity:22
多样性 diversity:83
多次 multiple:46 times:32 many:10
多用 multi:72
多用户 user:41 allow:38
多种 multiple:43 various:22 many:11
多种语言 languages:94
多租户 multi:90
多米 dominica:84
多级 tiered:85
多维 base:25 multidimensional:22 app:20
多维度 multi:85
多行 multiple:36 rows:33 line:16 multi:9
多表准确性 accuracy:90 table:90
多语种 multilingual:90
多轮 multi:45 round:30 turn:15
多轮对话 multi:90
多边 polygon:71
多边形 polygon:71
多选 multiple:54 multi:36 select:36
多选题 multiple:55 options:25
多通道 multi:54 channel:26 acceleration:13
多重 multi:24 factor:22 mfa:22 authentication:17
多重启用 multiple:90
多项 multiple:71
夜间 dark:88
大 large:48 llm:18 big:10
大于 greater:67
大于等于 equal:90 greater:90
大会 conference:90
大值 value:23 number:16 returned:13 results:13
大写 uppercase:79 letters:8
大写字母 uppercase:37 made:27
大利 pasta:71
大化 maximized:86
大型 large:98
大家 everyone:26 people:20
大容量 high:46 kv:23 put:22
大小 size:82
大小写 case:48 insensitive:27 sensitive:14
大括号 braces:95
大数 number:88
大数字 big:90 number:90
大盘 dashboard:58
大禹 ddo:10 anti:10 net:9
大约 around:30 job:29
大纲 outline:84
大胆 bold:36 collections:29
大规 large:66
大规模 large:66
大量 large:53 number:25
大陆 mainland:37 cross:16 border:16
天 days:76
天前 ago:90
天数 days:56 number:13 retention:9 period:8
天气 weather:68
天气查询 weather:90 query:60
天气预报 forecast:88
天蓝 sky:52
太 many:60 large:14 zip:9
太好了 good:42 contains:42
太弱 weak:94
太旧 old:90
太短 short:80
失去 lose:61
失效 invalid:27 expiration:18 failure:12
失效时间 time:90
失败 failed:90
失败的任务 failed:90
失败的执行 failed:90
失败策略 failure:90
失陷 event:52
头 header:61 http:21
头像 avatar:64 profile:12
头发 sent:57 header:30
头条 toutiao:43 live:32
头部 headers:68 http:14 head:8
夹 folder:72 parent:11
奖励 reward:75 referral:18
奖金 bonus:85
套 socket:42 cri:9 unix:9
套件 suite:59 cipher:24 bundle:10
套件包链接 bundle:90
套餐 plan:58 package:24
套餐详情 details:90
女 female:71 zh:20
女士 womens:57
女童鞋 active:90
好 good:18 prs:12 well:8 false:8
好友 friends:90
好处 benefits:74
如 format:11 example:10
如下 following:62
如何 shows:16 kubernetes:14 pod:8
妙 minutes:71
妥善 keep:30
始 start:90
始终 always:85
始终显示 always:90
姓 name:34 last:32 surname:14
姓名 name:87
姓氏 name:43 last:40 surname:15
姓氏属性 attribute:90
姓氏称谓 surname:60
委员 committee:77
委员会 committee:77
委托 delegates:38 logger:12
委派 delegated:88
威胁 threat:39 feature:24
娱乐 entertainment:87
婚后姓氏 married:90
婚姻 marriage:85
媒 media:56 assets:25
媒体 media:78
媒体库 library:65 paa:21
媒体文件 media:60 file:34
子 sub:30 child:10 subdomain:10
子串 substring:92
子书 books:56
子函数 step:73
子协议 subprotocols:90
子卷 subvolume:90
子句 clause:70 finally:24
子域 subdomain:87
子标题 subtext:57
子目 subdirectories:77
子目录 subdirectories:77
子类别 categories:90 children:90
子系统 subsystem:54 windows:28
子网 subnet:74 vpc:10
子网列表 list:90 subnets:60
子表 spreadsheet:53 sheet:18
子键 subkeys:77
子集 subset:85
子项 sub:43
字 field:70
字体 font:89
字体大小 size:50 font:42
字典 dictionary:63 wordlist:13
字号 size:44 font:43
字幕 subtitle:71
字形 glyphs:90
字数 word:43 characters:26 count:20
字段 field:48 name:48
字段名 field:48 name:48
字段名称 field:90
字段描述 field:90
字段选择 field:90
字母 letters:56 characters:10 alphanumeric:10
字符 characters:64 string:10
字符串 string:77 json:9
字符串替换 replace:90 string:90
字符集 set:57 collation:17
字节 bytes:77
字节数 bytes:33 number:28
字面 literal:96
存 storage:71 saved:21
存为 save:26
存储 storage:54 store:28
存储介质 storage:75
存储周期 cycle:53
存储地址 storage:90
存储容量 storage:53 capacity:38
存储空间 kv:22 capacity:19 storage:14
存储类型 storage:90 type:60
存储系统 storage:66 systems:24
存储资源 cluster:41 storage:27
存储配置 storage:54 configuration:38
存储量 size:57
存入 stores:85
存在 existing:80 present:8
存放 store:61 cos:17
存根 stub:67
存档 archive:89
存活 liveness:54 startup:11
存量 existing:55 http:16 mcp:16
季度 quarter:94
季节 seasonality:62
季节性 seasonality:92
孤立 orphaned:89
孤老 lonely:54
学习 learning:63
学术 academic:20
学术论文领域 academic:90
学校 school:94
孩子 child:49 self:40
孪生 property:48 twin:39
它们 pods:25 one:10
守护 daemon:73
安 android:65
安全 security:70 secure:12
安全中心 security:90
安全事件 api:21 module:18 detected:12 apisec:9
安全密钥无效 key:90 security:90
安全性 security:40 pod:31
安全更新 security:86
安全检查 safety:39 checker:38
安全漏洞 vulnerability:47 security:35
安全策略 security:49 policy:34 tls:10
安全级别 security:48
安全组 security:90
安全设置 security:90
安排 schedule:93
安装 install:79
安装包 package:46 casks:26 formulae:22
安装外部应用 application:90 external:90
安装工具 tools:90
安装应用 application:60
安装指引 installation:90
安装插件 install:45 extensions:30 installs:30 plugin:30
安装程序 installer:56 setup:18 inno:12
安装软件包 install:90 package:90
完 ve:16 quota:13
完全 fully:28 full:16 completely:16 exactly:14
完善 complete:63
完成 complete:54 finish:13 completion:10
完成任务 complete:90 task:90
完成度 complete:88
完成注册 registration:90
完成设置 setup:90 complete:60
完整 full:54 complete:26
完整性 integrity:82
完毕 completed:17
宏 macro:97
宏添加成功 macro:90 successfully:90
官 website:52 official:47
官方 official:74 api:12
官方网站 website:90
官网 website:90
定 setting:61 fixed:29
定义 defined:45 custom:21 definition:13
定义数据 custom:53 user:20
定价 pricing:99
定位 positioning:29 locate:24 targeted:14
定制 custom:48 customize:16 specific:11
定向 redirect:55 url:15
定性 stability:72 control:21
定时 scheduled:68
定时任务 scheduled:36
定时任务名字 name:90
定时器 timer:85
定时扫描设置 scan:90 scheduled:90
定时触发 scheduled:90
定期 scheduled:35 regular:18 periodically:15 periodic:11
实 real:49 person:28
实习 internship:49 experience:23
实体 entity:75
实例 instance:81
实例信息 information:60 instance:60
实例变配 instance:60
实例名字 name:90
实例名称 instance:90 name:90
实例所在地域 instance:90 region:90
实例新密码 instance:90 new:90 password:90
实例旧密码 instance:90 old:90 password:90
实例机型 instance:90 model:90
实例标签信息 information:90 instance:90 tag:90
实例标签列表 instance:90 list:90
实例核心数 cores:90 number:90
实例状态 status:90 instance:60
实例登录密码 instance:90 login:90 password:90
实例登录设置 instance:90 login:90 settings:60
实例类型 instance:90
实例规格 instance:90
实例计费模式 billing:90 instance:90 mode:90
实例计费类型 billing:90 instance:90
实心 solid:68
实施 enforce:64 pod:20 security:12
实时 real:38 time:38 live:8
实现 implementation:38
实用 utility:68 practical:24
实用工具 utility:83
实用程序 utility:94
实线 solid:90
实践 practices:77 kubernetes:15
实际 actual:71
实际上 actually:92
实际值 actual:90
实验 experiment:49 hpo:14 experimental:13
实验室 lab:70 sql:26
实验性 experimental:75
实验性功能 experimental:90
宠物 pet:90
审 manually:41 review:34 exemption:19
审批 approval:55 approved:9
审批时间 time:90
审批运维操作 operation:90
审查 review:61 request:15 pull:8
审核 review:34 moderation:31
审核中 review:90
审核员 reviewers:99
审核未通过 review:54 failed:36
审计 audit:77
审计日志 audit:90
审阅 review:96
客 podcast:49 customer:24 service:20
客人 guest:94
客户 client:42 customer:38
客户删除 customer:90
客户支持 supported:90
客户服务 customer:68
客户端 client:66
客户端密钥 client:90 key:60 secret:60
客户端版本 client:90
客户端证书 client:90 cert:45
客服 agent:68 customer:9
宣传 propaganda:44 spam:41
宣告 bgp:29 advertised:24 protocol:13 border:13
室 room:52 waiting:46
家 homeserver:97
家居 home:74
家属 family:61 whether:29
家庭 family:45 home:45
家庭成员姓名 name:90
家族 family:98
容 scaling:25
容分 analysis:51 content:24
容器 container:72
容器名称 container:90 name:90
容器运行时 container:90
容器镜像 container:90 images:60
容忍 tolerate:23 pod:22 tolerations:21 tolerance:16
容忍度 tolerations:71 pod:14
容性 compatibility:88
容易 easy:48 easier:28 make:14
容量 capacity:72
容错 fault:36
宽 width:41 height:17 monospace:10 wide:10
宽度 width:90
宽度值 width:90
宽松 permissive:45
宽限 grace:48 period:27 pod:20
宽限期 period:51 grace:44
宽高比 aspect:49 ratio:48
宿主 host:53 dedicated:25 docker:12
宿主机 dedicated:67 host:18
密 sm:19 certificate:17 mode:13 bcc:8
密封 sealed:81 unsealed:16
密度 density:92
密文 secret:59 ciphertext:15
密码 password:88
密码不匹配 match:90
密码不能为空 empty:90 password:60
密码保护 protected:72
密码恢复 recovery:69 invalidating:24
密码类型 password:90 type:90
密码设置成功 password:90 set:90
密码错误 incorrect:90 password:90
密钥 key:65 secret:10
富 rich:76
对不起 sorry:96
对于 kubernetes:11 use:11
对公 pair:72
对外 outgoing:42 oauth:41
对外部 external:85
对应 corresponding:61
对所有人可见 visible:90
对数 log:44 logarithmic:31
对方 tenant:17 party:14 key:11 see:8
对模型 detected:74
对此 make:19 url:16 items:14 changes:14
对比 comparison:44 compare:22
对比度 contrast:95
对称 symmetric:27 asymmetric:23 sm:13 key:12
对系统 system:70
对话 conversation:69 chat:13
对话排序 sorting:90
对话框 dialog:86 modal:13
对话详情 conversation:90
对象 object:79
对账 period:41 frame:26 time:25
对齐 align:83
寻址 addressing:68
寻找 find:43 looking:20 search:16
寻求 assistance:44
导 import:27 mindmaps:16 fingerprint:14
导入 import:83
导入列表 import:90
导入到 import:77
导入变量 import:90
导入密钥对 key:90 imports:60 pairs:60
导入密钥材料 key:90 material:90
导入成功 import:60
导入文件 files:90
导入看板 board:60 import:60
导入结果 import:90
导入表格文件 file:90 table:90
导入认证文件 certificate:90
导入错误 import:90
导入镜像 image:90
导入集合 import:90
导出 export:87
导出列表 export:90
导出基线列表 list:90
导出字段 export:90
导出安全报告 report:90
导出成功 export:60
导出权限 export:90
导出标签 export:90
导出规则 exporter:57 rule:30
导出账号列表 account:90 list:90
导出风险趋势 risk:90 trends:90
导引 onboarding:54 tour:34
导播 caster:33 studio:29 production:29
导致 cause:49 results:27 leading:9
导航 navigation:46 navigate:37
封 marshalling:36 runtime:22 attribute:10 invoke:9
封堵 block:57 ip:37
封电子邮件 email:90
封禁 blocking:46 ban:16
封装 shims:18 package:17 translation:16 csi:14
封面 cover:58 thumbnail:19 url:8
将来 future:99
将要 api:58 template:29
尊敬 dear:25 hello:25 simply:25
小 minor:30 small:14 smaller:13 mini:13
小于 less:66 smaller:10
小于等于 equal:90 less:90
小写 lowercase:42 case:21 lower:10
小写字母 lowercase:62 letters:26
小心 caution:25 care:23 carefully:18 take:18
小数 decimal:47 places:38 digits:8
小数位 places:44 decimal:37
小数点 decimal:84
小时 hours:90
小时前 ago:90
小时数 hours:60 retention:29
小组 group:33 widget:29
小节 section:90
小说 fiction:42 novel:42
少 less:41 fewer:17 contains:12 items:10
少于 less:65 fewer:15
尚 yet:88
尚无 yet:91
尚未 yet:74 haven:8
尝试 try:54 attempts:32
就是 pod:31
就绪 ready:36 readiness:35 pod:12
就近 nearest:65 nearby:23
尺寸 size:66 dimensions:18
尺度 scale:62
尼泊尔 nepalese:42
尼西 indonesian:85
尽力 effort:57 best:23
尽力而为 best:59
尽可 possible:77
尽可能 possible:77
尽快 soon:35 possible:22 earlier:14 another:13
尽管 although:53 set:17 stateful:17
尾 last:90
尾部 bottom:67
尾随 trailing:94
局部 inpainting:42 local:42
层 layer:83
层名称 layer:90 name:90
层次 hierarchy:32 level:26 structure:21
层次结构 hierarchy:84
层级 level:60 hierarchy:11 room:9
层面 level:35 termination:13 seconds:13 grace:13
居 align:62
居中 center:77
居右 right:90
居左 left:90
居民 resident:45 status:28
屏 screen:53 obtain:19 dashboard:13
屏幕 screen:83
屏蔽 blocked:69 mask:11
展开 expand:77
展开更多 expand:90
展开视图 expand:90
展现 show:85
展示 display:54 show:32
展示方式 display:90
展示镜像列表 list:90
展示集群任务 cluster:90 tasks:90
属 owner:37 ownership:20 pod:13 finalizers:9
属于 belongs:56
属地 bp:39 hrbp:24
属性 attribute:61 property:32
属性值 attribute:90
属性名称 name:90
属性家族 attribute:45 families:45 family:45
岗位 position:51 job:41
岛 islands:82
峰 peak:90
峰值 peak:42 maximum:16
崩溃 crash:72 ts:9 js:9
嵌 embedding:37 bi:21 chat:20
嵌入 embedded:49
嵌入式 embedded:49
嵌入网站 embedded:90
嵌套 nested:78 levels:11
州 state:84
巡 spectators:68
巡查 patrol:90
巡检 inspection:69 inspect:22
巡航 cruise:50 style:42
巢 nested:64
工 issue:47 ticket:31
工业 industrial:92
工件 artifacts:92
工作 workspace:37 workflow:24 work:18
工作区详情 workspace:90
工作原理 works:90
工作台 workplace:97
工作效率 productivity:93
工作日 days:46 working:27
工作时间 hours:60
工作流 workflow:36
工作流任务 workflow:90
工作流参数 workflow:90
工作流开始 workflow:90
工作流结束 workflow:90
工作空间 team:36 workspace:36
工作空间名称 name:90
工作空间成员 members:90
工作空间管理 team:90
工作组 groups:50 working:33 workgroup:10
工作者 workers:98
工作表名称 name:90
工作邮箱 work:90
工具 tool:79
工具包 package:58 toolkit:21
工具栏 toolbar:66 customize:26
工具箱 lab:42 sql:39
工具调用 tool:60
工具集 ai:44 gpustack:29
工厂 factory:94
工号 job:37 number:34
工时 hours:34 working:33 system:22
工程 project:78 engineering:12
工艺 craft:42
左 left:79
左上 left:71
左上角 logo:41 custom:35
左侧 left:80 side:10
左值 left:90
左对齐 left:90 align:68
左移 left:53 move:36
左边 left:94
左键 left:64
巨 huge:56 hugepages:22
差值 difference:39 diff:22 datetime:16 calculates:11
差异 differences:52 diff:43
已 already:38
已上线 online:90
已保存 saved:90
已修改 changed:45 modified:45
已关闭的工单 closed:90
已创建 created:60
已删除 deleted:90
已删除用户 deleted:90 user:60
已删除角色 deleted:90
已删除选项 deleted:90
已加入 joined:90
已加密 encrypted:90
已卸载 uninstalled:90
已发送消息 messages:90 sent:90
已同步 synced:60
已固定 pinned:90
已固定消息 message:90 pinned:90
已复制 copied:90
已安装 installed:90 already:60
已废弃 deprecated:45 parameter:45
已归档频道 archived:90
已忽略的用户 ignored:90
已成功删除 deleted:90 successfully:90
已推送 pushed:90
已支付 paid:90
已更新 updated:90
已有 existing:72 already:13
已点赞 starred:90
已知 known:82
已离开 left:90
已移动 moved:90
已移除 removed:90
已移除标签 removed:90
已移除用户 removed:90 user:90
已移除聊天 removed:90
已经 already:67
已自动保存 saved:90
已订阅 subscribed:90
已过期 expired:76 date:11
已连接 linked:60
已配置 configured:90
已验证 verified:90
已验证的会话 verified:90
巴拿马 panamanian:33 balboa:33
巴林 bahraini:42
巴西 brazilian:62 brazil:28
币种 currency:69
市 city:92
市场 marketplace:64 market:12
布 bouvet:57
布尔 boolean:77 bool:14
布尔值 value:46 boolean:42
布局 layout:86
布局组件 layout:90 component:60
布式 distributed:59 global:17
希望 wish:23 desired:14 expected:12
帐单 billing:48 history:19 invoice:18
帐号 account:91
帐户 account:84
帖子 post:84
带 actions:26 without:12 band:8
带宽 bandwidth:62
带有 label:11 pod:10 kubernetes:9 secret:8
带来 bring:31 ai:26
帧 frame:80
席位 seats:87
帮助与反馈 feedback:90
常用 common:50 usually:15 locations:11
常见 common:82 faqs:12
常见问题 faqs:77
常规 regular:37 general:33 normal:13
常量 constant:94
常驻 resident:55
幂 idempotent:26 token:18 client:11 idempotency:11
幂等参数 idempotency:90 token:90
干净 clean:78
干扰 disruption:58 pod:29
干预 intervention:68
平台 platform:78
平均 average:81 avg:8
平均值 values:38 average:36
平均响应时间 response:90 time:90
平方 square:95
平方根 number:81
平板 tablets:90
平滑 smooth:76 polar:9
平移 pan:62 shift:28
平行 parallel:92
平衡 balance:48 rebalance:10
平铺 tile:52 tiling:28
平面 plane:68
年 yearly:41 subscription:16 monthly:15
年份 year:70
年前 ago:48 year:31
年度 year:54 review:21 annual:17
年数 year:90
年龄 age:96
并且 pod:29 kubernetes:15
并列 list:95
并发 concurrency:49 concurrent:29
并打印 print:56 stdout:25
并行 parallel:67
并行处理 work:56
并行度 parallelism:90
并行执行 parallel:87
并重 try:67 review:12 couldn:11
并非 kubernetes:52 csi:34
幻灯 slides:66
幻灯片 slides:66
幽灵 ghost:68
广告 advertising:50 post:29 ad:17
广场 square:94
广州 guangzhou:42 available:17 region:16 ap:9
广度 breadth:92
广播 broadcast:89
广泛 wide:47
序 order:28 ascending:26 descending:13 sorting:11
序列 sequence:29 job:19 series:17 family:14
序列化 serialized:22 json:18 serializer:16 serializable:10
序列号 number:38 serial:35 yubi:10
序列表 ordered:63 numbered:29
序号 ordinal:24 number:19 sequence:11
库 library:29 database:23 repository:21
库存 inventory:60 stock:20
库存来源 inventory:90
库容 base:85
库容量 base:85
应为 expected:67
应急 emergency:60 urgent:13 emg:10
应有 expected:83
应用 application:48 app:34
应用信息 app:90
应用包类型 package:90 type:90
应用名称 name:90
应用命名空间 application:60 namespace:60
应用型 alb:61 balancer:19
应用密码 password:90
应用层 ddo:42
应用市场 marketplace:90
应用授权 application:90
应用描述 description:90
应用服务 service:59 application:31
应用服务器 lighthouse:75
应用版本 version:90
应用程序 application:60
应用类型 type:90
应用部署 application:90
应用配置 configuration:90
应答 unanswered:37 since:29
应该 pod:14
底 base:34 bottom:21 footer:21
底层 underlying:69
底端 bottom:90
底部 bottom:87
底部对齐 align:90 bottom:90
店铺 store:44 shopping:28
店面 storefront:82
废弃 deprecated:50 disused:23 abandoned:8
废止 invalidate:52 pending:39
度 degree:27 similarity:18 level:11 verbosity:8
度量 metric:66 measured:17 pod:9
座席 agent:93
庫 inventory:85
延 delay:74 playbacks:12
延时 delay:71 latency:26
延时执行 execution:90
延迟 delay:47 latency:20
延迟时间 delay:96
延长 extends:67
建 creation:16 custom:14 managed:14 sql:8
建立 created:44 establish:33 build:13
建筑 building:64 scope:26
建议 recommended:40 suggestions:26 suggested:19
建设 construction:43
建设性 unconstructive:57
开 open:32 switch:25 whether:19
开关 switch:34 enable:15 disable:10
开具 issue:90
开发 development:60 studio:12
开发人员 developer:96
开发工具 devtools:24 chrome:14 edge:14 code:13
开发者 developer:86
开启 enable:73
开启安全策略 policy:90 security:90
开启源站防护 origin:90 protection:90
开启蜜罐 honeypot:90
开启跟踪集 set:90 tracking:90
开场 opening:69 dialog:11
开场白 dialog:24 opening:18 opener:14 conversation:11
开场白文案 opening:90
开头 start:57 beginning:18 http:9
开始 start:85
开始下载 download:90
开始于 beginning:36 starts:36
开始会话 conversation:60 start:60
开始使用 started:90
开始免费试用 free:90 start:90 trial:90
开始吧 get:90 started:90
开始导入 start:90
开始录制 recording:90
开始新对话 conversation:90 new:90 start:90
开始日期 date:90
开始时间 start:64 time:51
开始时间戳 start:90 timestamp:90
开始聊天 start:90
开始讨论 discussion:90 start:90
开始评测 start:90
开始运行 running:89
开户 account:46 holder:28
开户人姓名 account:90 holder:90 name:60
开放 open:78
开放平台 open:82
开机 startup:24 system:24
开源 source:46 open:45
开源项目 open:90 source:90
开票 invoice:77
开箱 box:34
开通 enable:28 activates:16 open:10 service:9
开通专业版 cwp:90 pro:90
开通公网域名 public:90
开通外网 network:90
开通快照服务 service:90 snapshot:90
开通资源目录 directory:90 resource:90
开销 overhead:31 pod:21 cost:19 class:8
异 vary:81
异动 change:61 transaction:16 job:12
异地 cross:25 region:24 unusual:16 location:11
异常 exception:42 abnormal:28
异或 xor:90
异构 heterogeneous:85
异步 asynchronous:48 async:33
异步上传文档 documentation:90 upload:90
异步运行 asynchronous:90
弃 deprecated:59
式 declarative:20 imperative:15 regex:13 kubernetes:11
引入 introduced:54 alpha:14
引发 throw:36 exception:22 raised:18 helper:10
引号 quotes:99
引导 bootstrap:50 tls:9
引擎 engine:94
引流 sdk:56
引用 reference:72
引用关系 reference:90
引用变量 variable:90
引用链接 link:90
引起 cause:54 use:38
张 images:38 one:21 gpt:15 multiple:11
张工单 active:45 issue:45 issues:45
弦 chord:60
弧度 radians:53 double:26
弱 weak:72 passwords:13 dict:12
弹 pop:41 popover:24
弹性 elastic:39 eip:15 scaling:15
弹性伸缩策略 auto:90 scaling:90
弹性网卡迁移 eni:68 migrate:45 migrates:45
弹窗 pop:26 window:18 timeout:10
强 strong:89
强制 force:59 forcibly:10
强制修改标签 forcibly:90 tags:90
强制删除 force:90
强制执行 enforced:72
强制推送 push:90
强化 hardening:96
强大 powerful:69
强度 strength:13 scale:12 effort:10 intensity:9
强烈 strongly:92
强烈建议 recommended:74
强调 emphasize:39
归一化 normalize:79
归属 ownership:26 belongs:17
归属应用 application:90
归属权 verify:51 ownership:22 owner:20
归档 archive:82 unarchive:10
归档成品 artifacts:90
归档文件 archive:51 extract:32
归档频道 archive:90
归类 categorising:42
归集 collection:92
当中 member:85
当于 equivalent:53
当前 current:96
当前任务 task:35
当前余额 balance:90
当前定时任务 schedule:90
当前工作 working:50 current:30 directory:11
当前版本 version:90
当前目录 directory:42 current:23 flake:12
当前配置 current:90
当前页 page:68 return:18
当前页码 number:60 page:60
当天 days:66 current:17
当日 days:47 current:46
录入 entry:30 adds:18 register:14
录制 recording:76
录音 recording:68 audio:19
形 format:13
形式 form:38 format:13
形态 type:84
形成 form:94
形状 shape:94
彩色 color:94
彩虹 rainbow:37 coloured:24
影像 preview:88
影响 affected:71 impact:17
影子 shadow:95
影视 film:24 tv:24 movie:24
彻底 permanently:61 false:21
往 districts:22 level:22 report:16
往前 order:38
待 pending:20 ids:18
待办 checklist:21 done:18 todo:17 progress:17
待发 deployed:83
待处理 pending:99
待定 pending:39 messages:18 determined:12 failed:12
待续 renewed:56 ids:32
很 work:15 likely:12 re:11
很多 many:74
很快 shortly:28 soon:28
得分 score:88 higher:10
得到 get:41 obtained:22 results:15 certificate:9
循环 loop:63 cycle:8 cyclic:8
循环体 body:76
微 microservices:24 page:8
微秒 microseconds:60 datetime:34
微调 fine:44 tuning:42
微软 microsoft:52
德 autonavi:56
徽标 logo:54 badge:42
徽章 badge:89
心愿 wishlist:78 items:18
心理 psychological:42 emotional:34
心跳 heartbeat:85
必 required:75 must:10
必填 required:80
必填项 required:90
必要 necessary:46 required:36
必选 required:97
必需 required:77
必需标签 required:90
必须 must:82
志愿 volunteer:94
忘记 forget:35 forgot:30 forgotten:10
忘记密码 password:90 forgot:60
忙 busy:72 busiest:20
忙碌 busy:95
快 faster:65 fast:12
快捷 shortcuts:63 quick:20
快捷方式 shortcut:75 create:20
快捷键 shortcuts:27 keyboard:22 hotkey:16
快照 snapshot:91
快照名称 name:90 snapshot:90
快讯 news:84
快速 quick:64 fast:14
快速修复 quick:90
快速搜索 search:90
快速访问 quick:57 access:38
忽略 ignore:83
忽视 ignore:90
态 state:98
态势 posture:37 situation:16 check:15 product:11
思维 thought:21 mind:19 reasoning:18 tokens:16
思考 thinking:41 reasoning:10
思考层级 level:90 thinking:90
思考预算 budget:90 thinking:60
性 visibility:68
性别 gender:64
性功能 experimental:87
性能 performance:80
性能指标 metrics:48 performance:39
性质 mutating:45 webhook:38
总 total:93
总体 overall:69
总值 total:34 value:30 tooltip:26
总共 total:68
总和 sum:97
总开关 switch:55 master:33
总投票数 total:90
总数 total:60 number:31
总是 always:82
总线 bus:68 event:16
总结 summarize:46 summary:37 ai:14
总耗时 total:90
总行 total:54 rows:34
总览 overview:58 summary:23
总计 total:91
总计消息 messages:90
总量 total:46 amount:31 summary:17
总额 total:95
恢复 restore:44 resume:18 recover:16 recovery:10
恢复实例 instance:90
恭喜 congratulations:49 ne:19 affi:19
恰当 inappropriate:85
恶意 malicious:75
您发送的消息 messages:90 sent:90
您好 hi:78
您的推流域名 domain:90 push:68
悬停 hover:96
情况 usage:18 cases:15 without:15 status:9
情感 emotion:50 emotional:30
情报 intelligence:90
情绪 distress:85
惩罚 penalty:43 repetition:21 penalizes:16 presence:12
想 instead:17 looking:12 re:9
想法 ideas:51 thoughts:24
想要 use:25 new:12 example:12 instead:9
意义 meaningful:28 meaning:12 meaningless:10 employment:9
意向 work:90
意味 means:64
意味着 means:64
意图 intent:73 intention:18
意图信息 intent:90
意外 unexpected:81 accidentally:10
意大利 pasta:37
意思 means:92
意愿 scene:50 willingness:23
意见 comments:46 opinion:41
感兴 interested:87
感兴趣 interested:87
感知 aware:81 awareness:13
感谢 thanks:88
感谢您 thanks:97
愿望 wishlist:89
慎重 thesaurus:85
慢 slow:68 sql:9
成 one:18 function:14
成为 become:62 make:18
成为频道成员 channel:90 make:90
成功 successfully:84
成功率 rate:50 success:46
成员 member:88
成员列表 list:90
成员数 count:80
成员的类型 member:90 type:90
成员策略 membership:90
成员管理 members:60
成员角色 member:90
成品 artifacts:78
成器 generator:71
成本 cost:92
成本估算 cost:90 estimate:90
成立 hold:55 may:33
我们 ll:10
我同意 agree:90
或电子邮件 email:84
或者 one:11 alternatively:8
战 battle:75
战略 strategic:54
截 screenshot:49 interception:20 capturing:20
截取 number:33 returns:31
截图 screenshot:31 snapshot:29 screencapturing:24
截断 truncated:74 truncation:19
截止 due:35 deadline:24 end:20
截止时间 deadline:60 time:60
截至 due:51 pod:38
戳 timestamp:66 unix:22
户名 username:76
户数 number:44 users:33 count:12
房 room:60 user:19
房产 estate:45 real:45
房间 room:94
房间信息 room:90
房间内 room:90
房间名称 name:90 room:90
房间地址 room:90
房间成员 room:90
所以 pod:33 since:22
所在 located:22 resides:14 belongs:11 region:8
所在城市 located:55
所属 belongs:57 resides:10
所有 list:11
所有人 everyone:96
所有权 ownership:68
所有流程 flows:90
所有消息 messages:90
所有登录选项 sign:90
所有者 owner:87
所有页面 pages:90
所用 value:23 use:20 key:16
所示 look:44 shown:36
所述 described:74
扇区 sectors:74
手册 man:37 manually:37
手写 hand:57
手动 manually:96
手动启动集群 manually:90
手工 manually:98
手机 phone:47 mobile:32
手机号 number:44 phone:27 mobile:16
手机号码 phone:39 number:28 mobile:13
才 pod:10 business:10 must:8
才能 order:15 must:14
扑克 poker:82
打 tag:53 adds:15
打分 scoring:92
打包 package:33 build:10 bundle:10
打包失败 failed:90
打卡 clock:62 attendance:11
打印 print:76
打印文件 line:34 print:31
打印输出 pdf:32 outs:26
打开 open:83
打开侧栏 sidebar:90
打开文件 file:90 open:90
打开设置 settings:90
打开链接 open:60 url:60
打扰 disturb:95
打断 interrupt:84
打算 intended:71 intent:21
打造 ai:37 create:27 build:21
托盘 tray:90
托管 managed:48 hosted:34
扣子 coze:72
扣子罗盘 coze:90
执行 execution:27 execute:27 perform:14 run:12
执行任务 task:90
执行命令 command:38 execute:34 exec:12
执行器 executor:53 invoker:19
执行成功 executed:60 successfully:60
执行数 max:48 runs:40
执行时间 time:60
执行模式 mode:90
执行策略 execute:90
执行类型 type:90
执行者 collaborator:41
执行耗时 execution:90
执行脚本 execute:90 script:90
执行顺序 order:90
扩 scaling:24 autoscaling:23 autoscaler:13 pod:9
扩充 expanding:41 enrichments:16 expansion:11 pvc:11
扩容 scale:35 expand:10
扩展 extension:45 extended:24
扩展参数 parameter:68
扩展名 extension:71 file:17
扩展属性 extended:90
扩张 ratio:44 unclipping:44
扩散 diffusion:92
扩缩应用 application:90 scaling:90
扫 scan:46 qr:41
扫描 scan:85
扫描器 scanner:98
扫描完成时间 completed:90 scan:90
扫描时间 scan:54
扫描类型数组 array:90 scan:90
扬声 speaker:88
扬声器 speaker:88
扮演 assume:34 playing:14 ram:14 performed:12
批 batch:45 sql:26 spark:25
批准 approved:38 approval:26 csr:9
批判 iterative:27 critique:27 strategy:13
批处理 batch:93
批次 batch:65 run:11 group:10
批量 batch:62 multiple:14 time:12
批量修改记录 bulk:90 records:90
批量停止应用 applications:90 stop:90
批量创建子网 batches:90 subnets:90
批量创建实例 instances:90 create:60
批量创建用户 create:90 users:90
批量删除域名 batch:90 domains:90
批量删除用户 users:90 delete:54 batch:36 batches:36
批量发送消息 batch:90 messages:90
批量发送邮件 batch:90 emails:90
批量操作 batch:60
批量添加 batch:90
批量添加域名 bulk:90 domains:90
批量添加记录 bulk:90 records:90
批量获取记录 records:90
批量选择 bulk:90
批量重启应用 applications:90
找 found:38 find:30
找不到 found:90
找不到变量 found:90
找不到用户 user:90
找不到结果 results:90
找出 find:92
找到 found:57 find:29
找回 recover:42 retrieve:42
承担 incurred:23 bear:19
承诺 settings:23 compute:22 burst:22
技巧 tips:58
技术 technical:41 technology:37 techniques:10
技术支持 grey:45 release:19 technical:13
技能 skill:95
抄送 cc:57 copy:17 carbon:14
抑制 suppress:52 suppression:28 true:13
抓取 scrape:55 prometheus:14
抓取超时 timeout:90
抓手 hand:90
投入 effort:54
投射 projected:40 pod:10
投票 poll:46 vote:30 voting:14
投票数 count:73
投递 delivery:41 shipping:15
抖 douyin:90
折叠 collapse:77
折扣 discount:72
折线 line:51 chart:28
折线图 data:34 call:23
抛出 returns:17 input:16 items:13 isn:12
抢先 first:48
抢占 preemption:36 spot:20
护栏 guardrail:71
报 reporting:86
报人 reporter:85
报价 quotes:74
报告 report:93
报告名称 report:90
报告问题 report:90
报文 packet:60 udp:37
报表 report:62
报警 alert:54 metric:12 rule:8
报警联系组 alert:90 contact:90
报错 error:52 report:15 sql:9
披露 disclosure:69 kubernetes:25
抬头 title:90
抱歉 sorry:88
抵扣 deduct:48 deduction:42
抽 extract:85
抽取 extraction:46 vl:17 qwen:10
抽样 sampling:45 apis:28
抽象 abstract:37 abstraction:27 pods:16 kubernetes:14
担心 worry:90
拆 split:85
拆分 split:72 shard:18
拉 pull:88
拉丁 latin:51 native:15 scripts:9
拉丁语 native:26 latin:22 scripts:15 line:14
拉丁语系 native:28 scripts:17 latin:16 line:15
拉伸 stretch:78
拉取子用户 sub:90 users:90
拉平 flattening:44 cname:44
拍照 take:38
拒答 rejected:56 question:37
拒绝 rejected:54 denied:21 declined:14
拒绝服务 usage:85
拒绝理由 reason:90
拒绝通话 call:90
拒绝邀请失败 failed:90 rejected:90
拓展 extension:40 extended:29
拓展字段 extended:90
拓扑 topology:75
拓扑图 topology:88
拖 drag:63 drop:16
拖入 drag:58 drop:31
拖入文件或 drag:90 file:90
拖动 drag:92
拖拽 drag:68 drop:27
拖放 drop:51 drag:47
招 recruitment:60
招聘 recruitment:64 job:16 hire:8
拣选 cherry:34 pick:33 onto:21
拥有者 owner:92
拦截 blocking:24 interception:18 intercept:9 address:9
拦截器 interceptor:52
拨 synthetic:53 monitoring:17 timing:10
拨号 dial:74
拨号盘 dialpad:85
拨打 call:84
括号 brackets:68 closing:13
拷贝 copy:91
拼写 spelling:77
拼写检查 spelling:90
拼写错误 typo:56
拼接 splicing:43 concatenate:28
拼音 pinyin:90
持久 persistent:83
持久卷 persistent:90
持久卷声明 persistent:90 volume:90
持久性 persistence:58
持有 bearer:51
持有者 bearer:56
持续 duration:62 continuous:20 persists:12
持续时间 duration:82
挂 hold:43 suspended:16 place:11 job:11
挂件 widget:87
挂接 attached:75 detach:14
挂断 hang:34 parameter:13
挂断电话 phone:90
挂起 hold:60
挂载 mount:55 attachment:13
挂载云硬盘 cloud:90 disks:90
挂钩 hook:78
指 refers:37 means:8
指代 refer:54 nix:34
指令 directives:27 instructions:21 commands:17 shortcut:13
指南 guide:65 zulip:9 seen:8
指向 point:52
指定 specified:74 specific:12
指定时间 time:90
指导 guide:53 guidance:44
指引 guidelines:32
指数 index:41 exponentially:30 exponent:22
指标 metric:81
指标值 metric:85
指标名称 metric:90 name:90
指派 assigned:63 assignee:22
指示 indicate:65 instructions:13 indicator:10
指示器 indicator:72 pointer:21
指纹 fingerprint:64 property:8
指针 pointer:78
按 press:20
按住 hold:50 ctrl:18 shift:10
按扣 time:90
按照 according:14 based:10
按类型 type:93
按系列排序 series:90 sorting:90
按计划 scheduled:90
按钮 button:97
按键 key:44 null:18 contains:18 map:14
按需调用 demand:90
挑战 challenges:84
挑选 picked:66
挪威 norwegian:78
挪威语 nynorsk:82
振铃 ringing:90
捆绑 bundle:92
捐款 donation:46 donate:26 google:12 pay:11
捐赠 donation:58 donate:20
捐赠者 donor:90
捕获 capture:57 catch:16
损坏 corrupted:39 broken:28 damaged:21
损失 loss:90
损害 compromise:90
换 different:89
换成 convert:93
换机 switch:46 vswitch:15 vpc:12
换行 line:31 wrap:24 break:10 newline:9
换行符 newline:73
据传 tunnel:34
据库 database:64 db:13
捷克 czech:58
捷径 shortcut:98
授予 grant:66
授权 authorization:33 authorized:22
授权失败 failed:90
授权成功 authorization:45
授权码 authorization:90 code:90
授权端点 endpoint:90
授权类型 type:90
授权请求 request:90
授权资源 resources:90
掉 whether:32
排 sorting:49 column:46
排列 sorting:26 descending:11
排名 ranking:67 top:21
排序 sorting:63 order:11
排序参数 parameters:90
排序字段 field:68 sorting:45
排序指标 metric:90
排序方向 direction:45 order:45 sorting:45
排序方式 sorting:60 method:30 order:30
排序条件 sorting:90
排序类型 type:90
排序规则 sorting:60
排序选项 sorting:90
排序项 sorting:90
排序顺序 order:68 sorting:45
排放 emission:96
排查 troubleshooting:74 cni:8
排版 typesetting:41 formatting:30
排班 schedule:84
排空 draining:92
排行 ranking:87
排行榜 leaderboard:69
排队 queued:77
排除 exclude:86
排除路径 exclude:90
探 sniffing:85
探测 probe:22 monitoring:15 detection:8 detected:8
探索 explore:81
探针 probe:66 idc:9
接下 next:81
接下来 next:66
接入 access:34 added:11
接入点 point:50 access:15 endpoint:10
接到 attached:97
接受 accept:88
接受邀请 accept:90
接口 interface:24 api:15
接听 answered:78 accept:18
接听来电 call:90
接器 connector:94
接字 socket:42 cri:9 unix:9
接收 receive:59 recipient:13 reception:10
接收器 receiver:58 alertmanager:21 config:18
接收器类型 receiver:90
接收端 receiver:52
接收者 recipient:61 receiver:20
接时 long:52 connected:36
接管 take:44 current:40
接近 nearest:52 results:20
控 throttling:36 control:27 traffic:18
控件 control:88
控制 control:81
控制参数 parameters:43 control:42 detection:8
控制台 console:72
控制器 controller:68
控制数据 controlled:66
控制权 control:88
控制板 palette:96
控制策略 acl:24 list:23 control:20
控制系统 control:43
控制组 cgroup:82
控制面板 dashboard:84
推 push:39 stream:13 referral:11 live:10
推出 coming:53 soon:36
推广 promotion:64 recruitment:17
推断 inferred:67 deduced:24
推流域名 domain:90 name:68 push:68
推流路径 push:90 path:60
推理 reasoning:44 inference:20 thinking:12
推理模式 mode:90
推理步数 inference:90 steps:90
推理预算 budget:90
推荐 recommended:87
推荐对话 conversation:90
推迟 snoozed:76
推送 push:84
推送通知 push:90
掩码 mask:50 cidr:16 bitmask:10
措施 mitigations:46 safeguards:38
描 stroke:87
描述 description:77 describe:15
描述信息 description:72
描述性 descriptive:95
描述符 descriptor:52
提 privilege:44 escalation:32 elevation:10 promote:10
提交 commit:43 submit:41
提交于 submitted:90
提交任务 task:90
提交信息 message:90
提交变更 changes:90 commit:90
提交成功 submitted:90
提交截图作业 job:90 snapshot:90
提交日期 date:90
提交更改 changes:90 commit:90
提交更新 submit:90 update:90
提交者 committer:70 authors:15
提交评论 commented:60 submit:60
提交转码作业 jobs:90
提供 provided:57
提供商 provider:60 saml:9
提供者 provider:67
提出 ask:50 suggested:25
提到 mentioned:84
提前 ahead:33 time:31 netsdk:16 advance:13
提升 improve:25 enhance:20 promote:13 elevate:12
提及 mentions:92
提取 extract:67 extraction:13
提取内容 content:90
提案 proposal:59 enhancement:20
提示 prompt:58 tip:8
提示信息 hints:50 message:41
提示符 prompt:94
提示类型 type:90
提示词变量 prompt:90 variable:90
提醒 reminder:43 alert:32 remind:9
提醒您 remind:93
提醒词 alert:90
提问 questions:47 ask:32
提高 improve:67 increase:22
插 instrumentation:87
插件 plugin:77
插件升级 extensions:90
插件名称 name:72
插件导入错误 import:90 plugin:90
插件管理 plugin:45 plugins:45
插件配置 plugin:90
插入 insert:81
插入链接 insert:90
插槽 slot:59 column:34
握手 handshake:48 server:16
揭示 reveal:77
搜 collaboration:68 search:28
搜索 search:90
搜索任务 search:90
搜索关键字 keyword:54 search:54
搜索关键词 search:72 keyword:36 keywords:36
搜索包 search:90
搜索员工信息 employee:90 search:90
搜索团队 search:90
搜索图标 search:90
搜索失败 failed:90 search:90
搜索媒体信息 media:90
搜索属性 search:90 attributes:60
搜索工作流 search:90 workflows:60
搜索应用 search:90 apps:60
搜索引擎 engine:41 search:39
搜索成员 search:90
搜索插件 search:90
搜索文件 search:90 files:60
搜索文本 search:90 text:90
搜索文章 articles:90 search:90
搜索日程 search:90
搜索智能体 agents:90 search:90
搜索查询 search:90 query:60
搜索标签 search:90
搜索模块 search:90
搜索模型 search:90
搜索模板 search:90
搜索消息 search:90
搜索空间 search:90 spaces:90
搜索维基百科 wikipedia:90
搜索联系人 search:90
搜索表情符 search:90
搜索设置 search:90 settings:90
搜索词 terms:80 keyword:14
搜索资源 search:90
搜索软件包 search:90
搜索部门 search:90
搜索项目 search:90 projects:60
搭建 build:62
携带 carried:96
摄像 camera:53 webcam:23
摄像头 camera:53 webcam:23
摊 sharing:97
摘要 summary:56 digest:16 recap:11
摘要认证 digest:90
摘除 removes:90
撤回 withdrawal:45 withdraw:16 withdrawn:13
撤回合同 contract:90 withdraw:90
撤消 undone:44 undo:27 revoke:20
撤销 revoke:34 undone:23 undo:12
撤销权限 revoke:90
撤销邀请 revoke:90
播 multicast:32 transit:12 router:12 stream:12
播报 report:33 broadcast:28
播放 play:39 playback:39
播放列表 playlist:94
播放器 player:75
播流名称 name:90 stream:90
撰写 compose:43 write:26 written:17
操作 operation:45 action:30
操作名称 name:90
操作员 operator:67
操作成功 success:36
操作日志 log:90
操作符 operator:82
操作类型 operation:60 type:60
操作系统 operating:46 os:20
操作系统版本 os:60 version:60
操作者 operator:64 uin:10 employee:8
擦除 erasing:56 smart:27 erasure:14
支付 payment:78
支付失败 failed:90 payment:90
支付方式 pay:45 payment:45
支付状态 payment:90 status:90
支付订单 order:90
支持 supported:86
支持的语言 language:90
支撑 supported:74
支行 branch:59 bank:22
收 revenue:86
收件 inbox:62 recipient:25
收件人 recipient:80
收件人邮箱 email:90 recipient:90
收件箱 inbox:95
收信 filter:33 auto:33
收信人 recipient:81
收入 revenue:52 collected:20
收到 received:74
收到的消息 messages:90
收发 topic:85
收录 adopt:37 unadopted:29 files:26
收据 receipts:81
收支 transactions:51
收敛 convergence:63 url:34
收益 revenue:60
收缩 shrink:43 mdf:34
收藏 favorites:53 star:10 favourites:8
收藏夹 favorites:77
收藏量 favorites:90
收费 charged:42 paid:36
收起 collapse:49 hide:19
收集 collect:61 collection:16 gather:10
收集器 collector:95
改 modification:56 management:35
改为 change:82 instead:10
改写 rewrite:65
改动 changes:97
改变 change:77
改善 improve:88
改用 instead:53 use:30
改进 improve:90
攻击 attack:63 ddo:15
攻击总览 attack:90 overview:90
攻击者 attacker:97
放 replay:58 webhook:32
放入 place:30 specific:23
放到 drop:38 put:21
放在 place:59 put:21
放大 upscale:33 zoom:30
放宽 relaxed:95
放弃 discard:49 abandoned:13 giving:8
放心 safely:92
放置 place:79
放音 playback:90
政区 administrative:29 region:21
政策 policy:86
故事 story:93
故障 failover:16 troubleshooting:14 failure:12 fault:12
效 efficiency:94
效力 whether:85
效期 validity:30 period:25 expiration:15
效果 effect:64 results:10
效率 efficiency:48 efficient:23
敏感 sensitive:73
敏感数据 sensitive:47 detection:36
敏捷 agile:47 jira:43
救援 rescue:92
教程 tutorial:55 learn:8
教育 education:57 educational:22
散点图 scatter:34 plot:34
敬请 tuned:44 stay:44
敬请期待 tuned:44 stay:44
数 number:71 count:10
数传 argument:26 passed:22
数位 places:44 decimal:37
数倍 multiple:48 limit:28
数值 value:56 number:14 numeric:11
数字 number:66 digits:16
数字水印 digital:87 watermark:10
数字签名 digital:92
数字证书 mq:30 apsara:30
数学 math:81 mathematical:12
数据 data:92
数据中心 center:57
数据仓库 datawarehouse:85
数据传输 tunnel:34
数据保护 protection:85
数据保留政策 data:90 retention:90
数据共享 sharing:35 data:33 instance:22
数据分析 analysis:90
数据包 packets:74 ping:11
数据处理 processing:71
数据处理失败 failed:90 processing:90
数据备份 backup:59 data:34
数据字 fields:94
数据安全 dsc:47 access:23 authorized:19
数据库 database:64 db:13
数据库主机 host:90
数据库名 database:68 name:68
数据库名数组 array:90 database:90
数据库名称 name:72 database:54
数据库安全 security:34 db:34
数据库版本 database:90 version:90
数据库类型 database:68 engine:45 type:45
数据库迁移 database:90
数据文件 file:49
数据时间 data:90
数据服务 streaming:26 external:25 source:18
数据来源 data:90 source:90
数据格式 format:45 data:18
数据流 stream:60 inlong:22 target:10
数据流组 group:90
数据源 source:65 datasource:11
数据源名称 name:90 source:90 data:68
数据类型 type:36 data:16 conn:8 datatype:8
数据结构 data:50 structures:37
数据网 global:44
数据网络 global:44
数据表 table:84
数据表名称 table:90 name:72
数据表类型 table:90 type:90
数据连接 data:90
数据量 number:51 records:23 return:13
数据项 items:96
数据预览 preview:90
数点 decimal:84
数目 number:50 paginated:11
数组 array:74 ids:14
数量 number:68 count:11
整 rounds:40 nearest:35 datetime:16
整个 entire:57 whole:17 across:10
整体 overall:92
整合 integration:48 integrate:34
整型 integer:45 int:32
整数 integer:75 number:10
整数倍 multiple:48 limit:28
整机 ecs:23
整理 organize:52
整除 divisible:85
數 total:85
文 text:46 tweet:34
文件 file:88
文件不存在 existing:60 file:60
文件事件 file:79
文件信息 file:90
文件共享 gateway:40 share:38
文件列表 files:90
文件创建 yaml:44 redis:16
文件删除成功 file:90 successfully:90
文件名 filename:50 name:34 url:9
文件名称 file:66 name:21
文件大小 mb:35 size:27 file:25
文件大小限制 file:90 size:90
文件夹 folder:84
文件夹名称 name:90
文件存储限制 file:90 storage:90
文件属性 attributes:42
文件格式 format:53 file:38
文件格式错误 file:90 format:90
文件盒子 filebox:90
文件目录 directory:53 file:38
文件管理 file:90
文件类型 file:32 type:31 web:11
文件系统 filesystem:59
文件系统描述 description:90 file:90 system:90
文件系统类型 type:90
文件组织 kubeconfig:46 organizing:44
文件设置 settings:90
文件路径 path:90
文名 name:97
文字 text:81
文字描述 description:40 image:35
文字游戏 word:90
文学 literature:85
文心 ernie:28 xin:28 wen:28
文本 text:89
文本内容 content:90
文本对齐 text:90
文本对齐方式 text:90
文本嵌入 text:90
文本文件 file:47 text:41
文本格式 format:51 text:22
文本编辑 editor:84 text:10
文本翻译 text:90
文本识别阈值 recognition:90 text:90 threshold:90
文本转语音 text:60
文案 text:39 copywriting:12 copy:12 key:12
文档 documentation:48 docs:14
文档中心 center:90
文档列表 list:90 documentation:60
文档名称 name:90
文档库名称 collection:90 documentation:90 name:90
文档文件 drive:63
文档标题 documentation:90 title:90
文档重命名 documentation:90 rename:90
文献 literature:46
文稿 presentation:62
文章 articles:70 stories:11
文章内容 post:84
文章标题 post:90 title:90
文章设置 settings:90
文莱 brunei:55 darussalam:33
斐济 fijian:28 dollar:28
斜体 italic:86
斜杠 slash:93
斜率 slope:92
斜线 slash:78
断开 disconnected:62
断开连接 disconnected:62 disconnection:23
断点 breakpoint:86
断言 assertion:49 saml:37 mattermost:9
新 new:96
新一轮 round:83
新人员子类型 new:90 subtype:90
新内容 new:90
新创 newly:62 created:31
新创建 newly:62 created:31
新加坡 singapore:81
新加坡元 sgd:42 dollar:42
新团队 new:90
新增 add:61 new:19 create:14
新增一行 add:72 new:54 row:54
新增分组 add:90 group:90
新增变量 add:90
新增多条记录 records:90
新增标签 tag:90 add:60
新增用户列表 list:90 user:90
新增访问方式 access:90 policy:90
新增链接器 add:90 linkifiers:90
新字 new:61 metav:29
新安 reinstall:90
新密 new:67 password:28
新密码 new:67 password:28
新对话 new:90
新建 create:53 new:39
新建分类 category:90
新建变量 variable:90
新建实例 instance:90
新建属性 attribute:90 new:90
新建工作表 new:60 worksheet:60
新建文件夹 folder:90
新建文档 new:90
新建标签 new:90
新建模板 template:90
新建泳道 lane:90
新建用户组 group:90 user:90
新建目标 endpoint:90 new:90
新建节点 create:90
新建页面 page:90
新建项目 project:90
新手 guide:17
新标签 new:90
新标题 new:90
新消息 new:90
新版 version:30 new:30 upgraded:11 docx:11
新用户 new:90
新窗口 new:82
新购 purchase:58 new:38
新闻 news:89
新闻通讯 newsletter:81
新频道 new:90
方 provider:29 caller:17 party:9
方便 easily:46 facilitate:27 convenient:18
方向 direction:50 orientation:23
方差 variance:57
方式 method:51 way:13 mode:10
方形 square:85
方括号 square:67
方根 root:92
方案 scheme:54 plan:21 solution:10
方法 method:75
方舟 ark:52 volcengine:19 invocation:13
方面 aspect:66
施压 pressure:25 instance:22
旁 next:73
旁路 cdn:31 relay:31 trtc:27
旁边 next:92
旅游 travel:84
旅行 travel:66 places:28
旋转 rotate:65 rotation:22
族 family:64 service:13
旗舰 edition:45 ultimate:35
旗舰版 edition:45 ultimate:35
无 agentless:16 without:13 unlimited:12 none:12
无人 nobody:28 adoption:28 wasn:28
无关 irrelevant:38 unrelated:30
无匹配结果 matching:90
无匹配项 found:60 matches:60
无可 available:42 currently:31
无声 silently:82
无头 headless:70
无序 bulleted:42 unordered:42
无序列表 list:60
无损 lossless:53 graceful:39
无效 invalid:85
无效参数 invalid:68
无效用户 invalid:90
无效的字符 invalid:90
无效网址 invalid:90
无数据 data:60
无权 permission:37 allowed:25 authorized:23
无条件 unconditionally:17 resupply:9 extra:9 attributes:9
无标题 untitled:90
无法 unable:42 cannot:31 failed:12
无法加载 load:90
无法安装 installed:90
无法打开 open:90
无法打开文件 file:90 open:90
无法访问 access:34 lose:22 inaccessible:12 accessible:9
无法运行项目 project:90 unable:90
无线 wireless:98
无线网 network:48 wireless:36
无线网络 network:48 wireless:36
无缝 seamless:66
无论 regardless:75 whether:20
无限 unlimited:67 infinite:14
无障碍 accessibility:58
无需 without:53 required:22
既 neither:94
日 days:44 daily:24
日元 yen:28 jpy:28 japanese:28
日历 calendar:69
日历名称 calendar:90 name:90
日后 tencentcloud:85
日志 log:88
日志信息 information:90 log:90
日志导入规则 import:90 log:90
日志类型 log:90 type:90
日文 japanese:36 jp:17 options:17 ja:17
日期 date:80
日本 japan:71
日程 event:72
日程描述 description:90
日语 japanese:53 ja:24
旧 old:67 legacy:10
旧式 legacy:85
旧版 legacy:26 gtm:18 version:13
旧版本 older:56 kubernetes:17
旨在 designed:32 aim:24 kubernetes:19 intended:19
早 earlier:43 older:38
早上 morning:94
早期 early:40 earlier:28
早退 early:54 leave:36
时会 created:93
时候 time:22 set:16 required:11
时值 timeout:54 value:25
时分 division:85
时刻 time:43 moment:23 ms:22
时区 time:72 zone:54
时区信息 time:90 zone:90
时序 time:30 series:25 metric:17 metricstore:9
时延 latency:62 delay:20 ms:14
时效性 timeliness:85
时数 hours:60 retention:29
时文 file:49
时机 timing:85
时段 slot:35 period:12 interval:9
时空 spatiotemporal:31 date:24 location:24
时钟 clock:76
时间 time:78
时间单位 time:90 unit:90
时间周期 time:90
时间格式 format:90 time:90
时间段 period:53 time:10 range:9
时间跟踪 time:90
时间跨度 time:56 end:36
时间间隔 interval:90
时限 time:20 maximum:18 age:14 limit:14
明亮 light:57
明天 tomorrow:97
明度 opacity:71
明文 plaintext:60 text:8
明显 obvious:92
明确 explicitly:70 ambiguous:13
明细 details:77
易 easy:84
易受攻击 vulnerable:90
星 starred:70 unstar:15 messages:11
星号 asterisk:92
星夜 starry:62 night:28
星期 week:51 three:13 days:12
星期一 monday:81
星期三 wednesday:57
星期二 tuesday:66
星期五 friday:57
星期六 saturday:57
星期四 thursday:68
星期日 sunday:95
星河 studio:50 ai:45
星火 spark:52
星辰 stepfun:25 step:20
映像 image:76 container:13
映射 mapping:74
昨天 yesterday:78
昨日 yesterday:94
昨日指标 yesterday:90
是从 map:89
是否 whether:71 specifies:10
是否删除脚本 delete:90 script:90
是否加密 encrypted:90
是否启用 enable:60 whether:30
是否孤老 lonely:60
是否开启消费 consumption:90 enable:90
是否必填 required:68
是否是 whether:74
是否残疾 disabled:90
是否烈属 martyred:60
是因为 pods:33 receiving:26 stateful:25
是非 non:96
昵称 nickname:82
显 explicitly:90 echo:8
显示 display:44 show:44
显示侧边栏 sidebar:90 show:68
显示信息 info:48
显示名称 name:90
显示名称字段 field:90 name:90
显示器 monitoring:73
显示图像 show:90 images:60
显示头像 avatars:60 show:60
显示密码 show:90
显示帮助 display:60
显示所有模板 templates:90
显示文件 file:49 display:17 info:12
显示方式 display:58 zulip:31
显示日志 show:90
显示时间戳 show:90
显示更少 show:90
显示标签 show:90
显示桌面 show:85
显示用户名 show:90
显示目录 directory:80
显示行号 line:90 numbers:90
显示角色 roles:90
显著 significantly:76
晚 latest:42 later:15 time:14
晚上 evening:68
普通 common:20 regular:18 normal:18 ordinary:13
普通用户 user:36 standard:27 ordinary:23
普通话 mandarin:32 recognizing:32 audio:31
景色 color:60
智 ai:41 model:12
智利 chilean:42
智能 agent:46 intelligent:19 smart:16
智能体名称 name:90
智能体已删除 agent:90 deleted:90
智能体描述 agent:60 description:60
智能体版本 agent:90
智能压缩配置 compression:90 smart:90
智能去除水印 video:90 watermarks:90
智能字幕 smart:90 subtitle:90
智能客服 customer:90
暂 yet:33 currently:20 time:12 available:11
暂停 pause:63 suspended:18
暂停备份计划 backup:90 plan:90
暂停状态 paused:63
暂停迁移任务 migration:90
暂存 staged:61 unstaged:23
暂存区 index:72
暂无 yet:53 available:14 found:11
暂无内容 content:90
暂无数据 data:90
暂无日志 logs:54 log:36 yet:36
暂无标签 yet:90
暂无知识库 knowledge:90
暂无组 groups:90
暂无规则 rules:90
暂无角色 roles:90
暂无记录 find:54 couldn:36
暂时 temporarily:44 currently:13 unavailable:11
暗 dark:88
暗色 dark:62 theme:27
暗色模式 dark:90
暗黑 dark:53 logo:39
暴力 force:30 brute:30 against:11 attacks:10
暴力破解 force:30 brute:30 against:11 attacks:10
暴露 exposed:78
曲线 curves:59 data:22
更 see:9
更加 make:93
更名 renamed:90
更多信息 info:45
更好 better:91
更换 change:33 replace:21
更换账号 account:90
更换资源组 group:90 resource:90
更改 change:91
更改安全组 groups:90 security:90
更改状态 change:90 status:90
更改类型 change:90
更改设置 change:90
更改语言 change:90
更改资源组 group:90 resource:90
更新 update:96
更新个人信息 information:90 update:90
更新主题 update:90
更新事件目标 delivery:90 target:90
更新事件规则 event:90 rule:90 updates:60
更新事件集 bus:90 event:90
更新于 updated:60
更新云数据库 cloud:90 database:90
更新人员类型 type:90 update:90
更新仓库信息 repository:60 update:60
更新代码配置 code:90
更新仪表盘 dashboard:90
更新任务 update:72 task:54 job:36
更新共享单元 shared:90 unit:90
更新别名 aliases:90
更新发布批次 batch:90
更新命名空间 namespace:90 update:45 updates:45
更新场景 scenario:90 update:90
更新域名 domain:90
更新失败 failed:68 update:68
更新头像 update:90
更新子用户 sub:90 user:90
更新定时任务 cron:90 job:90
更新实例信息 information:90 instance:90
更新工作流 update:90
更新工作空间 update:90
更新序列 job:90 update:90
更新应用 application:90
更新应用信息 update:90
更新应用分组 group:90
更新应用密钥 application:90 key:90 update:68
更新应用描述 application:90 description:90
更新应用服务 service:90
更新应用配置 application:90
更新成功 update:50 successfully:40 updated:30
更新扫描规则 rule:90 scan:90
更新技能组 group:90 skill:90
更新插件 update:90
更新插件挂载 attachment:90
更新数据库名 database:90 rename:90
更新数据源 data:90 source:90
更新数据集 dataset:90
更新文件 update:90
更新文件夹 folder:90 update:90
更新文档失败 update:90
更新日历 calendar:90
更新时间 updated:64 time:39
更新服务 service:68 update:45
更新服务版本 service:90 version:90 updates:60
更新机器人 update:90
更新权限模板 template:90
更新检测策略 policy:90 update:90
更新模型 model:90
更新模型版本 model:90 version:90
更新模板 template:90 update:90
更新水印 watermark:90
更新流控规则 rule:90
更新消费者 consumer:90
更新环境 update:90
更新环境信息 environment:90
更新用户 user:90
更新用户信息 user:90 update:68 information:45
更新用户状态 status:90 user:90
更新用户组 group:90 user:90
更新用户配置 user:90
更新私有网关 gateway:90 update:90
更新策略 policy:90 update:60
更新策略组 group:90 policy:90
更新筛选条件 filter:90 update:60
更新索引 indices:60 update:60
更新组件 update:60
更新组织身份 identity:90 organization:90
更新网关参数 gateway:90
更新网关路由 gateway:90 route:90
更新职等 grade:90 job:90
更新草稿 update:90
更新行 update:90 row:60
更新触发器 trigger:90 update:60
更新记录 update:68 record:45
更新设置 update:90
更新评论 commented:90
更新资源组 group:90 resource:90
更新转换器 transformer:90
更新边缘实例 edge:90 instance:90
更新运行信息 run:90
更新通行密钥 passkey:90
更新部署任务 deployment:90
更新部门 department:90 update:90
更新配置集 set:90
更新问答 update:90
更新隔离规则 isolation:90 rule:90
更新集群信息 cluster:90 update:60
更新集群属性 cluster:90
更新音色信息 information:90 voice:90
更新项目 project:90 update:68
更新飞书任务 task:90 update:90
更正 correct:82
替 choose:82
替代 alternative:31 replacement:28 override:13
替代品 replacement:38
替代文本 text:90
替换 replace:78
替换路由策略 policy:90 routing:90 replaces:60
最 maximum:26 max:10
最低 minimum:63 lowest:14
最低订单金额 amount:90 order:90
最佳 best:80 optimal:12
最初 originally:94
最后 last:73
最后修改 modified:90
最后修改于 last:90 modified:90
最后更新 last:90
最后更新于 updated:90
最后更新时间 last:60 updated:60
最大 maximum:63 max:16
最大主体大小 body:90 size:90
最大值 value:23 number:16 returned:13 results:13
最大内存 limit:60 memory:60
最大化 maximized:86
最大召回数量 maximum:90 recalls:90
最大回复长度 max:90 length:68 res:45 response:45
最大块的长度 chunks:90 length:90 maximum:90
最大宽度 width:90
最大深度 depth:90
最大结果数 results:60
最大结果数量 results:90 max:60
最大资源 maximum:90
最大连接数 max:90
最大重试次数 max:54 retries:54 maximum:36 retry:36
最大长度 length:90 max:60
最好 best:52 preferred:16
最小 minimum:67 min:16
最小值 value:58 minimum:24
最小化 minimize:59 minimise:21
最小匹配度 degree:90 matching:90
最小资源 minimum:90
最少 minimum:59 least:26
最差 worst:85
最快 fastest:79
最新 latest:64 date:8
最新修订版本 latest:90
最新消息 new:63 last:26
最新版 version:64
最新版本 version:90
最早 earliest:40 oldest:21 minimum:11 early:9
最早更新时间 time:90 update:90
最晚更新时间 time:90 update:90
最深 deepest:82
最终 final:56 eventually:24
最终用户 end:97
最近 recent:54 last:32
最近修改 modified:90
最近发布 published:45 recently:45
最近发布时间 last:90
最近提交 recent:90
最近更新 updated:68 recently:45
最近活动 activity:60
最长 maximum:39 longest:10 length:8
最高 highest:56 maximum:9
月 month:80
月份 month:75 yyyy:9 mm:8
月初 month:30 beginning:26
月前 ago:90
月度 monthly:97
月薪 wage:49
有人 someone:44 everyone:34 post:11
有助 helps:50
有助于 helps:50
有可用更新 available:90 update:90
有可用的更新 available:90 update:90
有向图 directed:48 graphs:48
有害 harmful:45 toxicity:28
有序 ordered:50 ranked:22
有序列表 list:60
有所 vary:77
有所不同 ip:60
有效 valid:74
有效值 values:78
有效性 validity:97
有效期 validity:30 period:25 expiration:15
有效期至 valid:60
有效期限 validity:81
有效载荷 payload:87
有新版本可用 available:90 new:90 version:90
有时 sometimes:85
有权 ownership:78
有用 useful:94
有空 empty:92
有误 valid:36 error:26
有限 limited:74
朋友 friends:62
服务 service:71 server:8
服务停止 application:90
服务列表 list:90
服务删除 application:90
服务协议 service:90
服务发现 discovery:90
服务名称 name:68 service:45
服务商 provider:70 supplier:14
服务器 server:63
服务器之间 server:92
服务器发送 uri:43
服务器地址 server:68 url:45
服务器时 string:24 timezone:19 quuids:16
服务器时区 timezone:90
服务器端 side:71 apply:15
服务器端口 port:90
服务器返回 dsr:49
服务器进行 api:64 authenticate:24
服务提供商 provider:63
服务提供者 service:73
服务端 server:42 side:15
服务管理 service:90
服务类型 service:45 api:22
服务组 group:96
服务质量 qo:25 pod:24
服务部署 service:90
服务重启 application:90
服装 wear:82
朗读 read:72
朝鲜 korea:27 people:23
期 period:81
期内 cycle:46 billing:40
期待 forwarding:34 look:34
期日 date:46 days:42
期望 expected:51 desired:40
期望值 excepted:22 value:21 comparison:12 val:12
期望值类型 excepted:90 type:90
期权 options:90
期货 futures:90
期间 period:32 pod:12 kubeadm:9 kubelet:8
期限 period:43 duration:16 deadline:15
木马 trojan:95
未 unused:10
未分 uncategorized:68
未分类 uncategorized:68
未发布 published:60
未命名 unnamed:66 untitled:32
未命名请求 request:90
未填写 fields:50
未处理的条目 unprocessed:90
未备案 domain:87
未定 undefined:50 defined:42
未定义 undefined:50 defined:42
未就绪 ready:90
未找到 found:98
未找到产品 found:90
未找到团队 found:90
未找到应用 found:90
未找到插件 found:90
未找到文件 found:90
未找到模板 found:90
未找到用户 found:90 user:60
未找到类别 found:90
未找到结果 found:72 results:36
未找到频道 found:90
未指定 specified:42 unspecified:13
未捕获的异常 uncaught:90
未来 future:78 made:11
未注册 unregistered:54
未激活 inactive:53 active:32
未知 unknown:89
未知错误 error:60 unknown:60
未知频道 unknown:90
未经 unauthorized:95
未能 failed:84
未解决的会话 unresolved:90
未设置 set:60
未读消息 unread:90
未连接 linked:45
未选择 selected:90
未选择页面 selected:90
未配置 configured:60
未验证的会话 unverified:90
末尾 end:81 created:16
本 kubernetes:10
本人 payer:70
本例 case:92
本周 week:79
本地 local:92
本地上传 local:60 upload:60
本地化 localized:34 template:28 json:15 localizable:11
本地地址 local:90
本地存储 local:90
本地文件 local:90
本地用户 local:62 user:30
本场 battle:91
本文 page:38 documentation:23 kubernetes:16 shows:16
本月 month:81 current:17
本期 cutoff:45 date:38
本来 text:85
本次 time:34 number:10 returned:10
本身 submitted:36 rustup:23 pod:21
本轮 round:67
术家 artist:67 spotify:22
术语 terminology:42 terms:28 termbase:18
机 host:27 bastion:23 native:10 machine:9
机上 machine:49 computer:35
机会 opportunities:43 chances:34
机制 mechanism:66 kubernetes:12
机号码 phone:39 number:36 mobile:13
机名 hostname:61 pod:8
机器 machine:53 bot:20 server:9
机器人 bot:66 robot:14
机器人令牌 bot:90
机器人账户 robot:90
机器所属地域 region:90
机器翻译 translation:88
机型 model:64
机密 confidential:51 secret:25
机房 room:26 equipment:26 center:19 data:19
机数 number:53 random:30
机构 organization:37 authority:37
机架 rack:90
机械制造领域 machinery:90
机用户 host:34 bastion:23 one:20
机组 group:44 host:26 manage:10
杀掉 killed:62 terminate:28
杀死 kill:98
杀死指定会话 session:90 specified:90
权 authentication:37 authorization:15 auth:12
权利 rights:35
权力 power:87
权威 authoritative:19 recursion:16 httpdns:15 zone:14
权益 benefits:28 entitlement:16
权能 capabilities:60 bitmap:18
权衡 trade:46
权重 weight:92
权限 permission:78
权限不足 permission:60
权限管理 management:90
权限组名称 name:90 group:60 permission:60
权限范围 scope:60
材料 material:81
条 entry:32 number:8
条件 conditions:63 criteria:15
条例 requirement:32 ids:29
条形 bar:96
条形图 chart:87
条数 number:47 entries:18
条未读消息 message:90 unread:90
条款 terms:75
条目 entries:56 articles:20
来到 welcome:53 mattermost:13
来源 source:86
来源于 comes:68
来源资源事件 source:90
来电 call:48 incoming:36
来自 api:11 comes:8
板 board:56 dashboard:27
板书 snapshot:93
板块 section:90
极 minimal:35 likely:32
极速 express:46 speed:21 fast:12
极速模式 mode:90
构图 diagram:84
构建 build:78
构建成功 built:90
构成 composition:38 constitute:33
构造 constructor:49 construct:35
构造函数 constructor:57 reader:11 documentation:9 xml:8
枚举 enumeration:50 enum:15 enumerated:15
架 removed:72
架构 schema:45 architecture:35
某 specified:16 specific:12 pod:10
某个 certain:11 specific:9
某些 certain:38 pods:19
某人 someone:98
某次 volumetric:32 event:23 describe:21
某种 certain:52
查 query:72 lookbacks:21
查找 find:50 search:16 look:10 lookup:10
查找文件 find:57 file:38
查找流程 flows:90 search:90
查找起始时间 search:90 start:90 time:90
查找频道 find:90
查报 report:49
查杀 scanning:40 virus:36 runtime:18
查点 checkpoint:70
查看 view:53 see:10 describe:8
查看上架版本 version:90
查看产品详情 details:90 product:90
查看任务详情 details:90 task:90
查看作业列表 list:90 jobs:60
查看全部 view:60
查看列表 view:90
查看历史 history:90
查看原始内容 original:90 view:90
查看发布结果 release:90 view:90
查看器 viewer:86
查看安全组 security:90 group:60
查看定价 pricing:90
查看实例列表 list:90 views:90
查看差异 view:90
查看文档 view:68 documentation:45
查看日志 view:90
查看更改 changes:90
查看最新版本 latest:90 version:90 view:90
查看权限 view:90
查看源代码 source:90
查看策略详情 details:90 policy:90
查看结果 results:54 view:36
查看规则 view:90
查看认证文件 certificate:90
查看详情 details:54 view:36
查看详细信息 view:90
查看路由信息 information:90 route:90
查看配置 view:90
查看镜像列表 images:90 list:90
查询 queries:72 describe:17
查询专属集群 cluster:90 exclusive:90
查询主题列表 list:68 topic:68
查询事件内容 event:90
查询事件流 event:90
查询从可用区 availability:90 query:90
查询任务 query:68 task:45
查询任务信息 describe:90
查询任务列表 list:72 query:36 task:30 tasks:30
查询任务状态 status:90 task:90 query:60
查询任务详情 details:75 task:60 queries:45 query:30
查询会话列表 list:90
查询伸缩活动 activities:90 scaling:90
查询作业列表 jobs:90
查询作业日志 job:90
查询作业详情 details:60 job:60
查询促销活动 promotions:90
查询偏移量 offset:90 query:90
查询公司列表 company:90 list:90 query:90
查询关键字 keyword:90 query:90
查询内容 content:68 query:68
查询刷新任务 refresh:60 task:60
查询前缀列表 lists:90 prefix:90
查询单个职务 get:90 job:90 profile:90
查询历史事件 describe:90 events:90
查询参数 query:90
查询可用地域 regions:90 available:60
查询号码列表 list:90 number:90
查询告警历史 records:90 alarm:60
查询告警策略 alarm:90 policies:90
查询地域信息 regions:54 describe:36 query:36
查询地域列表 list:72 regions:54 queries:36 region:36
查询域名 domain:90
查询备份列表 list:90 backups:60
查询备份概览 backup:90 overview:90 queries:90
查询备份记录 backup:90 records:90
查询子用户 sub:90 users:90
查询子网列表 list:90 queries:60 subnet:60
查询存储网关 storage:90
查询实体列表 entities:90
查询实例 instances:90
查询实例价格 instance:90 price:90
查询实例信息 instance:72 information:54 query:36
查询实例列表 list:60 instances:45 instance:30 queries:30
查询实例详情 instance:68 details:45
查询密钥详情 details:90 key:90
查询带宽包 bandwidth:90 describe:90
查询应用列表 list:77 queries:51 application:39
查询应用配置 application:90
查询开始时间 start:90 query:60 time:60
查询快照列表 describe:60 snapshots:60
查询快照策略 policies:90 snapshot:90
查询授权信息 authorization:90 information:90
查询授权列表 list:90 authorization:60
查询插件挂载 attachment:90
查询数据库 queries:62 database:12
查询数量 number:90
查询文件列表 files:60 list:60
查询文件系统 file:90 systems:90
查询日历 calendar:90
查询日志 logs:60
查询日志信息 log:90 specified:90
查询有效策略 effective:90
查询服务详情 service:90 details:60 queries:60
查询条件 query:68 conditions:45
查询标签 tag:90
查询标签值 values:90 tag:60
查询标签列表 list:45 tags:45 queries:30 tag:30
查询标签键 keys:90 tag:90
查询检查报告 check:90 reports:90
查询模板详情 template:90
查询水印列表 list:90 watermark:90
查询流日志 flow:90 logs:90
查询流程状态 status:90 query:54 flow:36 queries:36
查询消息列表 list:72 message:54 query:54 messages:36
查询消息轨迹 message:90 trajectory:90
查询消耗明细 consumption:90 details:90
查询游标 cursor:90
查询漏洞详情 details:90 vulnerability:60
查询片区信息 information:90 region:90
查询状态 query:90
查询环境列表 list:68 environment:45 environments:45 queries:45
查询环境详情 environment:90
查询用户信息 user:90 information:75 get:30 queries:30
查询用户列表 list:90 users:54 queries:36 query:36
查询监控指标 metric:90
查询站点列表 list:90 site:68 queries:45 query:45
查询站点详情 details:90 site:90
查询策略列表 list:68 policies:68 queries:45
查询索引 index:90
查询组件列表 components:90 list:90
查询经验库 library:90 template:90
查询结束时间 end:90 time:90
查询编排 scheme:90
查询网关列表 list:90
查询节点规格 node:90 specifications:90
查询表格 table:90
查询表详情 table:90 details:60
查询规则 query:90
查询规则详情 rule:90
查询角色列表 list:90 roles:90
查询触发器 triggers:60
查询订单信息 information:90 order:90 queries:45 query:45
查询设备信息 device:90 query:90
查询语句 query:90
查询账号信息 accounts:90 describe:90
查询账户摘要 account:90 summary:90
查询资源标签 resources:68 tag:45 tags:45
查询起始位置 query:90 start:90
查询起始时间 query:90 start:90 time:90
查询过滤器 query:90 filters:60
查询过滤条件 filter:90 query:90
查询运维项 items:90
查询通道详情 connection:90 details:90
查询配置列表 configurations:90 list:90
查询配置详情 configuration:90 details:90
查询错误日志 error:90 log:60 query:60
查询键 kv:30 details:28 get:25
查询镜像信息 image:90 information:90 queries:60
查询镜像列表 images:68 list:68 queries:68
查询集群列表 list:60 clusters:42 cluster:30 describe:30
查询集群参数 cluster:90 parameters:90
查询集群路由 cluster:90 routes:90
查询项目信息 project:90
查阅 check:24 see:17 documentation:14 read:11
查验 inspect:94
柱形 attacker:25 frequently:25 get:23
柱形图 attacker:25 frequently:25 get:23
柱状 bar:65
柱状图 chart:28 bar:28 histogram:19
标 mark:36 header:22
标为已读 mark:90 read:90
标值 value:97
标准 standard:61 stdin:12
标准化 normalize:37
标准型 mounting:39 eni:31
标准版 standard:42 edition:30
标志 flag:58
标志符 identifier:85
标明 indicating:65 posexplode:26
标注 labeling:64
标点 characters:92
标点符号 punctuation:90
标目 directory:44 destination:33
标示 identifier:23 direct:22 net:22
标签 tag:59 label:29
标签值 value:90 tag:60
标签列表 tags:78 list:30
标签匹配 match:90
标签名 label:45 name:45 tag:45
标签名称 name:90
标签描述 description:90
标签描述列表 list:75 tag:75 description:60
标签搜索 tag:90
标签数组 tags:72 array:54
标签文字 text:90
标签类型 type:90
标签过滤条件 tag:72 conditions:54 filtering:54 filter:36
标签键 tag:90 key:60
标签集 set:69 label:22
标签颜色 label:90
标记 mark:54 flag:16 tag:12
标记为已解决 resolved:90
标记为已读 read:90 mark:60
标记为已退款 mark:90 refunded:90
标记为未读 unread:90 mark:60
标记定位 mark:90 positioning:90
标识 identifier:52 identify:12
标识符 identifier:67
标语 language:57 destination:30
标量 scalar:94
标题 title:72 header:15
标题栏 bar:77
栈 stack:84
栏 sidebar:59 bar:18
树 tree:64 worktree:21
树形 tree:96
树状 tree:94
校 social:26 campus:26 options:23
校正 correction:42
校验 check:24 verify:17 verification:11 validation:11
校验文件 file:88
校验问答 qa:90
样 sample:90
样品 sample:90
样子 looks:92
样式 style:83
样式表 stylesheet:97
样本 sample:81
样板 scaffolded:39
核 cores:47 cpu:35
核心 core:72
核查 web:30 app:29
核验 verification:84
根 root:87
根据 based:61 according:14
根目录 root:56 path:9
根证书 ca:45 certificate:45 root:45
格 column:85
格子 grid:68
格式 format:61
格式化 format:64 formatter:8
格式文件 file:48
框 box:74 bounding:10
框图 wireframes:57
框架 framework:65
框选 selected:68 area:24
案 file:85
案例 case:76 salesforce:11
桌 table:90
桌面 desktop:82
桌面上 desktop:87
桌面版 desktop:92
桌面通知 desktop:90
档案 archive:39 zip:21 profile:18 inside:8
桥 bridge:78
桥接 bridge:90
桶 bucket:65 cos:15
條 terms:62 conditions:28
检 check:32 run:14
检出 check:34 checkout:29
检查 check:87
检查和 inspection:52 schema:40
检查报告 report:49
检查更新 check:90
检查点 checkpoint:70
检查用户 check:49
检测 detection:44 detected:25 check:12
检测基线 baseline:90 checks:90
检测时间 detection:44
检索 retrieve:52 search:19 retrieval:17
检索分析日志 logs:90
检索条件 criteria:90
检索记录 records:90
检验 check:50 test:22
检验规则 rule:90
棋牌 chess:30 shield:30 advanced:22
棒 best:85
椭圆 ellipse:90
概况 overview:35 get:21
概念 concepts:73 kubernetes:13 class:8
概括 summary:85
概率 probability:33 likely:16 tokens:11 nucleus:11
概要 summary:77
概览 overview:82
概述 overview:58 outlined:8
榜 top:37 ranking:34 leaderboard:26
榜单 ranking:90
模 gitee:36 ai:30
模仿 mocked:28 source:28
模块 module:79
模型 model:76
模型信息 model:90
模型列表 list:90
模型厂商 model:90
模型标识 model:90
模型状态 status:90
模型相关 model:90
模式 mode:76
模式匹配 pattern:84
模式定义 schema:56 validations:35
模态 multimodal:60 modal:32
模拟 mockset:18 mock:17 simulate:14 simulation:11
模拟器 emulator:57 simulator:11
模拟系统 simulated:91
模板 template:95
模板内容 template:90
模板名称 name:90 template:75
模板文件 template:90
模板类型 template:90 type:90
模板选项 template:90
模版 template:84
模特 model:90
模糊 fuzzy:59 search:11
模糊查询 fuzzy:90
横 landscape:55 horizontal:34
横向 horizontally:46 landscape:34
横幅 banner:95
横杠 dashes:90
横版 landscape:92
横线 horizontal:29 line:29 dashes:19
橙色 orange:74
檔 file:85
欠费 overdue:36 payments:33 activated:12
次 times:56 per:9
次工作流运行 workflow:90
次数 number:46 times:15 count:9
次日 next:48 days:48
次级 secondary:43 minor:29
次要 secondary:52 minor:41
次访问 last:44 visit:40
欢迎 welcome:83
欢迎来到 welcome:90
欧元 euro:42 eur:42
欧洲 europe:65
欧盟 eu:95
欲 purchased:87
款 hit:58 product:28
歌 google:93
歌曲 tracks:45 song:28 spotify:14
歌词 lyrics:64
正 pod:18 desc:17 asc:15 order:12
正值 positive:47 values:46
正切 tangent:94
正则 regular:39 regex:22 expression:12
正则表达式 regex:39 regular:24 match:11
正向 positive:24 forwarding:15 divided:11
正在 progress:8
正在上传 uploading:90
正在发送邀请 sending:90
正在录制 recording:90
正在播放 playing:90
正在登录 logging:90
正在编辑 editing:90
正在获取集成 fetching:90
正在输入 typing:90
正在运行 running:90
正在连接 connecting:92
正常 normal:39 working:10 correctly:9
正式 official:22 ga:16 production:12 regular:10
正式版 official:63 version:26
正式版本 version:90
正弦 sine:96
正数 positive:58 number:40
正整数 positive:69 sql:8
正文 body:65 text:9
正文内容 body:90
正确 correct:47 incorrect:18 properly:9
正确性 correctness:94
正负 negative:85
正面 front:92
此人 person:94
此前 removed:90
此参数 parameter:28 scope:17 type:12 set:11
此处 appear:39
此外 additionally:50 pod:24 addition:15
此插件已安装 already:90 installed:90 plugin:90
此时 point:59 time:18
此条 slug:47 entry:36
此次 perform:16 dry:14 without:12 options:10
此项 field:58 check:27
步 step:71 go:21
步数 steps:52 number:29
步长 step:55 length:31
步骤 steps:82
死 dead:85
死信 dead:37 letters:37
死锁 deadlock:37 dead:20 lock:20
残疾 disabled:92
残疾证 disability:54 certificate:34
残疾证号 disability:90 number:90
段 field:72
段时间 period:42 time:24 certain:17 top:11
段落 paragraph:75 section:14
每 every:45 per:32
每七天 days:90 every:90
每三天 days:90 every:90
每个 per:29 every:15 pod:14
每位 per:74
每分钟 per:38 every:34
每周 week:63 every:19
每天 days:44 every:21 daily:14 per:10
每年 annually:39 year:39
每张 per:85
每日 daily:70 days:10
每月 month:66 per:15 days:9
每次 time:22 per:15 every:9 filter:8
每秒 seconds:40 per:38 qps:13
每行 line:33 per:25 one:16 row:10
每行一条信息 per:90
每隔 every:94
每页 page:40 per:31 entries:13
每页数量 page:90
每页条数 page:60 per:60
每页条目数 page:90
每页行数 number:29
比 comparison:18 compare:15
比亚 libyan:92
比例 ratio:26 scale:24 proportion:18 percentage:8
比如 example:37
比特 bitcoin:85
比率 ratio:95
比索 peso:97
比赛 competition:87
比较 compare:61 comparison:22
毛里 mauritian:87
毫秒 milliseconds:57 ms:26
民主 democratic:89
气泡 bubble:91
水印 watermark:81
水平 horizontal:84
水平居中 center:90
水平自适应 fit:90
水线 pipeline:48 logtail:35
永不 never:94
永不过期 never:60
永久 permanently:82
永久保留 keep:90
永久删除 delete:90 permanently:90
永久性 permanently:45 cannot:44
永远 never:38 forever:17 always:17
求 calculate:90
求值 evaluated:96
求职 job:46 hunting:40
汇总 summary:31 summarized:26 aggregated:12 details:9
汇报 report:84
汇率 rate:49 exchange:46
汇编 assemble:37
汉字 characters:48 chinese:46
池 pool:66
池内 pool:86
污染 tainted:64
污点 taint:87
汽车 car:74
沉降 settlement:21
沙 sandbox:77
沙特 saudi:45 riyal:28
沙箱 sandbox:80
沟通 communication:55 communicate:23
没有 don:16 yet:16 without:10 available:8
没有找到 found:90 nothing:90
没有数据 data:60 found:60
没有更多结果 results:90
没有结果 results:60
治理 governance:52 optimize:11 kubernetes:8
泄漏 leakage:54 prevention:42
泄露 leak:25 spillage:22 access:13 key:12
法 case:56 french:30
法定 legal:80
法律 legal:55 law:21 notice:13
法律信息 legal:90
法郎 franc:36 cfa:23
泛 generic:67 system:13
波兰 polish:82
波斯 persian:84
注 note:96
注入 injection:41 inject:19
注册 register:45 registration:20
注册帐号 account:90 register:90
注册成功 registration:45
注册或登录 login:90 sign:90
注册时间 time:90
注册用户 user:90
注册电子邮件 email:90
注册码 code:57 registration:30
注册表 registry:68 container:15
注册迁移任务 migration:90 task:90
注册项 items:49 signup:43
注意 note:56 notice:13
注意事项 considerations:70 caveats:24
注解 annotation:50 io:8 kubernetes:8
注释 annotation:59 comments:23
注释层 annotation:90
注销 log:20 logout:12
注销设备 device:60 sign:60
泰铢 thb:28 baht:28 thai:28
泳道 lane:43 swimlane:34 swimming:16
洋红 magenta:94
洞察 insights:36 explorer:16 sql:15 lens:10
活 active:87
活体 liveness:77
活动 activity:46 active:26 campaign:9
活动状态 active:54 inactive:40
活跃 active:82 inactive:8
活跃度 activity:90
活跃用户 users:90
活跃用户数 active:90 number:60 users:60
派生 fork:50 derived:36
派生类 class:39 xml:32 insecure:23
流 workflow:38 stream:26 flow:22
流下 workflow:95
流入 input:91
流出 outbound:57
流动 flow:73 dataflow:24
流名称 name:90 stream:90
流域 domain:73 ingest:12 streaming:12
流式 streaming:82
流式输出 output:60 stream:60
流水 record:32 attendance:27
流水线 pipeline:48 logtail:35
流流 stream:58
流程 flow:43 process:34
流程图 flowchart:96
流程已停止 flows:90 stopped:90
流程已启动 flows:90 started:90
流程描述 description:90 flow:90
流程文件 file:90
流行 popular:59
流路由 stream:90
流转 stream:30 relay:29 live:17 flow:11
流通 notification:42 flow:42
流量 traffic:70
浅 light:85
浅色 light:62 theme:23
浅色主题 light:90
浅色模式 light:90
测 testing:45 task:31 synthetic:12
测定 monitoring:74
测时 detection:44
测点 points:54 monitors:34
测试 test:87
测试代码 routine:58
测试失败 test:90
测试成功 test:90
测试数据 test:56 data:32
测试步骤 run:58
测试版 beta:84
测试环境 staging:62 environment:29
测试用例 case:84
测试结果 results:90
测试计划 nongui:51 specific:37
测试运行 runner:56
测试连接 test:90
测试连接失败 test:90
测试连接成功 successfully:90 test:90
测试通过 passed:90
测量 gauge:18 apiserver:17 flowcontrol:16 holding:16
浏览 browser:47 browse:20 explore:9 view:9
浏览器 browser:72
浏览频道 browse:90
浮动 floating:76
浮点 floating:29 point:25
浮点数 floating:53
海外 outside:22 mainland:18 overseas:17 chinese:13
消失 disappear:54 gone:25
消息 message:86 post:9
消息不能为空 empty:90 message:90
消息传递 messaging:93
消息内容 message:68 content:45
消息已发送 message:90 sent:90
消息已更新 message:90 updated:90
消息已编辑 edited:90 message:90
消息打包格式 type:90
消息操作 actions:90
消息的内容 content:90 message:90
消息类型 message:68 type:68
消息过长 long:90 message:90
消息通知声音 message:90 notification:90
消耗 consumption:40 consumed:19 token:16
消耗量 token:58
消费 consumer:48 consumption:17
消费者 consumer:66 operations:10 performs:8
消费者组 consumer:90
涉及 involves:51 related:26 commented:13
淡化 fade:34 tier:26
深 deep:85
深入 documentation:19 learn:18 deep:14
深度 depth:39 deep:28
深度思考 thinking:90
深色 dark:74 semi:8
深色主题 dark:90
混 mixed:26 hunyuan:15 rtc:15 mpuevent:12
混合 hybrid:60 mixed:17
混沌 chaos:35 engineering:35
混流 mixed:48 stream:44
混淆 confused:46 obfuscator:34
添加 add:95
添加主题 add:90
添加书签 add:90 bookmark:90
添加人员 add:90
添加仓库 add:90
添加任务 add:90
添加任务成员 add:90 members:90
添加到列表 add:90
添加到频道 add:90
添加参数 add:90 parameter:36
添加团队 add:90
添加团队成员 add:90 team:90
添加图片 add:90
添加域名 domain:90 add:60 adds:30
添加备注 add:90 note:90
添加子节点 add:90 child:90
添加实例 add:90 instance:90
添加实例路由 add:90 instance:90
添加密钥 add:90
添加属性 add:90
添加工具 add:90
添加待办清单 add:90
添加成员 add:90
添加描述 add:90 description:90
添加文件 add:68 file:45 files:45
添加文档 add:90
添加新行 new:90
添加新规则 add:90 rule:90
添加方式 method:60
添加权限 permission:90
添加条目 add:90
添加条目描述 add:90 article:90
添加标签 add:64
添加检索模板 template:90 add:45 adds:45 retrieval:45
添加模型 model:90
添加模板 add:90 template:90
添加水印 watermark:90
添加用户 user:72 add:54
添加监控项 add:90 monitoring:90
添加短信签名 signature:90 sms:90
添加示例 add:90
添加策略场景 policy:90 scenario:90
添加精选 add:90
添加组织 organization:90
添加组织身份 identity:90 organization:90
添加网关 gateway:90
添加网关路由 gateway:90 route:90
添加群组 add:90
添加联系人 add:90 contact:90
添加脱敏规则 rule:90
添加节点 add:90 node:90
添加行 add:90
添加表情 add:90 emoji:90
添加表情回应 add:90 reaction:90
添加规则 add:90
添加角色 role:90 add:60
添加解析记录 add:90 record:90
添加记录 add:68 record:68
添加记录分组 group:90 record:90
添加访客 add:90 visitor:90
添加语言 add:90 language:60
添加资源标签 resources:90 tag:90
添加远程仓库 add:90 remote:90
添加连接 add:90
添加选择器 add:90
添加邮箱 add:90 email:90
添加链接 add:60 link:60
添加链接文档 docs:90 linked:90
添加附件 add:36 attachment:36 files:36
添加集群 cluster:90
添加项目 items:90
添加频道 add:90 channel:36
清 checklist:54 clear:39
清单 manifest:54 tasklist:10 checklist:10
清屏 screen:45 clear:45
清晰 clear:96
清楚 clear:92
清洗 cleansing:47 cc:17 ddo:15 cleaning:15
清理 clean:32 cleanup:20 clear:12
清空 clear:59 drain:12
清空回收站 empty:90
清空搜索 clear:90
清空筛选 clear:90
清除 clear:83
清除筛选 clear:90
清除缓存 clear:90
清除过滤器 clear:90
渐变 gradient:90
渠道 channel:84
温度 temperature:98
港澳 global:24
港澳台 global:24
渲染 rendering:76
渲染器 renderer:68
游客 guest:62
游戏 game:81
游戏与娱乐 entertainment:90
游标 cursor:84
游玩 play:66
湖 lake:57 lakehouse:21 data:18
湖中 lake:68
湖泊 lake:89
源 source:65 origin:9
源于 comes:68
源代码 source:77
源名称 name:90
源地 origin:63 pool:28
源地址 origin:63 pool:28
源数据源 source:90
源文件 source:75
源流 url:31 media:23 resource:22
源源 source:67
源目录 source:67
源码 source:62 code:23
源站信息 origin:90
源站名称 name:90 origin:90 server:90
源站配置 configuration:90 origin:90 server:90
源类型 type:90
源语言 source:90
溢出 overflow:69 net:26
溯源 tracing:74 ab:13
滑动 swipe:57
滑块 slider:82
滚 rolling:39 rollback:34 back:10
滚动 scroll:46 rolling:33
滚动条 scrollbar:95
滚动频道 scroll:90
滚轮 scroll:44 wheel:39
满意 satisfied:35 dissatisfied:32 unsatisfied:10 satisfaction:9
满意度 satisfaction:96
满足 meeting:35 satisfy:26 met:17
满足条件 eligible:56 licensing:35
滤器 filter:79 ip:8
滥用 abuse:68
漂亮 pretty:64 yaml:26
漏斗 funnel:92
漏洞 vulnerability:81 vul:9
漏洞扫描 vulnerability:90
漏洞重新检测 vulnerabilities:90
演播 studio:45 aistudio:24 live:24
演播厅 studio:71
演示 demo:38 demonstrates:27 presentation:23
演练 test:22 drill:22 experiment:19 pair:9
演讲 keynote:35 speech:33
漫游 roaming:90
潜在 potential:93
澳大利 australian:87
澳大利亚元 dollar:42 aud:42
激励 incentive:68
激活 activate:56 activation:20 event:13
激活状态 activation:70 enum:22
激活码 code:41 activation:34 token:11 access:11
火墙 firewall:40 vpc:14
火山 volcano:66 volcengine:14
火山方舟 volcengine:90
火山项目 volcano:90
火狐 firefox:92
灯 light:95
灰度 release:23 grayscale:18 canary:18
灰度版本 version:90
灰度项目名称 name:90 project:90
灰色 gray:72
灵 lingjun:38 hub:10 vcc:10
灵感 inspiration:92
灵活 flexible:71 workflow:14
灾 recovery:45 disaster:42
点 point:69 dot:9
点亮 git:42 hub:42
点位 offset:40 point:24
点击 click:91
点击上传图片 click:90 image:90 upload:90
点击上传文件 upload:90
点击添加 add:90
点击编辑 edit:90
点播 vod:53 video:17 demand:10
点数 number:49 point:26
点选 click:55
炼 key:24 api:23
烈属 martyred:59 certificate:21
烈属证号 number:90 certificate:60 martyr:60
热 hot:35 hotword:32 keys:13 restoration:10
热度 ranking:81
热点 hot:47 spot:18 flow:12 http:9
热键 hotkey:99
热门 top:41 frequently:8 url:8 visit:8
焚 burn:41 read:40 post:17
無 invalid:90
焦点 focus:84
然后 pod:20 kubectl:8
然而 however:92
照片 photo:53 image:27
熔断 circuit:45 breaking:24 breaker:21
熟悉 familiar:56 yourself:14 familiarize:13
爆 hit:39
爆破 force:41 brute:41 cracking:13
爬 crawl:76
爬虫 crawler:69 spider:19
爱 favorites:68
爱好 hobby:85
爱尔兰 ireland:85
父 parent:90
父子 child:48 parent:48
父类别 categories:90 parent:90
片刻 moment:59 wait:31
片区 region:79
片头 opening:49
片尾 ending:39 tail:26 head:26
片段 snippet:48 segments:13 fragmented:10
版 edition:25 sql:15 db:15 analytic:14
版主 moderators:98
版块 section:96
版本 version:83
版本信息 version:42 reported:9
版本升级 major:18 engine:12 postgre:12 rds:9
版本号 number:62 version:17
版本名称 name:90 version:60
版本备注 version:90
版本控制 api:30 vcs:22
版权 copyright:89
版权所有 reserved:62
版面 layout:83
牛 display:28 cow:27 niu:21
物 thing:24 tsl:18 artifact:14 language:11
物体 object:95
物化 materialized:78
物品 items:64
物料 sbom:96
物理 physical:35 connection:23 chc:14 circuit:12
特 twitter:64 extra:22
特价 price:46 special:46
特例 exceptions:57
特别 special:48 particularly:40
特定 specific:83
特尔 intel:71
特征 feature:66 characteristics:12 anti:11
特征向量 retrieve:89
特性 feature:67
特效 effect:88
特权 privileged:88
特殊 special:89
特殊字符 characters:36 symbols:24 contains:15 special:11
特殊符号 long:34 include:24 characters:18
特色 featured:97
特赦 allowlist:52 cve:44
状况 conditions:52 pod:19
状态 status:78 state:11
状态信息 status:90
状态值 value:69
状态过滤 filter:90
状态页面 status:90
独享 dedicated:43 exclusive:12
独占 exclusive:30 reserved:21 dedicated:20
独有 dedicated:57
独特 uniquee:97
独立 independent:31 standalone:24 separate:16
猎头 headhunting:31 supplier:28 agency:24
猜 guess:86
猜测 speculation:97
玄学占卜 divination:90
率 rate:83 fps:13
玩 play:92
玫瑰 rose:94
环 ring:67
环境 environment:80
环境中运行 run:40
环境区分 environment:90
环境变 environment:29 variables:22
环境变量 environment:29 variables:22
环境名称 environment:90 name:90
环境影响 environmental:41 epd:26
环境描述 environment:90
环境类型 environment:90
环境配置 environment:90
环境风险评估 environment:90 risk:90
环节 link:51 data:38
现代 modern:92
现场 site:95
现存 existing:96
现时 live:48 kubectl:33
现有 existing:93
现金 cash:65
班 shift:95
班次 shift:84 attendance:14
球面 surface:38 spherical:32
理事 pending:47 events:20
理器 manager:64
理工 manager:29 management:29
理想 ideally:67
理由 reason:80 given:13
理解 understanding:65 moderation:12
瑞典 swedish:68
瑞典克朗 sek:42 krona:42
瑞士 swiss:68
瑞士法郎 chf:85
瓜拉尼 guarani:81
甘特图 gantt:62 chart:28
甚至 even:86
生 generation:45 aigc:23 image:13
生产 production:77
生产力 productivity:67 superapp:24
生产者 producer:62
生变 change:88
生命 lifecycle:69
生命周期 lifecycle:75
生存 read:84
生态 ecosystem:33 rubygems:10 ecology:10 maven:10
生态系 kubernetes:31 ecosystem:27
生态系统 kubernetes:31 ecosystem:27
生意 unexpected:46 error:39
生成 generate:70 generation:13
生成器 generator:71
生成失败 failed:90
生成密钥 key:60
生成密钥对 generate:90 key:90 pair:90
生成式 ai:61 generative:29
生成快照 snapshot:90
生成运维项 items:90
生效 effect:27 take:23 effective:20
生日 date:34 birth:30
生活 life:70
生物 biometric:78
用 use:16 available:11 unavailable:8
用人 employer:45 recruiter:28
用作 use:68 pod:18
用例 cases:90
用到 volumes:32
用品 supplies:85
用尽 exhausted:92
用工 utility:83
用户 user:92
用户信息 user:36
用户列表 list:90
用户参与度 engagement:90
用户反馈 feedback:90
用户名 username:76
用户名已存在 already:90 exists:90 username:90
用户名称 name:45 username:45
用户命名空间 namespaces:90 user:90
用户备注 remarks:90 user:90
用户头像 photo:90 profile:90 user:90
用户密码 password:90 user:60
用户属性 attributes:90 user:90
用户已停用 deactivated:90 user:90
用户已验证 user:90 verified:90
用户数 number:44 users:33 count:12
用户数量 users:64 number:28
用户未激活 user:90
用户标识 user:90
用户注册 registration:55 user:27
用户满意度 satisfaction:90
用户界面 interface:53
用户端 user:84
用户管理 user:54 manage:36 users:36
用户类型 types:60 user:60
用户组 group:78
用户设置 user:90
用户输入方式 input:90 user:90
用户邮箱 email:54 user:54 mailbox:36
用来 use:11 kubernetes:10 pod:9
用法 usage:59 use:19
用率 cpu:38 utilization:26 usage:15 hpa:8
用者 user:29 uin:22 account:22
用途 purpose:66 use:13 usage:11
用量 usage:61
由于 due:57 since:22
申请 apply:27 application:25 request:16
申请免费证书 certificate:90
申请单 application:76
申请时间 time:90
申请者 applicant:27 system:15 obtained:15 account:15
申请表 form:40 offer:33 application:12
申领 claim:60 persistent:16 pvc:12
电力 elec:34 get:28 constitute:27
电子 email:71 address:11 zulip:10
电子书 books:56
电子表 spreadsheet:53 sheet:18
电子表格 spreadsheet:53 sheet:18
电子邮件 email:84
电子邮件地址 email:90
电子邮件模板 email:90
电子邮件通知 email:90 notifications:90
电子邮箱 email:70 address:21
电子邮箱地址 email:90
电影 movie:42 passed:42
电池 battery:96
电源 power:97
电脑 computer:76 pc:19
电话 phone:68 call:11 number:10
电话号码 phone:51 number:23
男 male:64 options:25
男士 mens:90
画像 profile:56 schema:43
画布 canvas:80 scene:15
画板 board:45 canvas:28
画框 frame:95
画质 quality:40 inspection:12 media:8
画面 images:45 based:20 frame:19 generation:9
界 edgeless:98
界限 bounds:83
界面 interface:52 ui:17 screen:10
留下 leave:76
留字 reserved:64 word:26
留存 retention:70
留空 leave:42 empty:35 blank:11 accept:9
留言 message:52 leave:21
留言板 guestbook:94
略图 thumbnail:74
疑问 questions:72
病毒 virus:62 task:14
登 log:60 signin:30
登出 sign:24 logged:16 logout:15
登录 login:39 log:24 sign:15
登录以继续 continue:90
登录名 login:52 include:8
登录失败 failed:90 login:45 sign:45
登录成功 logged:68 successfully:45
登录方式 sign:45
登录页面 login:90 page:90
登记 registration:59
登陆 login:32 log:28
白 white:31 whitelist:23 allowlist:16
白名单 whitelist:33 allowlist:22
白板 whiteboard:79 task:11
白色 white:95
百 key:24 api:23
百万 million:92
百分 percentage:55 percent:24
百分位 percentile:98
百分比 percentage:60
百川 baichuan:90
百度 baidu:55 ernie:19
百度翻译 baidu:68 translate:68
百灵 ant:35 ling:35
百科 wiki:61 wikipedia:24
百科全书 encyclopedia:85
的贡献 contributions:90
盐 salt:94
监 monitoring:52 live:21 session:18
监听 listener:49 listening:9
监听器 listener:70 https:12
监听查询 listening:90 query:90
监听端口 port:90 listening:36
监控 monitoring:80
监控器 monitoring:78
监控类型 type:90
监控项名称 name:90
监测 monitoring:45 observation:35 url:15
监视 watch:38 monitoring:18 watchlist:12 pods:9
监视器 monitoring:95
盒 box:61 white:30
盒子 filebox:82
盒式 box:46 blur:44
盗链 hotlink:36 protection:36
盘 disk:74
目前 currently:78
目录 directory:76
目录名 name:55 dirname:33
目标 target:74 destination:12
目标值 target:94
目标分支 branch:60 target:60
目标字段 sink:90
目标实例信息 information:90 instance:90
目标实例名称 instance:90 name:90
目标数据源 source:90 target:90
目标目录 directory:44 destination:33
目标空间 target:90
目标类型 type:90
目标语言 language:57 destination:30
目标路径 target:90
目标镜像版本 image:90
目的 destination:39 purpose:13 entry:8
目的地 destination:95
盲 blind:50 decode:29
直 direct:52 connection:12 dlink:10 private:10
直到 pod:28 turned:20
直属 direct:48 solid:13 manager:12
直接 directly:88
直播 live:57 stream:22
直方图 histogram:79
直线 line:52 straight:41
直观 intuitive:90
直通 direct:32 access:25 eip:14 ip:14
相互 communicate:93
相互作用 interactions:90
相似 similar:48 similarity:36
相关 related:51 relevant:21
相关性 relevance:56
相关联 associated:55 oauth:24
相关记忆 memories:90
相反 reverse:71
相对 relative:50
相对路径 relative:74
相差 date:86
相应 corresponding:71
相当 equivalent:61
相当于 equivalent:53
相机 camera:69
相比 compared:87
相等 equal:57 equality:32
相连 connected:89
相邻 adjacent:95
盾牌 shield:90
省 state:69 province:25
省份 province:56 district:12 region:11 administrative:8
省略 omit:65 ellipsis:12
看 board:57 dashboard:27
看不到 see:96
看到 see:72
看来 looks:75
看板不存在 existing:68 dashboard:45
看板标题 title:90
看板迁移 board:90
看看 check:52
看见 see:85
看起 looks:76
看起来 looks:76
看门 watchdog:44
看门狗 watchdog:44
真 true:62 flag:8
真实 real:93
真实性 authenticity:63
着色 colorize:49 color:42
瞬态 transient:45
矢量 vector:58 graphics:26
矢量图 vector:44 images:41
知 notification:42 flow:42
知识 knowledge:71 wiki:16
知识库 base:33 dataset:25 knowledge:21
知识库名称 name:90
知识库配置 configuration:90
知识问答 knowledge:60
知道 know:71
矩形 rectangular:32 rectangle:23 roi:22
矩阵 matrix:39
矫正 unwarping:90
短 short:41 shortcode:26
短信 sms:66
短名称 short:90
短期 short:36 lived:30 request:24
短语 phrase:85
石板 slate:57
码 code:74 http:10
码率 bitrate:62 bit:14
研究 research:63
破坏 break:53 damage:17 vandalism:10
破坏性 destructive:55 disruptive:36
破折 dashes:96
破折号 dashes:96
破解 cracking:34 brute:21 force:21 attack:18
硬 hard:59 coded:21 hardcoding:10
硬件 hardware:97
硬性 hard:77
硬盘 disk:72
确保 ensure:47 sure:22 make:20
确保您 make:32 sure:30 ensure:27
确切 exact:89
确定 sure:70 determine:15
确定删除 delete:90
确定性 deterministic:80
确实 sure:86
确认 confirm:70 sure:12
确认删除 confirm:90 delete:60
确认删除吗 confirm:90 delete:90
确认发布 confirm:60 publish:60
确认取消 confirm:90
确认密码 confirm:68 password:68
确认新密码 password:90 confirm:60 new:60
碎片 defragmentation:21 optimize:21
碧 sprite:55 image:22 generating:20
碳 carbon:46 emission:13 gwp:12 inventory:9
磁盘 disk:77
磁盘容量 disk:90
磁盘空间 space:50 free:27
示例 example:74 sample:11
示例代码 code:90
示例消息 example:90
社 social:26 campus:26 options:23
社交 social:87
社交媒体 social:90 media:60
社会 social:85
社会科学 social:90
社保 social:47 security:47
社区 community:77
社群 community:57 organization:22
票 ticket:58 vote:31
票据 ticket:96
票数 vote:70 see:23
禁 forbids:92
禁令 unban:90
禁止 disabled:27 banning:14 prohibited:14 forbidden:13
禁用 disable:89
禁用子网路由 disables:90 subnet:90
禁用实例 deactivate:90 instance:90
禁用工作流 disable:90 workflow:90
禁用所有通知 notifications:90
禁用授权规则 rule:90
禁用数据密钥 data:90 key:90
禁言 mute:25 unmuted:16 muted:13 group:11
福克 islands:84
福利 benefits:89
福林 huf:42 forint:42
离 re:53 closer:39
离开 leave:54 left:22 away:14
离开团队 leave:90
离开房间 leave:90 room:90
离线 offline:82
离线消息 offline:90
离群 outliers:54 whiskers:34
离职 offboarding:29 resignation:12
私 private:27 address:24 ip:14
私人 private:89
私人组 private:90
私人频道 private:90
私信 direct:52 message:33
私密 private:66 secret:19 gist:11
私有 private:75 vpc:15
私有化 certificate:16 ca:16
私有频道 private:90
私聊 direct:47 messages:31 dm:8
私聊消息 direct:90
私钥 private:42 key:38
种 type:94
种子 seed:88
种类 types:76 category:19
科学 science:65 scientific:32
科技 technology:67
秒 seconds:86
秒前 ago:90
秒数 seconds:68 number:17
秒钟 seconds:92
秘 secret:69 key:13
秘密 secret:71
秘密扫描 scanning:90 secret:90
租户 tenant:62 call:10 operation:9
租约 lease:94
租赁 rental:48 rent:41
租赁类型 type:90
积分 credits:60
积极 active:47
称 name:52 field:46
称为 called:36 known:27 referring:12
移 shifting:39 time:33 moved:9
移入 moved:30 move:20 commerce:18 woo:18
移出 removed:78
移动 move:48 mobile:28 moved:17
移动列表 list:90
移动到回收站 move:90
移动到资源库 library:90 move:90 resource:90
移动待办清单 checklist:90
移动消息 move:90
移动端布局 layout:90
移动话题 move:90
移植 portable:67
移至 move:52 moved:43
移除 remove:87
移除一个别名 remove:90
移除容器 remove:90
移除成员 remove:90
移除用户 remove:90
移除策略 remove:90
移除镜像标签 image:90
稀疏 sparse:90
程序 program:28 assembly:17
程序包 package:98
程度 verbosity:31 level:21 low:10 medium:9
稍候 wait:88
稍后 later:85
税 tax:62 incl:36
税收 tax:80
税收分类 tax:90
税款 tax:62 dependents:28
税率 rate:50 tax:45
税费 tax:84
稳定 stable:56 unstable:16
稳定性 stability:97
稳态 serverless:37
空 empty:81
空位 vacant:40
空值 values:38 empty:31 null:28
空心 outline:54 empty:34
空搜索 clear:89
空格 spaces:72 whitespace:8
空格键 bar:56
空白 blank:44 whitespace:28 empty:18
空目录 empty:59
空跑 run:43 dry:30
空闲 idle:88
空间 space:40 namespace:37
空间信息 namespace:29 information:22
空间成员 space:90
空间设置 settings:90
突出 highlight:96
突发 burst:50 performance:16
突破 breakthroughs:85
窗 window:85 maintenance:12
窗体 form:57
窗口 window:90
窗格 pane:100
立刻 immediately:52
立即 immediately:49
立即删除 delete:90
立即安装 install:90
立即添加 add:90
竖 portrait:62 vertical:35
竖向 vertical:57
站 origin:49 server:32
站点 site:62 website:11
站点名称 site:90 name:60
站点的版本号 number:90 version:90 site:60
竞争 contention:96
竞价 spot:48 bidding:20
竞技 competition:66
章节 section:94
端 backend:44 real:12 end:11
端口 port:81
端口号 number:56 port:26
端口映射 routing:37 custom:30
端点 endpoint:64 api:8
端的 backend:70
笔 pen:85
笔记 note:87
笔记本 notebook:62 py:19
笔记本电脑 laptops:68
笔试 written:41 test:37 exam:19
符 emoji:43 placeholder:12
符号 symbol:63 symbolic:10
符号表 table:37 map:27 source:27
符合 meeting:39 match:28
符合条件 specified:24 hana:18 eligible:16 qualifying:15
符合规范 name:63
第 th:19 nth:16 line:14 number:14
第一 first:94
第一个 first:74
第一张 first:84
第一条 first:93
第一次 first:56 time:23
第一步 step:94
第一行 row:29
第一页 page:88
第三 third:59 party:25 rd:10
第三方 party:52 third:28
第三方登录 party:90
第二 seconds:88
第二个 seconds:74
第几 number:71 page:17
第几页 page:58 number:23
第四 th:85
第纳尔 dinar:98
等于 equal:81
等价 equivalent:88
等候 waiting:44 room:36 queue:11
等同 equivalent:92
等待 wait:70
等待中 waiting:60
等待依赖完成 waiting:90 complete:60
等待时间 wait:48 time:33 latency:11
等待线程 thread:90 waiting:90
等效 equivalent:57 collections:18 model:9
等等 etc:81
等级 level:76
等距 distribute:89
答复 reply:48 response:35
答对 scored:90
答案 answer:73 stack:10 exchange:10
策略 policy:88
策略信息 policy:57
策略名称 name:72 policy:72
策略性 strategic:51 patch:38
策略管理 policy:52
策略类型 type:90
筛选 filter:93
筛选值 filter:90
筛选参数 filter:90
筛选条件 filter:64
筛选私信 direct:90 messages:90
签 signing:32 approver:17 signature:12 extra:10
签出 checkout:38 checked:25
签到 check:47 sign:31
签发 issue:61 dns:12
签名 signature:40 signed:39
签名名称 name:90
签名密钥 signing:90
签名者 signer:38 bundles:19 trusted:19 cluster:15
签署 sign:25 kubernetes:11 signer:10
简 jiandaoyun:32 key:21 api:17
简介 profile:38 description:21
简体 simplified:85
简写 shorthand:62
简化 simplify:62 streamline:20
简单 simple:78
简历 resume:81 bio:9
简明 concise:67
简易 easy:67 simple:24
简洁 concise:59 simple:21
简短 short:98
简称 short:20 eip:18 eipv:15 ip:12
简要 brief:90
算 compute:62
算器 calculator:88
算子 operator:90
算术 arithmetic:67 quiz:24
算机 machine:54 computer:38
算法 algorithm:75
算符 selector:72 label:8
管 ipam:78
管员 moderators:82
管控 control:57 access:15 attached:12
管理 manage:76
管理员 administrator:49 admin:42
管理器 manager:67
管理团队 manage:90
管理工作 manage:73
管理工作负载 workloads:90
管理工具 manager:28 kubectl:11
管理成员 members:90
管理文件 via:49
管理权 permissions:77
管理权限 permissions:77
管理模式 management:34 mode:29
管理用户 manage:60 users:60
管理策略 policy:33 pod:20 ready:13
管理系 management:57 system:36
管理系统 management:57 system:36
管理者 wrangler:37 pr:35
管理身份 manage:90
管道 pipeline:36 mps:8 queue:8
箭头 arrow:71 alt:12 command:12
篇 docs:96
篇文章 articles:86
篡改 tamper:31 proofing:25 web:18 lock:14
簇 cluster:71
簿 workbook:32 book:24 excel:10 control:8
籍贯 native:57
米 meters:83
类 class:60 qo:8
类似 similar:67
类别 category:69 type:14
类型 type:90
类型信息 type:88
类型化 typed:90
类型转换 converts:44
类库 library:29 class:23 framework:19 net:18
类目 category:80 meta:18
粉色 pink:78
粒度 granularity:44 grained:12
粗 bold:57
粗体 bold:87
粗细 thickness:24 weight:24 size:24
粘贴 paste:77
粘贴样式 paste:90
精准 precise:41 precision:15 accurately:13 cc:12
精度 precision:48 accuracy:28 accurate:15
精彩 highlights:85
精确 exact:55 accurate:16 precise:14
精简 simplified:54 prune:34
精简版 lite:40
精细 fine:52 grained:36
精选 collection:82 featured:12
糟糕 oops:57 re:18
系列 series:30 collection:18 edition:12 runs:8
系数 coefficient:56
系统 system:89
系统信息 system:90
系统启动 startup:89
系统命令 commands:86
系统属性 system:90
系统异常 error:90
系统提示 system:90
系统文件 system:42 files:39
系统日志 logs:69 system:22
系统服务 system:90
系统消息 system:90
系统漏洞 windows:25 cms:23 web:21 linux:20
系统生成 generated:56
系统用户 system:90
系统盘 disk:82 system:10
系统管理 admin:30
系统管理员 administrator:42 system:38 contact:9
系统配置 system:90
素材 material:54 image:24 media:10
素材库 library:80 items:11
素材标签 tag:90
索引 index:84
索引名称 index:90 name:90
索引首位 index:90
紧凑 compact:96
紧急 urgent:67
紧急通知 emergency:61 obtain:23
紫色 purple:82
累积 cumulative:92
累计 cumulative:56 total:42
红 badge:54 red:34
红色 red:93
约定 conventions:53
约旦 jordanian:42
约束 constraints:64 pod:12 constrains:9
约束推理 xhigh:33 high:20 constrains:19
级 level:65
级别 level:84
级联 cascading:57 deletion:29
纬度 latitude:60 lat:14
纯 plain:50 pure:27 html:9
纯文本 text:90 plain:60
纯模型对战 model:90 pure:90
纳 ipam:64
纳税 tax:92
纳税人 invoice:57
纵向 vertical:46 portrait:21
纵横 aspect:45 ratio:42
纹理 textures:85
线 line:28 timeline:28 online:23
线下 offline:67 premises:24
线图 chart:49 line:43
线性 linear:92
线条 line:75
线程 thread:83
线网 network:48 wireless:36
线路 line:60
练习 exercise:48 pod:16 practice:15
组 group:95
组件 component:77
组件名称 component:90 name:90
组合 combination:55 rule:8
组成 group:41 consists:32
组成员 group:61 memberships:13 members:10
组播信息 multicast:90
组策略 group:94
组织 organization:73
组织不存在 organization:90
组织全名 full:90 name:90
组织描述 description:90
组织管理员 organization:90
组织设置 settings:90
组网 epn:22 instance:16 vswitches:12 switches:9
细 fine:34 thin:34 light:21
细分 subdivided:67
细化 granular:90
细粒 fine:46 grained:40
细粒度 fine:46 grained:40
细节 details:89
终 desired:64
终止 terminate:47 termination:14 stop:9
终止任务实例 task:90 instance:60
终止任务批次 group:90 run:90
终止作业 job:60
终止迁移任务 task:90
终止运行 running:60
终端 endpoint:48 terminal:32
终端用户 end:95
终端设备 user:57
终结 finalizers:84
经典 classic:57 endpoint:11
经办 operator:47 match:37
经办人 operator:47 match:37
经历 title:36 description:28
经常 frequently:92
经度 longitude:92
经济 economics:36 finance:29
经理 manager:97
经纬 longitude:33
经纬度 longitude:33
经验 template:52 experienced:34
绑 unbind:43
绑定 bind:39 bound:30
绑定云资源 cloud:90 resource:90 binds:60
绑定安全组 group:90 security:90
绑定密钥对 key:90
结合 combined:49
结尾 end:80
结束 end:77
结束于 ends:90
结束会议 end:90 meeting:90
结束其他规则 end:90 rules:90
结束录制 recording:90
结束日期 date:90
结束时间 end:68 time:45
结构 structure:57 schema:14 struct:11
结构化 structured:28 structural:15 unstructured:10
结构图 chart:43 org:41
结果 results:92
结果数量 count:90
结果显示 shows:36 output:19 pod:16
结果表明 output:35 shows:22
结算 settlement:40 billing:31
结论 conclusion:39 completed:22 success:14 failure:13
结账 checkout:86 pre:11
绕过 bypass:93
绘 aigc:45 conversion:26 redrawing:22
绘制 draw:55 plot:13
绘图 diagram:61 draw:24 io:12
绘画 view:31 cog:30 dall:14
给出 given:41 url:30
给定 given:92
给资源打标签 resources:90
绝对 absolute:74
绝对值 value:42 number:26
绝对路径 absolute:52 path:32
统一 unified:65
统管 system:44 administrator:35 admin:9
统计 statistics:59
统计开始时间 start:90 statistics:90 time:90
统计数据 statistics:50 stats:18
统计结束时间 end:90 statistics:90 time:90
继承 inherited:88
继续 continue:70 proceeding:9
继续执行 continue:47 rebase:43
继续编辑 editing:90 continue:60
绩效 performance:76
续 continuation:57
续写 continuation:82
续期 renew:81
续订 renew:59 renewal:23
续订于 renews:90
续费 renewal:40 renew:31
续费云硬盘 cloud:90 disks:90
续费周期 renewal:90
续费实例 instance:60 renew:45 renews:45 instances:30
续费时长 renewal:90
续费询价 price:90 renewal:90
续费集群 cluster:90
维 operation:31 maintenance:17
维基 wikipedia:70 wikidata:9
维基百 wikipedia:83
维基百科 wikipedia:83
维度 dimension:64
维护 maintenance:61 maintain:18
维护人员 maintainer:90
维护者 maintainers:97
综合 comprehensive:50 agent:12
综合信息 feed:49 combined:45
绿 green:57
绿色 green:94
缓冲 buffer:98
缓冲区 buffer:73
缓存 cache:92
缓存数据 data:47 cache:40
缓存配置 cache:90
缓解 mitigate:78
编写 write:54 written:20
编制 compilation:27 workforce:27 xxx:22
编制规划设置 planning:90 settings:90
编号 number:72
编排 orchestration:60 arrangement:13 scheme:12 development:8
编码 encoded:48 base:21 code:12
编码方式 encoding:84
编程 programming:81
编程语言 language:57 programming:36
编组 selection:35
编者 editors:95
编译 compile:65 build:8
编译器 compiler:63 rust:9
编辑 edit:92
编辑个人资料 edit:90 profile:90
编辑事件 edit:90
编辑于 edited:90
编辑值 edit:90
编辑变量 edit:90
编辑名称 edit:60
编辑器 editor:79
编辑团队 edit:90
编辑图标 edit:90
编辑实例 instance:90
编辑客服 edit:90
编辑密钥 edit:90
编辑属性 edit:90
编辑工具 edit:90
编辑应用 edit:90
编辑成功 successfully:90
编辑房间 edit:90 room:90
编辑投票 edit:90
编辑提示 edit:90
编辑条目 edit:90
编辑标签 edit:90
编辑标签表 edit:90 table:90 tag:90
编辑消息 edit:90 message:45
编辑环境 environment:90 edit:45
编辑用户 edit:90
编辑用途 edit:90 purpose:90
编辑策略 edit:90 policy:90
编辑类别 category:90 edit:90
编辑组 group:88
编辑者 editors:98
编辑自动回复 canned:90 edit:90
编辑节点池 node:90 pool:90
编辑草稿 draft:90 edit:90
编辑角色 role:90
编辑选项 edit:90
编辑配置 configuration:68 edit:68
编辑集群 edit:90
编辑频道标题 channel:90 header:90
缩 scaling:59
缩写 abbreviation:53 initials:13 abbreviate:12
缩减 scaling:41
缩小 scaling:19 zoom:17
缩放 zoom:62 scale:18
缩略 thumbnail:41 downsampled:30
缩略图 thumbnail:74
缩短 shortened:85
缩进 indent:90
缴费 person:76
缺 missing:94
缺失 missing:96
缺少 missing:82
缺少以下选项 missing:90 options:45
缺少参数 missing:90
缺省 default:65
缺省值 value:76
缺货 stock:25 back:24
缺陷 vulnerability:43 bug:32
网 private:33 network:19 ip:14
网关 gateway:73 nat:8
网关类型 gateway:90 type:90
网卡 eni:33 interface:24 network:21
网址 url:80
网格 mesh:32 asm:25 instance:19 grid:15
网格布局 grid:90
网桥 bridge:94
网段 cidr:30 block:24 range:11 ip:8
网站 website:55 site:12
网站名称 name:90
网络 network:72
网络协议 protocol:33
网络地址 network:59
网络带宽 domain:25 bps:22 one:17 dcdn:13
网络应用 web:54 application:26
网络拓扑 network:89
网络接口 interface:58 cni:11 live:10
网络搜索 search:90
网络攻击 attack:40 network:28 obtain:28
网络流量 traffic:42 one:22 network:17
网络策略 network:90
网络设备 classiclink:89
网络资源 network:95
网络连接 connection:40 internet:24 network:18 connectivity:13
网络适配器 network:86
网络通信 ncd:90
网路 route:50 subnet:36
网页 web:56 page:17 webpage:14
网页内容 page:74
网页搜索 web:90 search:60
罗斯 russian:57
置 configure:42 set:30
置于 move:31 front:22
置于底层 back:60 move:60
置于顶层 front:45 move:45 top:45
置信 confidence:96
置换 replaced:90
置放 placement:74
置顶 pin:51 top:17 unpin:12
美元 usd:30 dollar:30
美化 prettify:44
美国 united:39 states:39
群 group:71 chat:15
群主 owner:43 group:21 everyone:17 options:15
群体 group:85
群岛 islands:98
群组 group:90
群组提及 group:90
群组设置 group:90
群聊 group:46 chat:46
群集 cluster:74
翻译 translation:54 translate:35
翻译内容 translate:90
翻译成 translate:90
翻译文本 text:90
翻转 flip:68
翻页 page:40 pagination:24 turn:12 token:11
老 old:96
老师 teacher:72
老挝 lao:38 people:24
老版 data:20 instance:16 synchronization:15 change:12
考勤 attendance:76
考勤机 machine:54
考勤组名称 attendance:90 name:90
考虑 consider:72
者 subscribers:35 reviewers:19
而且 must:88
而为 best:59
而是 contact:24 instead:20 api:15 set:14
而言 dns:56
耐心 take:48 patient:25
耗时 time:36 duration:22 latency:10
耦 decouples:52
耦合 coupled:97
聊 chat:55 message:34
聊天 chat:90
聊天室 room:86 omnichannel:13
聊天室已归档 archived:90 room:90
聊天记录 transcript:70 pdf:14
职 onboarding:28 grade:17 job:15
职业 profile:81
职位 job:64 position:18
职位描述 description:90
职务 job:65 profile:18 title:11
职场 job:48
职级 level:41 job:41 ranking:10
联合 merged:84
联盟 federated:42
联系 contact:85
联系人 contact:69
联系人备注 contact:90
联系人姓名 contact:90 name:90
联系人已创建 contact:90 created:90
联系人已更新 contact:90 updated:90
联系人标签 contact:90
联系人电话 contact:90
联系人的名字 contact:90 first:90 name:90
联系人的姓氏 contact:90 last:90 name:90
联系人的职位 contact:90 job:90 title:90
联系人职位 contact:90 person:60 position:60
联系信息 contact:90
联系方式 contact:43 information:42
联系电话 number:89
联系销售 sales:60
联络 contact:87
联网 ccn:56 web:14
联网搜索 search:90 web:90
联通 connectivity:38 checks:25 connection:24
联邦 federation:37 federated:35 matrix:8
聘 rehire:90
聚 cluster:69 aggregation:9
聚合 aggregation:31 aggregate:25 recording:9
聚焦 focus:36 zeiss:13
股票 stock:74
股票代码 symbol:58 ticker:35
肤色 skin:46 tone:41
背 background:34 check:21
背景 background:92
背景图 image:45 background:27 url:13
背景图片 image:51 background:42
背景色 color:39 background:36
背调名称 name:90
背调结果 results:90
能力 capabilities:40 ability:20 ai:10
能够 able:22 enables:21
能指 metrics:48 performance:39
脏 dirty:96
脏话 bad:45 words:45
脑 ai:85
脚本 script:74
脚本内容 content:90 script:90
脚本类型 script:90
脱敏 masking:36 dmask:12 data:12 de:10
脱机 offline:96
脸 face:54 custom:22
腾空 drain:96
腾空节点 drain:90 node:90
腾讯 tencent:63
膨胀 bloat:90
自 self:75
自主 agent:90
自从 since:66
自动 automatically:38 auto:32 automatic:20
自动化 automation:53 automated:28
自动录制 auto:90
自动换行 wrap:90
自动播放 autoplay:95
自动更新 refresh:30 update:22 automatically:22 auto:20
自动检测 detected:52 auto:34
自动编码 turned:42 code:30 automatic:22
自动翻译 auto:60 translation:60
自动识别 identify:40 ch:24 automactically:24
自动选择 auto:90
自动隐藏 auto:46
自助 self:72 open:14
自变量 independent:24 pairs:24 dependent:24
自定 custom:82
自定义 custom:82
自定义主题 custom:90 theme:90
自定义内容 content:60 custom:60
自定义参数 custom:60
自定义名称 name:90
自定义域名 custom:90 domain:90
自定义字段 custom:90
自定义属性 custom:45 properties:45
自定义并行度 parallelism:90
自定义插件 custom:90
自定义数据表 custom:90 table:90
自定义日期 custom:90
自定义模板 custom:90
自定义类型 type:90
自定义脚本 custom:90
自定义角色 custom:60 role:60
自定义通知 notifications:90
自定义链接 custom:90
自定义集成 custom:90
自己 yourself:23
自愿 voluntary:61 involuntary:25
自我 self:49 agent:17 refine:16 healing:11
自托管 self:90
自有 private:20 self:18 owned:18 cert:14
自然 natural:86
自然对数 logarithm:73
自然语言 language:26 natural:20 mcp:15 sql:9
自由 free:58 freely:16
自行 self:21
自述 readme:63
自选 selected:33 custom:30
至 mattermost:14
至今 till:39
至少 least:55 one:36
至少一个数字 least:90 one:90
至此 added:95
舍入 rounds:74
航点 waypoint:92
舰队 hub:12 master:10 container:8 ack:8
良好 good:58 well:12 webhook:11
色 color:61 scale:16 secondary:10
色彩 color:93
色调 hue:78
艺术 artist:67 art:24
艺术家 artist:67 spotify:22
艾 mentioned:90
节 section:86
节数 bytes:33 number:28
节流 throttling:90
节点 node:87
节点上的路径 node:90 path:90
节点信息 information:90 node:60
节点关机 nodes:90
节点列表 list:54 nodes:54 node:36
节点名称 name:90
节点标签 node:90
节点状态 node:90
节点类型 type:90
节目 episode:67 list:14
节目单 list:37 carousel:13 program:13 playback:10
节省 savings:40 save:21 reduce:13
花费 spent:72
若 true:16 one:12
若干 several:96
英 english:53 chinese:38
英文 english:64 letters:9 en:8
英文名 name:47 english:41
英文名称 english:64
英文字 letters:40 english:36
英文字母 letters:40 english:36
英特 intel:71
英特尔 intel:71
英语 english:90
英镑 sterling:21 gbps:21 pound:21 british:21
苹果 apple:90
范化 normalize:29 canonicalization:24
范围 range:61 scope:22
范式 schema:95
草稿 draft:86
药物 drug:86
荷兰 dutch:51
获取 get:42 obtain:22 queries:12
获取主机列表 hosts:90 list:90
获取主题列表 list:90 topic:90
获取主题属性 attributes:90 topic:90
获取任务代码 code:90 task:90
获取任务列表 list:64 task:39
获取任务状态 status:90 task:90
获取任务详情 get:68 details:45 job:45 task:45
获取信息 information:88
获取健康得分 health:90 score:90
获取公钥 key:90 public:90
获取凭据值 secret:90 value:90
获取函数列表 functions:68 list:68 queries:45
获取分组结构 group:90
获取发送详情 details:90 sending:90
获取变量列表 list:90 variables:90
获取告警设置 alarm:90 settings:90
获取域名信息 domain:90 information:60
获取域名列表 domains:90 list:60
获取域名日志 domain:90 log:90
获取域名权限 domain:90 permissions:90
获取失败 failed:90
获取实体详情 entity:90
获取实例列表 list:72 instances:54 instance:36
获取实例属性 attributes:90 instance:90
获取实例详情 get:90 instance:90
获取实验列表 experiment:60 list:60
获取实验详情 experiment:90 get:90
获取密钥值 value:90
获取巡课列表 room:90 spectators:90
获取并发计数 concurrency:90 count:90
获取应用信息 application:90 get:68 information:45
获取应用列表 list:90 applications:54 application:36
获取应用详情 application:90
获取所有表格 get:90 tables:90
获取拒答问题 get:90 rejected:90
获取插件列表 list:60 extensions:30 plugins:30 queries:30
获取操作日志 logs:90 operation:60
获取数据 data:24 queries:24 list:11
获取数据集 dataset:90
获取日志列表 gets:90 list:90
获取日程列表 list:90
获取服务列表 list:90 services:90
获取服务详情 service:90
获取标签列表 list:90 tag:60
获取模块列表 list:90
获取模型信息 information:90
获取模型列表 list:90 get:60 model:45 models:30
获取模型版本 model:90 version:90
获取模板详情 details:90
获取水印设置 settings:90 watermark:90
获取消费者 consumer:90
获取漏洞列表 list:90 vulnerability:90
获取漏洞详情 details:90 vulnerability:90
获取特征向量 feature:90 retrieve:90 vector:90
获取环境列表 environments:90 list:90
获取环境状态 environment:90 status:90
获取用户信息 user:90 get:54 information:36
获取用户列表 list:90
获取用户类型 types:90 users:90
获取用户配置 user:90
获取策略 policy:90
获取策略场景 policy:90 scenario:90
获取策略模板 policy:90
获取策略详情 details:90 policy:90
获取索引列表 list:90 index:45
获取组件列表 list:90 component:45 components:45
获取群组列表 groups:90
获取节点列表 list:90 node:45 nodes:45
获取表信息 get:90
获取表列表 list:90 tables:90
获取表格标签 table:90 tags:90
获取规则列表 list:90 rule:90
获取角色列表 list:79 roles:56 role:34
获取角色详情 role:90 details:60 get:60
获取记录信息 information:90 record:90
获取证书信息 certificate:90 information:90
获取证书列表 list:68 certificate:45 ssl:45
获取证书详情 certificate:90 details:90
获取评论列表 list:90
获取评论详情 commented:90
获取账号列表 accounts:90 list:90
获取账户信息 account:90 information:90
获取账户标签 account:90
获取资源列表 list:90 resource:60
获取运行事件 events:90
获取连接列表 connections:90
获取邮件配置 configuration:90 email:90
获取镜像信息 image:68 describe:45 information:45
获取镜像列表 images:90 list:90
获取阻断地域 block:90 region:90
获取集群信息 get:72 information:72 cluster:36 instance:36
获取集群列表 clusters:72 list:72
获取集群规模 cluster:90 model:90
获取集群详情 cluster:90 details:90
获取项目 get:90
获取项目信息 project:90 get:60 information:60
获取项目列表 get:45 list:45 lists:45 project:45
获取验证码 code:90 get:90
获得 obtained:38 get:26 describe:8
获得最佳 optimal:56 best:20
菜单 menu:83
菱形 rhombus:42 diamond:42
菲律宾 philippine:68
营业 business:57 hours:40
营业时间 hours:55 business:41
营利 profit:87
营商 isp:33 provider:17 internet:16 service:14
营销 marketing:80
落后 behind:83
葡萄 portuguese:50
葡萄牙 portuguese:50
葡萄牙语 portuguese:84
蒙 mask:78
蓝 blue:85
蓝牙 bluetooth:78
蓝绿 mode:50
蓝色 blue:83
薪 salary:72
薪资 salary:46 compensation:24 component:9
虚 virtual:59 network:34
虚拟 virtual:72
虚拟主机 virtual:46 host:40
虚拟化 virtualization:39
虚拟机 machine:45 vm:26
虚拟环境 python:36 virtual:21
虚拟集群名称 cluster:90 name:90 virtual:90
虚线 dotted:44 line:31 manager:13 dashed:9
虽然 although:56 though:22 pod:16
蚂蚁 ant:35 ling:35
蜜罐 honeypot:67 honey:8 pot:8
蜜罐镜像名称 honeypot:90 image:90 name:90
融合 fusion:75
血缘 lineage:94
血缘关系 lineage:52 relationships:40
行 rows:53 line:39
行业 industry:81
行为 behavior:71 behaviour:10
行内 inline:85
行内代码 code:90
行列 row:48 column:48
行动 action:76
行号 number:48 line:36 row:13
行将 line:88
行尾 endings:27 line:27 unix:15 dos:8
行度 parallelism:90
行情 quotes:73 market:20
行政 administrative:28 region:21
行政区 administrative:29 region:21
行数 number:31 page:21
行文 executable:54 binary:18 kubectl:9 netsdk:8
行状 health:90
行者 collaborator:53 actor:22
行距 line:49 spacing:49
行高 height:90
街道 street:62
衡器 balancer:43 load:36
衡量 measure:96
补 replenishment:21 backfill:20 supplementing:16 correction:16
补丁 patch:82
补充 supplementary:24 supplementing:18 additional:16 top:10
补全 completion:28 autocomplete:21 shell:9 kubectl:8
补录 supplementary:36 supplementing:24 backfill:16
补录任务集合 collection:90 task:90
补数 complement:68
表 table:75 worksheet:9
表列 column:49 table:42
表单 form:80
表单编辑 form:90
表名 table:90
表头 header:98
表字 table:61 column:33
表情 emoji:65 reaction:19
表情符号 emoji:88
表明 indicate:50 shows:24 pod:15
表格 table:68
表格文本 table:90
表现 top:52 performed:39
表盘 dashboard:71
表示 indicates:35 represents:19 means:18
表结构配置 configuration:90 table:90
表达 expression:60
表达式 expression:62 pattern:8
被举报消息 message:90 reported:90
被动 passive:94
被叫 called:79
被叫号码 number:90
被封禁 banned:90
被移除 removed:90
被解封 unbanned:90
被遗弃 abandoned:85
被邀请 invited:90
裁判 scoring:64
裁剪 crop:73 clip:19
裁剪比例 ratio:90
裂变 fission:46 ai:46
装入 mount:90
装箱 packing:40 bin:29 boxed:13 argument:12
装饰 decoration:57
裸 bare:78
西亚 malaysian:84
西班牙 spanish:54
要上传的文件 file:90 upload:90
要么 either:96
要删除的标签 delete:90
要求 requirements:84
要点 key:85
要素 element:39 verification:29 factor:16 two:10
覆盖 overwrite:37 override:36
覆盖率 coverage:51 describe:24 total:18
见 see:56 shown:14 performed:10
见到 see:85
观众 audience:57
观察 observe:48 set:12 stateful:9 watch:8
观测 observability:23 observation:14 managed:11
观看 watch:78
规划 planning:84
规则 rule:93
规则内容 content:90 rule:90
规则列表 list:90
规则名称 name:90 rule:60
规则描述 description:90
规则标签 rule:90 tag:90
规则类型 rule:90 type:90
规则组 rule:90
规则详情 details:90
规定 constraints:29 violations:24
规格 specifications:50 type:14
规模 scale:52 size:27
规约 spec:33 specification:32 pod:30
规范 specification:32 spec:13 guidelines:13
规范化 normalize:29 canonicalization:24
视 viewport:92
视为 treat:50 considered:39
视图 view:95
视觉 visual:45 vision:39 llm:11
视觉效果 visual:89
视角 perspective:77 queries:20
视频 video:85
视频会议 conference:60 call:15
视频房间 video:90
视频文件 video:44 file:42
视频时长 duration:90
视频流 stream:73
视频点播 apsara:93
视频理解 video:90
视频生成 generation:90 video:90
视频通话 call:90 video:90
角 badges:90
角度 angle:91
角色 role:83
角色修改 role:90
角色列表 list:90
角色名 role:90
角色名称 name:90 role:90
角色名称数组 array:90 role:90
角色扮演 playing:95
角色描述 description:90 role:90
角色管理 role:90
角色绑定标签 role:90 tags:90
角色解绑标签 role:90 tags:90
解 unbind:32 removes:16 disassociates:12
解决 resolved:47 resolution:16 solve:16 unresolved:9
解决方案 solution:87
解决问题 conversation:85
解冻 restores:54 thawing:34
解冻媒资 media:90
解压 decompress:25 extract:21 uncompress:16 decompression:9
解压缩 extract:32
解密 decrypt:70 decryption:12
解封 unblocking:49 unbanned:31 ip:16
解散 disbanded:27
解析 parsing:47 dns:15 resolve:10
解析器 parser:64 resolver:17
解析方法 method:45 parse:45 parser:45
解析错误 error:90 parsing:60
解码 decode:63 base:11
解禁 unblocks:35 ip:32 block:21
解绑安全组 group:90 security:90
解绑成功 unbind:90
解绑目标 targets:90
解释 interpretation:33 explain:32 explanation:14
解释器 interpreter:58 shell:21
解锁 unlock:90
解除 unbind:20 disassociates:17 remove:11
解除锁定 unlock:90
触发 trigger:77
触发器 trigger:63
触发器名称 name:90 trigger:90
触发器类型 trigger:90 type:90
触发条件 conditions:60 trigger:60
触发类型 trigger:90 type:90
言 key:38 yiyan:24
誤 errors:90
警告 warning:88
警报 alert:84
警示 danger:85
计 sub:31 total:30 subtotal:23 discounted:11
计入 counted:55 towards:40
计划 plan:59 scheduled:26
计划任务 scheduled:60 tasks:60
计数 count:63
计数器 counter:98
计时 timer:61 keep:20
计时器 timer:96
计算 calculates:34 compute:32
计算器 calculator:88
计算机 machine:54 computer:38
计算环境 compute:66 environment:22 creation:8
计算资源 computing:72 resource:26
计费 billing:56
计费数据 query:87
计量 metering:31 measurement:12
订单 order:88
订单创建 order:90
订单参考 order:90
订单号 number:35
订单摘要 order:90 summary:90
订单数组 array:90
订单数量 order:90
订单状态 status:90
订单编号 order:90
订购 ordered:49 reorder:40
订阅 subscription:49 subscribe:25
订阅事件 events:60 subscribe:60
订阅通讯 newsletter:90
订阅里的计划 subscription:90
认为 considered:68 thinking:29
认证 authentication:51 auth:14 authenticate:11
认证名称 name:90
认证方式 authentication:60
认证方法 authentication:90
认证源 authentication:90
认证码 code:90
认证类型 type:90
认证错误 error:90
认识 recognize:47 know:47
讨论 discussion:70 talk:18 discuss:9
讨论串消息 thread:90
训练 training:82
训练任务 job:63 list:27
议题 issue:96
议题评论 issue:90
讯 spark:84
记 recorded:66 minutes:22
记下 note:45 make:45
记住 remember:65 mind:12 keep:11
记录 record:82
记忆 memory:83 bank:10
记忆库 memory:90
讲述 explains:55 page:36
许可 license:88
许可证 license:78
许可证元数据 license:90 metadata:90
许可证密钥 key:90 license:90
许多 many:83 kubernetes:11
论坛 forum:83
论文 paper:65
论者 commenter:90
设 true:39 set:28 mattermost:12 make:11
设为默认 default:90 set:60
设备 device:87
设定 set:68
设施 infrastructure:45 infra:41
设置 set:79
设置为管理员 admin:90
设置主题 set:90
设置域名备注 domain:90 remarks:90
设置备份策略 backup:90 policy:90
设置实例属性 attributes:90 instance:90
设置已更新 updated:90
设置提醒 reminder:90 set:90
设置水印 watermarks:90
设置状态 set:90 status:90
设置用户密码 password:90 user:90
设置自动续费 auto:90 renewal:90
设置记录备注 record:90 remarks:90
设置详细级别 level:90 verbosity:90
设置说明 instructions:90
设置颜色 color:90 set:90
设计 design:82
访客 guest:70 visitor:23
访问 access:84
访问令牌 access:90 token:90
访问历史 history:90
访问密码 access:90 password:60
访问密钥 access:90 key:60 secret:60
访问控制 acl:31 control:18 list:12 access:10
访问模式 access:90
访问者 visitors:93
访问量 view:85
证书 certificate:65
证书内容 certificate:90
证书所在地域 certificate:90 region:90
证书私钥 certificate:90 key:90 private:90
证书链 chain:90
证件 documentation:46 national:28 certificate:15
证件到期日期 date:90 expiration:90
证件号码 identification:47
证件签发日期 date:90 issue:60
证件签发机构 documentation:60 issuing:60
证件类型 type:90
证号 number:81 card:15
证明 prove:32 attestor:12 witness:12 proofing:12
评 review:59 external:28
评价 review:26 feedback:19 evaluation:11
评估 evaluation:40 evaluate:30 assessment:9
评分 score:51 rating:28
评审 review:70 reviewers:10 dismissed:8
评测 evaluation:83
评级 ratings:94
评论 commented:80
评论内容 commented:90
评论已删除 commented:90 deleted:90
评论者 commenter:90
评阅 review:52 reviewers:41
识别 recognition:42 recognized:17 identify:11
识别模式 recognition:50 end:41
识别窗口 identify:90
诊断 diagnostic:60 diagnosis:20 diagnose:10
诊断系统 call:38 sql:36 operation:21
词 prompt:54 word:27
词典 dictionary:21 advanced:14 dicts:12
词库 lexicon:48 hotword:23 repo:14
词条 entry:32 entity:26 terms:20 word:10
词汇 words:43 vocabulary:27
词汇表 glossary:61
词组 passphrase:96
词语 words:81
译文 english:24
试 try:83 later:9
试卷 paper:70
试听 audition:56 preview:20
试图 attempted:40 trying:36 oauth:13
试用 trial:73 try:9
试用期 period:52 probation:43
试用期时长 duration:60 period:60 trial:60
试试 try:72
试运 test:39 run:31 dry:12
试运行 test:39 run:31 dry:12
试运行输入 input:90
试验 experimental:93
试验场 playground:85
试验性 experimental:54
话 session:64 conversation:22
话机 telephone:34 phone:28 sip:28
话题 topic:64 thread:35
询价 price:44 queries:39
询问 ask:75
该会 conversation:91
该区 block:88
该参数已废弃 parameter:90
该看板 board:90
该组 group:75 subgroup:22
该行 row:91
该项 items:50 project:42
详 billing:57
详情 details:75
详情请 earlier:19 api:19 see:18 version:16
详情页 page:84
详细 details:78
详细信息 details:57 queries:16
详细描述 detailed:50 description:46
详见 see:52 details:22 iso:10
语 yuque:24
语义 semantic:91
语句 statement:61 sql:13
语料 corpus:28 speech:28 playback:28
语气 tone:96
语法 syntax:66
语法错误 syntax:46 errors:40
语法高亮 syntax:90
语种 language:82
语系 native:28 scripts:17 latin:16 line:15
语言 language:72
语言选择 language:90
语调 tone:92
语音 voice:54 speech:20 audio:12
语音广播 voice:90
语音输入 voice:60
语音通话 call:90
误信 error:47 message:33
误报 bug:45 android:24
误码 code:62 error:18
说明 instructions:27 description:25 caption:10 note:8
说话 speaking:37 speaker:27
请上传训练集 set:90 training:90 upload:90
请假 leave:62
请勿 deserializer:11 insecure:9
请勿打扰 disturb:95
请参阅 see:55 documentation:14 refer:14
请填写 value:90
请求 request:91
请求体 body:60 request:60
请求参数 parameters:51 request:39
请求变更 changes:90 requested:60
请求后脚本 post:90 request:90
请求头 header:45 headers:45 request:45
请求头参数 header:90
请求接口 api:90
请求方式 method:60 request:60
请求方法 method:90
请求状态 status:90
请求类型 type:60
请求超时 request:90
请求路径 path:90
请求配置 request:90
请稍等 wait:80
请输入 input:54 enter:36
请输入值 type:90 value:90
请输入关键词 enter:90
请输入内容 content:72 enter:72
请输入参数值 enter:90 parameter:90 value:90
请输入名称 name:64 input:51 enter:39
请输入密码 password:90 enter:36 input:36
请输入手机号 enter:60 number:60 phone:60
请输入描述 description:90 enter:54 input:36
请输入数字 number:90 enter:45
请输入新密码 password:90 new:68 enter:45 input:45
请输入昵称 nickname:90
请输入标签 enter:90 tag:60
请输入标题 title:90
请输入消息 enter:90 message:90
请输入版本号 version:90 enter:60 number:60
请输入用户名 username:72 enter:36 input:36
请输入类型 type:90
请输入网址 enter:90 url:90
请输入邮箱 email:90 enter:54 input:36
请选择 select:68
请选择一个 one:90 select:90
请选择一项 select:60
请选择变量 select:90 variable:90
请选择成员 member:90 select:90
请选择文件 file:90 select:90
请选择时区 timezone:60
请选择租户 select:90 tenant:90
请选择类型 select:90
请选择角色 role:90
请选择语言 language:90 select:90
请选择项目 project:90 select:90
读 unread:40 read:39 readable:9
读写 write:45 read:42
读取 read:80
读取器 reader:68
读取数据 read:41 data:31
读取文件 file:60 read:60
读取模式 mode:90
读取行数 rows:90
读权限 read:90
读者 readers:79
课 spectators:68
课件 courseware:31 documentation:25 user:20
课件权限 access:90
课堂 room:73
谁 streams:20 administer:15
调 background:36 check:31 backtone:10
调取 substitute:44 argument:24 latest:20
调度 scheduling:55 pod:13
调度策略 scheduling:90
调整 adjust:58 resize:19
调查 survey:50 investigation:25 investigate:18
调用 call:21 queries:17
调用执行函数 function:90
调用方式 method:90
调用者 caller:90
调色 palette:55
调色板 palette:55
调薪 compensation:39 adjustment:39
调试 debug:82
调试信息 debug:36
调试器 debugger:78
调试模式 debug:49 mode:45
调试程序 debugger:68
调试窗口 debug:90
调试结果 debugging:90
调试节点 debug:90
谓词 predicate:45 verb:45
谢谢 thanks:98
谨慎 caution:54 proceeding:24 carefully:12
谱 zhipu:78
谷 google:93
豁免 exemptions:45 exempt:45
豆包 bean:24 doubao:21 bag:13 bot:9
資 resources:90
负 negative:42 divided:14
负数 negative:60 number:27
负荷 workload:96
负责 responsible:30 etc:17 owner:10 person:10
负责人 person:20 charge:19 owner:15
负载 workload:38 load:29 balancer:9 clb:8
负载平衡 load:91
负面 negative:69 avoided:26
贡献 contributions:57 contributing:33
贡献者 contributor:94
财务 financial:30 cost:27 center:20
财经 finance:67
责人 person:20 charge:19 owner:15
责任 owner:26 person:17 responsibilities:12
责任人 owner:34 person:23 responsible:14 charge:12
账 cycle:54 billing:38
账单 billing:85
账号 account:86
账号名称 account:90 name:45
账号密码 account:45 password:44
账号融合 accounts:90
账号设置 account:60
账户 account:68
账户名 account:90
账本 ledger:41
货币 currency:73 cryptocurrency:9
货币化 message:34 billing:32 user:23
货币币种 currency:90
质检 quality:49 inspection:49
质量 quality:71 data:10
购 purchased:48
购买 purchase:69 buy:8
购买实例数量 instances:90 number:90 purchase:45 purchased:45
购买迁移任务 migration:90
购物 cart:60 shopping:31
购物车 cart:86 items:11
购物车为空 cart:90 empty:90
贴板 clipboard:76 copy:20
贴纸 sticker:98
贵 expensive:57
费 billing:89
费用 cost:29 fee:20 price:13
资 media:56 assets:25
资产 asset:81
资产标签 asset:90
资产类型列表 asset:90 list:90
资料 profile:77
资料库 library:92
资格 membership:68
资源 resource:92
资源事件 events:60
资源共享 sharing:56 resource:34
资源分配 allocation:60 dra:20
资源名 name:90 resource:90
资源库 library:90
资源库音色 library:90 voice:60
资源标签 resource:90
资源标签列表 resource:90
资源池 pool:60
资源的标签 resource:90 tags:90
资源的标签键 tag:90
资源管理 explorer:43 windows:28 resource:13
资源详情 resource:90
资源转组 resource:60
资源配置 configuration:52 resource:30
资讯 information:59 news:36
赋予 assigned:92
赋值 assigned:62 value:31
赖于 depends:36 relies:24
赞 stars:42 likes:28
赞助 sponsored:37 sponsorship:32 zulip:16
赠送 free:64
走 leave:32 early:30 walking:25
走势 trend:59
起 hold:32 suspended:12 start:11 pending:8
起价 starting:90
起始 start:72
起始值 value:43 number:32 page:18
起始偏移位置 offset:90 position:90 start:90
起始日期 date:90 start:90
起始时间 time:72 start:54 query:36
起始页 page:50 number:28
起来 named:38 relates:35
起止 start:61
起点 start:70 point:18
超 ultra:35 value:20
超出 exceeds:42 exceeded:34
超时 timeout:65
超时告警 timeout:90
超时时间 timeout:90
超时设置 timeout:90
超级 super:73 superuser:11
超过 exceeded:37
超链接 hyperlink:95
越 higher:41 better:12 larger:11
越南 vietnamese:52
趋势 trend:90
足以 enough:93
足够 enough:55 sufficient:23
足迹 footprint:78
跑 rerun:95
距 margin:65 padding:27
距离 distance:54 since:12
跟 sql:33 followed:26
跟踪 tracking:59 trace:11 trail:8
跟进 following:50
跟随 follows:33 default:11 auto:10 selects:10
跟随系统 system:90
跨 cross:46 across:19
跨境 cross:46 border:46
跨平台 cross:77
跨度 span:70
路 stream:87
路上 go:90
路径 path:88
路数 number:47 channels:33
路由 route:77
路由器 router:52 transit:33
路由地址 path:90
路由的域名 domain:90 route:90
路由表 table:76 route:11
跳 skip:73 jump:8
跳转 jump:43 redirect:18
跳转至 jump:90
踢 remove:43 kick:40
踩 dislikes:64
身 verification:84
身份 identity:63
身份类型 identity:90 type:90
身份证 card:80
身份证号 number:35 validate:27
身份证类型 card:90 type:90
身份验证 authentication:41 authenticating:17 auth:8
车 sidecar:68 init:12
车辆 vehicle:62
轨迹 trace:54
转 go:29 transfer:23
转为 convert:77 change:13
转义 escape:86
转交 transfer:82
转交审批任务 transfer:90
转储 dump:75 crash:8
转到 go:90
转动 animated:42 generating:40
转包 billing:36 change:31
转化 converts:55
转化成 converts:41 bitmap:40
转发 forwarding:80
转发消息 forwarding:90 message:90
转发给 forwarding:93
转发规则列表 forwarding:90 rules:90
转存 transfer:57
转录 transcription:33 transcribe:27 trtc:8
转换 convert:54
转换器 transformer:83
转换规则 transition:46 forwarding:19
转接 transfer:78 forwarding:13
转码 transcoding:72 stream:8
转码视频高度 height:90 video:90
转移 transfer:79
转让 transfer:81
轮 round:54 turn:37
轮换 rotate:41 rotation:34 kubelet:16
轮播 playlist:57 carousel:32
轮数 rounds:40 number:26 dialog:17
轮次 rounds:67
轮询 polling:64 scm:10
轮转 rotation:70 rotated:22
软 soft:97
软件 package:48 software:28
软件包 package:72
软件应用 software:87
软性 soft:61 eviction:30
轴 axis:95
轻松 easily:64 allows:16 telegraph:12
轻量 lightweight:50 lighthouse:21
轻量级 lightweight:90
载入 load:74 reload:15
载荷 payload:98
较 newer:25 older:18 less:15 lower:12
较大 larger:90
辅助 secondary:35 cidr:13 blocks:13
输入 enter:50 input:33
输入参数 input:90
输入变量 input:90
输入名称 enter:90 name:90
输入安全短语 enter:90 phrase:90 security:90
输入密码 password:90
输入您 enter:35 api:10
输入您的密码 password:90
输入文本 text:68 input:45
输入框 box:35 input:24 field:17 composer:12
输入模型名称 enter:90 model:90 name:90
输入法 ime:62
输入用户名 enter:90 username:90
输入电话号码 enter:90 number:90 phone:90
输入的图片 input:72 image:54 images:36
输入邮箱地址 email:90 enter:90
输入验证码 enter:90
输出 output:85
输出为 output:68
输出参数 output:90
输出格式 format:60 output:60
输出示例如下 output:90 similar:90
输出类似于 output:90 similar:63 looks:27
输出类似如下 output:90 similar:90
输出类似这样 output:60 similar:60
辨率 resolution:56 image:19 px:10
边 edge:43 epn:23 side:11 px:10
边框 border:78
边框样式 style:90
边界 boundary:23 virtual:18 border:14 vbr:13
边缘 edge:57 routine:16
边车容器 sidecar:90
边长 edge:38 length:25 size:17
达 reached:41 queries:24 maximum:11
达到 reached:69 ve:10 limit:8
达式 expression:62 pattern:8
达成 sla:46 missed:44
迁移 migration:60 migrate:24
迁移失败 failed:90
迄今 far:49 fetched:37
过 skip:52 many:15
过去 last:66 paste:29
过度 excessive:74
过时 outdated:57 obsolete:38
过期 expired:73
过期于 expires:60
过期时间 expires:39
过滤 filter:95
过滤任务 filter:90
过滤内容 content:60 filter:60
过滤器 filter:79 ip:8
过滤字段 filter:90
过滤日志 filter:90
过滤条件 filter:68
过滤条件列表 filter:90 list:90
过滤项目 filter:90
过程 process:64 procedure:18
过载 overload:33
过长 long:90
运 operation:31 maintenance:17
运动 sports:48
运算 operator:49 operation:27
运算符 operator:76 preferred:10
运营 operations:18 isp:17
运营商 isp:33 provider:17 internet:16 service:14
运行 run:71 runtime:14
运行保留策略 retention:90
运行命令 command:90 run:90
运行失败 failed:90
运行工作流 workflow:90 run:60
运行应用 application:60 run:60
运行日志 logs:37 operational:25
运行时间 time:45
运行状况 health:90
运行环境 environment:90
运行结果 results:60
运费 shipping:62 amount:8
运输 shipping:85
运送 shipping:88
近 last:33 paste:28 block:21
近似 approximate:50 approx:29
近期 recent:91
返回 return:82
返回上一步 back:90
返回主页 home:90
返回值 value:71 return:11
返回数量 returned:68 number:45 quantity:45
返回登录 back:60
返回码 code:90
返回记录条数 number:90 returned:90
返回首页 back:90 home:60
还原 restore:80 revert:12
还原为此版本 revert:90
还是 whether:71
还有 pod:32 count:25
这个 pod:18
这么 many:91
这些 pod:18
这样 config:10 ll:9 people:9 something:9
这种 pod:54 case:21 kubernetes:20
这里 appear:14 find:14
进 user:32 enter:25
进一步 learn:10
进入 enter:44 go:13 shell:10
进入救援模式 mode:90 rescue:90
进制 binary:65
进展 progress:68 okr:30
进度 progress:76
进度条 bar:57 progress:31
进程 process:78
进阶 advanced:52
远 earliest:28 latest:22
远程 remote:88
远程浏览器 remote:90
远端 remote:79
违反 violations:48 violate:44
违法 illegal:44
违禁 prohibited:68
违规 violation:34 violating:19 terms:11
连 hyphens:22 connection:14
连接 connection:46 connect:29
连接到服务器 connect:90
连接功能 connectivity:32 ssl:32
连接参数 connection:90
连接器 connector:94
连接失败 failed:72 connect:36 connection:36
连接性 connectivity:90
连接成 concatenate:63 several:27
连接成功 connection:72 successfully:36
连接数 number:39 connections:29 conns:9
连接数据库 connect:90 database:90
连接时间 long:52 connected:36
连接池 pool:64 connection:12
连接符 symbol:45 concatenation:45
连接超时 connection:60 timeout:60
连接配置 connection:90
连线 connection:34 connected:33 connector:14
连续 consecutive:48 eip:10 continuous:10
连续性 continuity:90
连通 connected:60 connection:24
连通性 connectivity:63
迟到 late:50
迪拉姆 dirham:89
迫使 force:68
迭代 iteration:85
迷你 minicard:48 mini:29 sparkline:17
追加 append:85
追加至文件 file:90
追溯 blame:34 retroactive:34
追踪 tracking:41 trace:28
追问 following:35
退 return:82
退出 exit:49 quit:10
退出企业组织 organization:90
退出全屏 fullscreen:90
退出救援模式 mode:90 rescue:90
退回 returned:56 rollback:33
退回原因 reason:90
退款 refund:94
退订 unsubscribe:77 refund:17
退订实例 instance:90
退货 return:50 rma:44
退费 refund:90
退还 return:74 refund:14
退还云硬盘 cloud:90
送 bcc:29 copy:16 marshalling:16 carbon:13
送信 message:72
送到 sent:55 send:20 android:12
送给 sent:83
送至 sent:79
送货 shipping:96
送达 delivered:57
适合 suitable:29 best:14 good:9 useful:9
适宜 inappropriate:24 information:22 create:18 operations:18
适应 adaptive:45 bitrate:22 fit:17
适当 appropriate:70 inappropriate:15 check:10
适用 applies:34 applicable:28
适用场景 scenarios:90
适用范围 scope:54 applicable:41
适配 adapting:44 api:29
适配器 adapter:97
逃逸 escape:62 plugin:11
逆 reverse:57
选 optional:58 selected:24
选中 selected:72 checked:8
选举 election:45 leader:16 cycles:10 indicates:9
选人 candidate:42
选区 selection:90
选取 pick:27 select:24 picker:16
选字 optional:66 spec:16
选定 selected:91
选择 select:69 choose:17
选择一个标签 select:90
选择一个集合 collection:90
选择主题 select:90
选择仓库 repository:90
选择值 select:90
选择分类 category:90
选择分隔符 delimiter:90
选择列 column:60 select:60
选择助手 assistant:90 select:90
选择区域设置 locale:90
选择原因 reason:90 select:90
选择器 selector:68 picker:12
选择器名称 name:90
选择团队 select:90 team:45
选择图像大小 image:90 size:90
选择图像质量 image:90 quality:90
选择图表类型 chart:90 type:90
选择对话类型 completion:90 select:90
选择工作区 workspace:90
选择工作流 select:60 workflow:60
选择应用 select:90
选择性 selectively:47 optionally:46
选择成员 member:60
选择插件 select:90
选择数据库 database:90 choose:45 select:45
选择文件 choose:54 file:54 files:36 select:36
选择文件夹 folder:90
选择方法 method:90
选择日期 date:90 select:60
选择时区 select:90
选择时间段 select:90
选择标签 select:90
选择模型 model:90
选择模板 select:90 template:90
选择渠道 select:90 channel:60
选择版本 select:90 version:90
选择用户 select:60 users:60
选择看板 select:90
选择角色 select:90
选择认证方案 scheme:90 select:90
选择语言 choose:45 language:45 locale:45 select:45
选择输出 select:90
选择选项 select:90
选择金额 amount:90
选择集合 collection:90
选择页面 page:90
选择项 group:30 choice:29 present:25
选择频道 channel:60 select:60
选择颜色 color:90
选排 column:21 sorting:21 optional:10
选框 checkbox:70
选项 options:85
选项内容 content:90
选项列表 list:90 options:90
选项卡 tab:90
选题 question:32 choice:27 multiple:20
透 passed:68 context:18
透明 transparent:52 tde:16 opaque:8
透明度 opacity:71
透视 pivot:93
逐 per:48 backoff:44
逐步 gradually:54 ratcheting:34
逐行 line:82
递增 records:35 return:30
递归 recursively:80
逗号 comma:61 separated:28
通 allowed:45 blocked:23
通信 communication:29 communicate:28 talking:8
通告新的频道 announce:90 new:90
通常 usually:36 typically:29 often:10
通性 connectivity:63
通用 general:35 common:26 generic:14 universal:12
通用型 nas:42 purpose:40
通用开关类型 switch:90 type:90
通用设置 general:90
通知 notifications:75 notify:12
通知方式 method:60 notification:60
通知类型 type:90
通知设置 notification:68 settings:45
通行 passkey:25 policies:24 routing:18 custom:18
通讯 newsletter:45 communication:37
通讯录 contacts:78 interface:11
通话 call:88
通话中 call:90
通话信息 call:90
通话已结束 call:90 ended:90
通过 via:23 api:12
通过率 rate:85
通道 connection:35 channel:26 tunnel:10
通道名称 connection:90 name:90
通配符 wildcard:68 glob:12 patterns:10
速 quick:85
速度 speed:55
速率 rate:74
速记 minutes:90
逻辑 logic:52 logical:33
逻辑关系 multiple:34 logical:27 conditions:22
逻辑推理 logical:86
逾期 overdue:52
遇到 encountered:62 occurred:16 error:9
運 shipping:90
遍历 traverse:39 traversal:29
道 jiandaoyun:30 key:20 api:16
遗嘱 last:74
遗弃 abandoned:85
遗忘 forget:95
遗漏 missing:52
遗留 legacy:45 token:31 api:12
遥测 telemetry:81
遵从 respecting:90
遵守 respected:31 following:31
遵循 following:88 guidelines:11
避免 avoid:84
邀 invitational:45 preview:45
邀请 invitee:93
邀请函 invitation:84
邀请失败 failed:90
邀请您加入 invited:90 join:90
邀请成员 invitee:90
邀请用户 invitee:90
邀请码 code:68
邀请组织成员 member:90
邀请链接 link:90 invitee:60
那个 shell:28
那么 pod:54 service:30
那些 pods:83
邮件 email:66 mail:16
邮件主题 subject:90
邮件内容 content:90 email:60
邮件发送失败 email:90 failed:90
邮件地址 email:64 address:34
邮件标题 email:90 subject:60
邮件正文 body:90 email:90
邮件的主题行 email:90 line:90 subject:90
邮件配置内容 email:90
邮政 zip:35 post:32
邮政编码 zip:35 code:23
邮箱 email:73 address:12 mailbox:10
邮箱地址 email:53 address:42
邮箱已验证 email:90 verified:90
邮编 code:38 zip:18 postal:18
邻居 peer:32 bgp:32 border:10 protocol:10
部件 widget:77 livechat:12
部分 part:29 section:24 partial:21
部署 deployment:84
部署密钥 deploy:90
部署应用 application:60 deploy:60
部署应用分组 application:90 group:90
部署方式 deploy:60 mode:60
部署服务实例 instance:90 service:90
部署状态 deployment:90
部署策略 deployment:90
部门 department:82
配 configuration:15 upgrade:13 change:10 adjustment:10
配合 conjunction:24 together:17
配器 adapter:97
配对 paired:90
配置 configuration:79 config:12
配置信息 configuration:90
配置内容 configuration:90 content:90
配置参数 parameters:60
配置名称 name:90 configuration:60
配置域名 configure:90 domain:90
配置文件 profile:52
配置管理 management:49
配置类型 configuration:60 type:60
配置组名称 configuration:90 group:90 name:90
配置输入参数 input:90 parameters:90
配置输出参数 output:90 parameters:90
配色 color:65 scheme:22
配色方案 color:68 mode:45
配送 shipping:81 delivery:9
配送和处理 handling:90 shipping:90
配送方式 shipping:90
配送状态 delivery:90 status:90
配额 quota:85
采取 taken:92
采样 sampling:80
采样率 rate:58
采用 takes:28 enabled:22 use:13
采纳 applied:85
采集 collection:63 collected:12
采集器 shipper:48 collector:44
释器 interpreter:58 shell:21
释放 releases:60 delete:14
释放实例 instance:90 releases:45
里 trials:18 hpo:11 hyperparameter:8 optimization:8
里亚尔 rial:79
里拉 lira:42 try:42
里程 milestone:86
里程碑 milestone:86
重 reconnect:12 re:10
重写 rewrite:32 override:21 url:18
重叠 overlap:95
重名 name:41 duplicated:22
重启 restart:68
重启实例 instance:51 restart:39
重启应用实例 application:60 pod:60 restart:60
重启引擎 engines:90
重启服务 service:90
重启服务器 restart:90 server:90
重启服务实例 service:90
重启机器 nodes:90
重启计算组 warehouse:90
重启集群 restart:90
重启集群节点 cluster:90 nodes:90
重命名 rename:98
重命名计算组 warehouse:90
重命名频道 channel:90 rename:90
重复 duplicate:41 repeat:35
重复使用 reuse:67 repeated:25
重复新密码 new:90
重定向 redirect:52 url:10 redirection:9
重建 rebuild:45 reindexing:12
重建索引 index:45 reindexing:45
重新 re:28
重新加入 rejoin:56 able:41
重新加载页面 reload:90
重新启动 restart:60 flow:12
重新命名 rename:92
重新安装 reinstall:90
重新开始评测 restart:90
重新打开 reopen:68
重新部署 redeploy:96
重新部署实例 instance:90 redeploy:90
重新配置 reconfigure:62 kubeadm:14
重构 refactoring:64 restructuring:31
重点 focus:72
重生 rebirth:36 media:18 rebuild:16
重用 reuse:54 re:34
重置 reset:92
重置为默认 default:90
重置加密密钥 encryption:90 reset:90
重置实例密码 instance:90 resets:90
重置密码 password:90 reset:60 resets:30
重置应用 reset:90
重置消费位点 reset:90 offset:60
重置用户密码 password:90 user:90 reset:60
重置筛选 reset:90
重置蜜罐 honeypot:90
重置账号密码 account:90 password:90
重装 reinstall:74
重装实例 instance:90 reinstalls:90
重要 important:76
重要性 importance:70
重设 reset:55 resize:19 rebase:19
重试 try:54 retry:40
重试任务 run:90
重试次数 retry:60 number:30 retries:30
重载 overload:49 reload:14
重量 weight:97
重颁发证书 certificate:90
量 go:32 pay:27 volume:9
量值 value:97
量化 vectorized:34 embedding:33 processing:21
量子 pqc:67
量级 lightweight:90
量规 gauge:90
金 gold:85
金丝 canary:49
金丝雀 canary:49
金属 metal:77
金融 financial:61 finance:19 grade:15
金额 amount:91
鉴 authentication:36 authorization:15 auth:11
錯 errors:90
针对 against:21 pod:10 target:10
针对性 targeted:51 mini:35
钉 ding:42 talk:42
钥 key:62 public:22
钩子 webhook:38 hook:36 git:10
钱包 wallets:94
钻 drill:81
钻取详情 details:90 drill:90
铃声 sound:15 bell:14
银行 bank:86
银行卡 card:48 params:17 input:17
铺满 fill:35
链 toolchain:32 chain:30
链式 chain:68
链接 link:79 url:13
链接已复制 copied:90
链路 link:23 trace:19
销售 sales:59 sell:25
销售额 sales:90
销毁 terminate:59 destroy:15
销毁会话 session:90
销毁实例 instance:51 terminates:39
销毁环境 environment:90
销毁计算节点 compute:90 node:90
销毁配置 configuration:90
锁 lock:76
锁定 lock:83
锁定域名 domain:90
锁定屏幕 lock:90 screen:90
错误 error:81
错误代码 error:50
错误信息 error:47 message:33
错误报告 bug:44 android:24
错误日志 error:90
错误率 rate:90
错误码 code:62 error:18
错过 misses:65 sla:23 re:8
锚 anchor:96
键 key:88
键值 key:36 value:34 pairs:26
键入 type:67 typing:28
键名 key:65 name:28
键盘 keyboard:95
键盘输入 input:74
镑 pound:92
镜 cwp:27 uuid:20 agent:19 either:10
镜像 image:79 mirror:9
镜像仓库 repository:36
镜像仓库名称 image:90 name:90 repository:90
镜像名称 image:90 name:90
镜像拉取策略 policy:90 pull:90
镜像描述 description:90 image:90
镜像文件 image:65
镜像类型 type:90
长 duration:41 period:14 long:12
长久 long:85
长度 length:80
长度大于等于 equal:90
长度小于等于 equal:90
长时间 long:79
长期 long:50 terms:37 lived:9
长期有效 long:59
開 start:84
门户 portal:92
门户定制 portal:90
门户网 portal:81
门户网站 portal:81
门控 gate:72 feature:8
门票 tickets:73
门禁 access:50
闪 flashback:45 sql:35
闪烁 scorer:28 blinking:28 flash:28
闭 closed:61 ms:12 closures:9
问 ask:59 question:21
问候 greeting:92
问卷 survey:65 questionnaires:30
问卷调查 nps:68
问号 question:48 mark:45
问答 qa:53 qas:12 question:9
问答列表 qa:90 list:60 query:60
问者 visitors:93
问题 issue:39 problem:21 questions:18
问题所在 question:82
问题描述 description:90
闲置 idle:66 inactivity:17 culler:13
闲聊 chat:53
间 inter:40 ranking:13 bandwidth:10
间接 indirectly:61 generic:18
间距 spacing:71
间通信 communication:32 job:22
间隔 interval:85
间隔时间 interval:78
阅 burn:41 read:40 post:17
阅后即焚消息 burn:90 read:90
阅读 read:64 collection:20
阅读器 reader:92
阅读文档 read:90
阈值 threshold:84
队列 queue:63 mq:10
队友 teammates:81
队员 members:54 team:34
防 anti:49 ddo:23
防御 defense:46 prevention:14 exploit:11
防护 protection:33 ddo:16 anti:12 protected:9
防止 prevent:89
防火 firewall:40 vpc:14
防火墙 firewall:40 vpc:14
防盗 hotlink:36 protection:36
防盗链 hotlink:36 protection:36
阴影 shadow:82
阶 color:55
阶梯 step:90
阶段 phase:54 stage:18
阶跃 stepfun:25 step:20
阻塞 block:74
阻断 blocking:61 opa:11
阻止 blocked:53 prevent:36
阿尔及利亚 algerian:42
阿曼 omani:42
阿里 alibaba:59
附上 attached:85
附件 attachment:79
附加 attachment:37 additional:30 add:8
附加文件 attachment:52 files:36
附加配置 add:90
附属 complementary:54 affiliates:34
附带 attached:55
附近 nearby:37 near:37
降 downgrade:67
降低 reduce:45 decrease:32 less:11
降噪 noise:45 reduction:28
降序 descending:45 order:21 desc:10
降级 downgrade:58 demote:22
限 limit:54 characters:26 unit:14
限于 limited:97
限制 limit:72
限制器 limiter:91
限制数量 limit:60
限定 qualified:34 fully:18 fqdn:14 limit:14
限定值 service:85
限时 limited:45 time:45
限期 period:28 grace:27 seconds:22 termination:15
限流 throttling:45 traffic:15 sql:10
限流配置 configure:90
限速 limit:45 rate:26 speed:12 qo:9
限额 limit:65
除 except:70
除了 addition:41 removed:29 except:28
除外 except:96
除非 unless:82
陪伴 companionship:43
随 time:81
随意 casual:85
随时 anytime:39 time:30 go:28
随机 random:78
随机性 randomness:72
随机数 number:53 random:30
随机种子 seed:90
随着 evolves:86
隐 implicitly:91
隐私 privacy:82
隐私政策 privacy:90
隐私政策链接 privacy:90
隐私条款 privacy:90
隐私设置 privacy:90
隐藏 hide:66 hidden:25
隐藏侧边栏 sidebar:90 hide:60
隐藏子菜单 children:90 hide:90 menu:90
隐藏密码 hide:90
隐藏差异 hide:90
隐藏标签 hide:90
隐藏流程 hide:90
隐藏高级选项 advanced:90 hide:90
隐身 invisible:40 private:22
隔开 separated:78
隔离 isolated:42 isolation:33 quarantined:16
隔离实例 instance:60 isolates:60
隔离木马 trojans:90
隔离集群 cluster:90
障 fault:82
障碍 accessibility:84
隧道 tunnel:53 ssh:31
隶属 belongs:34 key:32
雀 token:47 yuque:47
雅虎 yahoo:70 finance:21
集 set:40 dataset:37
集中 dataset:39 set:26
集合 collection:57 set:21
集合为空 empty:90
集合名称 collection:90
集团 organization:34 group:29
集成 integration:60 integrate:12
集成商 integrator:53 root:31
集成配置 configuration:90
集群 cluster:78
集群信息 cluster:90
集群健康检查 cluster:90 health:90
集群名称 name:90 cluster:60
集群回档 cluster:90 rollback:90
集群实例名称 instance:90
集群成员 cluster:90
集群描述 cluster:72 description:72
集群添加实例 cluster:90
集群版本 cluster:90 version:90
集群管理 cluster:90
集群组 cluster:90
集群缩容 clusters:60
集群角色 cluster:90
集群输出 cluster:90
集群配置 cluster:90
雇佣 employment:87
雇员 employee:91
雪 sprite:55 image:22 generating:20
零 zero:77
零个 zero:92
雷亚尔 brl:42 real:42
雷达 radar:58 chart:40
需 required:44 needs:14 must:10 desired:9
需求 requirements:57 needs:27
需要 required:46 needs:23
需要令牌 required:90
需要值 value:90
需要冒号 colon:90 expected:90
青色 cyan:68
静态 static:58 pod:17
静音 muted:35 mute:31 unmute:21
静音用户 muted:60 user:60
静音频道 mute:90
静默 silently:35 silence:27 quiet:10
非 non:81
非对称 asymmetric:64 data:18
非常 likely:30 re:27
非常好 good:90
非法 invalid:54 illegal:30
非空 null:60
非营利 non:72
靠 lean:28
面 plane:71
面上 desktop:87
面值 literal:85
面包 breadcrumb:81
面包屑 breadcrumb:81
面包屑导航 breadcrumb:90
面向 targeting:21 netsdk:18 net:16 core:14
面板 panel:60 palette:15 board:11
面积 area:78 chart:18
面积图 area:90
面试 interview:78
面试官 interviewer:72
面试官姓名 interviewer:90 name:90
鞋 active:85
鞋类 footwear:53 boys:24
韩元 krw:21 korean:21 won:21 south:21
韩国 korea:50
韩语 korean:63
音 audio:25 media:21 video:16 quality:12
音乐 music:78
音效 sound:48 effect:26 audio:12
音色 voice:86
音色配置 voice:90
音视 audio:42 video:23
音视频 audio:42 video:23
音量 volume:92
音频 audio:91
音频文件 file:28 audio:26 ivr:13 print:12
音频格式 format:49
頁 page:50 content:36
類 category:64
页 page:60 tab:31
页偏移量 offset:90 page:90
页数 number:41 page:34
页眉 header:76
页码 number:46 page:44
页脚 footer:83
页脚链接 footer:90
页面 page:88
页面历史 page:90
页页 page:90
顶 header:45 top:45
顶层 top:44 level:35 json:9
顶点 vertices:85
顶级 top:55 level:43
顶部 top:95
顶部对齐 align:90 top:90
项 items:76
项目 project:81 items:9
项目创建 project:90
项目名称 project:53 name:42
项目引用 project:90 reference:90
项目成员 project:90
项目数 items:83
项目更新 project:90
项目模板 template:90
项目管理 project:56 management:30
项目类型 type:90
项目角色 project:60 role:60
项配置 configuration:90 items:90
顺序 order:70 sequence:9
须 must:62 preceded:30
须知 use:62
顾客 customer:98
顾客群体 customer:90
顾问 consultant:48 options:23
颁发 issue:26 issuer:15 ca:11 pem:8
预 pre:51 precheck:12
预付 prepaid:42 subscription:23
预付费 prepaid:42 subscription:23
预估 estimated:82
预先 pre:62
预处理 preprocessing:98
预定 reservation:67 scheduled:9
预报 forecast:88
预期 expected:82
预案 plan:57 gtm:28 recovery:11
预测 predictive:45 forecast:13 prediction:13 predict:11
预热 prefetch:34 preheat:14 preload:12 warming:9
预留 reserved:57 provisioned:12
预留字段 reserved:90
预算 budget:54 tokens:9
预约 schedule:54 appointment:23 booking:11
预置 preset:37 provisioned:29 cidr:9
预览 preview:88
预览与调试 preview:90
预警 warning:90
预计 estimated:55 expected:44
预计剩余时间 remaining:90 time:90
预计耗时 duration:90
预订 booking:89
预设 preset:57 canned:13
预设音色 preset:60 voice:60
预请求脚本 pre:90 request:90
领 linked:85
领先 ahead:74
领域 domain:39 field:26
领导 leader:44 leadership:18 lease:13 leading:12
领导者 leader:51 controller:20 manager:16
频 frequency:61
频次 frequency:94
频率 frequency:62 cc:11 rate:8
频繁 frequently:94
频道 channel:92
频道名称 name:90
频道已归档 archived:90 channel:90
频道成员 channel:90
频道描述 description:90
频道文件夹 channel:90
频道权限 permissions:90
频道横幅 channel:90
频道管理员 channel:90
频道类型 channel:90
频道设置 settings:90
频道颜色 color:90
题 question:96
题库 bank:51 question:42
题目 question:46 topic:40
题目描述 description:90
题目标题 title:90
颜色 color:91
颜色样本 swatch:90
颜色混合 mixed:47 two:39
额外 additional:50 extra:37
额外信息 extra:60
额外参数 parameters:90
额度 quota:59 credits:21
风格 style:88
风险 risk:76
风险等级 level:90 risk:90
飞 feishu:67
飞书云文档 cloud:90 documentation:90
飞书卡片 card:90
飞书消息 message:90
食物 food:43 drink:43
饮食 food:68
饱和 saturated:41 color:29
饱和度 saturation:44 points:20
饼 pie:65 chart:30
首 first:60
首个 first:95
首位 top:42
首先 first:76 pod:9
首字 initials:86
首尾 frames:85
首条 first:90
首次 first:64 time:18
首选 preferred:61
首选项 preferences:93
首页 home:37 page:27 homepage:17
香港 hong:48 kong:48
马 java:50 webshell:47
马上 immediately:92
马其顿 macedonia:67
马来 malaysian:90
驱动 driver:42 provider:11
驱动器 drive:40 point:15 share:15 instead:14
驱动程序 driver:53 csi:16 dra:12
驱逐 eviction:51 evicting:15 pod:13
驱逐超级节点 node:90 super:90
驳回 rejected:44
驻留 residency:82
验 verify:43 signature:21
验证 verify:38 verification:18 validate:14 validation:12
验证令牌 token:90
验证域名 domain:90
验证失败 failed:90
验证码 code:55 captcha:18 verification:12
验证码已发送 code:90 sent:90
验证证书 verify:90
验证远程证书 remote:90 verify:90
验证邮箱 email:90
骏 lingjun:38 hub:10 vcc:10
高 high:37 ddo:11
高于 higher:57 greater:24
高兴 excited:46 glad:21 board:21
高分 high:58
高分辨率 high:58
高可扩展性 high:90
高可用性 high:98
高度 height:79
高性 high:68 efficient:26
高性能 high:38 hpc:34
高效 efficient:92
高清 hd:27 top:21 codec:21
高精度 high:36 fine:26 grained:26
高级 advanced:71 premium:16
高级功能 advanced:45 premium:45
高级模式 advanced:90
高级设置 advanced:60
高级选项 advanced:90
高级配置 advanced:90
高质 high:37
高质量 high:37
高速 express:25 connect:22 traffic:9 quality:9
高频 frequency:25 high:25 frequently:14
高风险 execution:85
魔术 magic:94
魔法 magic:82
麦 mic:42 user:33
麦克 microphone:74
麦克风 microphone:74
黄 detection:40 porn:31
黄色 yellow:92
黄金 gold:57
黎巴嫩 lebanese:42
黑 blocklist:24 black:18 blacklist:17 address:13
黑名 blocklist:28 blacklist:28 black:15
黑名单 blocklist:28 blacklist:28 black:15
黑客 hacker:85
黑山 montenegro:56
黑暗 dark:57
黑洞 blackhole:57 filtering:21 deactivates:12
黑白 blocklist:38 ip:12 allowlist:10
黑石 blackstone:57
黑色 black:84
默认 default:92
默认值 value:57 default:16
默认域名 default:90 domain:90 name:60
默认对话 default:90
默认设置 default:87
默认语言 default:90 language:60
默认频道 default:90
鼓励 encourage:90
鼠标 mouse:68 button:11
鼠标友好模式 friendly:90 mouse:90
鼠标悬停 hover:83
鼠标滚轮 scroll:90
`
