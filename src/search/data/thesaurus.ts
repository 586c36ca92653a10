/**
 * Words of tool speech that mean the same, one group a line, written by hand. English words come first; after the bar,
 * Chinese words for all of them; the first English words are the best translations. A word may stand in several groups.
 */
export const thesaurus = `
create make new add generate build | 创建 新建 建立 新增 生成 制作
delete remove erase drop destroy discard purge clear | 删除 删掉 移除 去掉 清除 清空
update modify edit change revise alter amend | 更新 修改 编辑 更改 改动 改一下 改成
find search lookup locate discover seek | 查找 搜索 寻找 找到 检索 搜一下 查一查
list enumerate browse show display view | 列出 列表 浏览 显示 展示 看看 查看
fetch retrieve download obtain get | 获取 取得 拿到
download save | 下载 保存到本地
upload push attach | 上传 传上去
send deliver dispatch notify message transmit | 发送 发给 寄出 传给
notify notification alert remind reminder | 通知 提醒 告警 警报
share invite forward collaborate | 分享 共享 转发 邀请
copy duplicate clone replicate | 复制 拷贝 克隆
move relocate transfer migrate | 移动 挪到 转移 迁移
rename retitle | 重命名 改名
merge combine join concatenate unite consolidate | 合并 拼接 连接起来 组合
split divide separate partition cut | 拆分 分割 切分 切开
compare diff difference contrast versus | 比较 对比 差异 区别 不同之处
convert transform translate turn change | 转换 转成 变成 换算 转为
translate translation translator language interpret | 翻译 译成 译文
summarize summary abstract digest brief overview recap | 总结 摘要 概括 概述 归纳 要点
explain describe clarify define definition meaning | 解释 说明 定义 含义 什么意思
analyze analysis analytics examine inspect evaluate assess | 分析 解析 评估 评价
calculate compute computation arithmetic evaluate sum | 计算 运算 算一下 求和
count number total quantity amount | 数量 总数 统计 多少
check verify validate confirm test | 检查 校验 验证 确认 核实 是否
monitor track watch observe follow trace | 监控 跟踪 追踪 关注 监视 观察
start begin launch open initiate boot activate | 启动 开始 打开 开启 激活
stop end terminate halt quit kill close shutdown | 停止 结束 终止 关闭 关掉 退出
pause suspend | 暂停 挂起
resume continue | 恢复 继续
restart reboot reload reset | 重启 重新启动 重置
enable activate allow | 启用 允许 开通
disable deactivate block forbid | 禁用 停用 禁止 屏蔽
install setup deploy | 安装 部署 装上
schedule plan arrange timetable appointment | 安排 计划 日程 预约 排期 定时
book reserve reservation booking | 预订 预定 订票 订房 订位 订一个
cancel abort revoke undo | 取消 撤销 撤回 作废
approve accept confirm grant | 批准 同意 通过 审批
reject decline deny refuse | 拒绝 驳回
rank sort order arrange | 排序 排列 排名 排行
filter select choose pick | 筛选 过滤 选择 挑选
group categorize classify category organize cluster type | 分组 分类 归类 类别 类型
recommend suggest suggestion advice advise recommendation idea tip | 推荐 建议 意见 主意
extract parse scrape pull | 提取 抽取 解析 抓取
crawl scrape spider scraping crawler harvest | 爬取 爬虫 抓取网页 采集
visualize plot chart graph diagram draw | 可视化 画图 图表 绘制 作图 曲线
chart graph plot histogram pie bar line | 图表 柱状图 饼图 折线图 散点图
record log history journal | 记录 日志 历史 流水
backup archive snapshot restore | 备份 归档 存档 快照
restore recover undelete | 还原 恢复 找回
compress zip archive shrink | 压缩 打包
decompress unzip unpack extract | 解压 解包
encrypt cipher encode | 加密
decrypt decipher decode | 解密 解码
sync synchronize | 同步
connect link join attach bind | 连接 链接 绑定 接入
login signin authenticate authentication authorization | 登录 登陆 认证 鉴权 授权
logout signout | 退出登录 登出
register signup enroll subscribe | 注册 报名 登记 订阅
password credential secret | 密码 口令 凭证
permission access right privilege role | 权限 访问权 角色
improve enhance optimize upgrade boost refine | 改进 提升 优化 增强 提高 润色
fix repair resolve correct solve troubleshoot debug | 修复 解决 修理 排错 排查 纠正 调试
error bug problem issue exception fault failure defect | 错误 问题 故障 异常 报错 缺陷
issue ticket bug | 工单 议题 问题单
random arbitrary roll dice shuffle | 随机 掷骰子 抽签 抽奖
guess predict forecast prediction estimate | 预测 预报 估计 预计
simulate simulation model | 模拟 仿真
learn study education educational teach lesson course tutorial tutor training class | 学习 教学 课程 教程 教育 培训 上课 辅导
teacher tutor instructor coach mentor professor | 老师 教师 教练 导师
student pupil learner | 学生 学员
school university college campus academy | 学校 大学 学院 高校
exam quiz test assessment trivia question | 考试 测验 试题 小测 题目
homework assignment exercise | 作业 练习题
grade score mark rating | 成绩 分数 评分 得分
kid child children toddler baby infant preschool | 孩子 儿童 小孩 宝宝 婴儿 幼儿
parent mother father mom dad family | 父母 妈妈 爸爸 家长 家庭 家人
story tale fiction narrative novel storytelling | 故事 小说 童话 叙事
poem poetry verse rhyme lyric | 诗 诗歌 诗词 歌词
joke humor funny laugh comedy | 笑话 幽默 搞笑 段子
quote quotation saying proverb inspiration inspirational motivate motivational | 名言 语录 谚语 励志 格言
book novel ebook literature read library reading | 书 图书 书籍 小说 电子书 阅读 图书馆
author writer | 作者 作家
article post blog essay write | 文章 博客 帖子 博文 稿子
write compose draft author writing copywriting | 写 撰写 起草 写作 文案
grammar spelling proofread punctuation | 语法 拼写 校对 病句
word vocabulary dictionary term glossary | 单词 词汇 词典 生词 术语
paper publication research scholarly academic journal study literature arxiv | 论文 文献 学术 研究 期刊
citation reference bibliography cite | 引用 参考文献 引文
science scientific physics chemistry biology | 科学 物理 化学 生物
mathematics algebra equation formula geometry calculus | 数学 方程 公式 代数 几何 微积分
statistics average mean median statistical | 统计 平均 均值 中位数
history historical past ancient | 历史 古代 过去
language linguistic english chinese spanish french | 语言 英语 中文 外语
wiki wikipedia encyclopedia knowledge | 百科 维基 知识
fact knowledge trivia information | 知识 事实 常识
question answer ask faq inquiry query | 提问 问答 问题 回答 咨询
news headline report press journalism current | 新闻 头条 资讯 时事 报道
weather forecast temperature rain climate meteorological | 天气 气象 天气预报 气温 下雨 气候
temperature heat warm cold celsius fahrenheit | 温度 气温 冷 热 摄氏 华氏
humidity moisture | 湿度
wind breeze storm hurricane typhoon | 风 台风 风力 暴风
rain rainfall umbrella precipitation snow | 雨 降雨 降水 雪 雨伞
pollution smog aqi air quality | 空气质量 污染 雾霾
sun sunrise sunset solar | 太阳 日出 日落 太阳能
moon lunar | 月亮 月相 农历
earthquake disaster tsunami flood emergency | 地震 灾害 洪水 紧急 应急
time clock hour minute date | 时间 时钟 几点 小时 分钟 日期
date day calendar | 日期 日子 哪天 日历
timezone zone utc | 时区
timer countdown stopwatch alarm | 计时器 倒计时 秒表 闹钟
alarm clock wake | 闹钟 叫醒 起床
today current now latest recent | 今天 当前 现在 最新 最近 目前
tomorrow next upcoming future | 明天 下周 接下来 未来
yesterday previous last past | 昨天 上周 之前
holiday festival celebration | 节日 假日 节假日 春节
calendar event appointment meeting schedule | 日历 日程 会议 活动 约会
meeting conference call zoom | 会议 开会 视频会议
task todo reminder chore checklist | 任务 待办 事项 清单
note memo notebook jot | 笔记 备忘 便签 记下
project workspace | 项目 工程 工作区
team member staff employee colleague people | 团队 成员 员工 同事 人员
customer client buyer user | 客户 顾客 用户 买家
contact address phonebook people | 联系人 通讯录 联系方式
company business firm enterprise corporation organization startup | 公司 企业 商业 组织 机构
email mail inbox gmail outlook letter | 邮件 邮箱 电子邮件 收件箱 信件 发信
message chat sms text conversation dm | 消息 短信 聊天 私信 信息
call phone telephone dial | 电话 打电话 拨号 通话
slack channel discord teams wechat chat | 频道 群聊 微信 群
comment reply feedback respond review | 评论 回复 反馈 留言 点评
social twitter facebook instagram tweet post tiktok | 社交 微博 朋友圈 推特 抖音 小红书
follower subscriber fan audience | 粉丝 关注者 订阅者 受众
like favorite bookmark star | 点赞 收藏 喜欢 书签
hashtag tag label keyword | 标签 话题 关键词
video clip movie footage youtube film | 视频 短片 录像 影片
movie film cinema flick show imdb | 电影 影片 影院 片子
tv television show series episode anime drama | 电视 电视剧 剧集 动漫 番剧 节目
actor actress celebrity star cast director | 演员 明星 导演
stream streaming live broadcast watch | 直播 流媒体 播放 观看
music song audio track melody tune | 音乐 歌曲 曲子 听歌
song track lyric album playlist | 歌曲 专辑 歌单 歌词 播放列表
artist singer band musician | 歌手 艺人 乐队 音乐家
play playback listen | 播放 听 放一首
podcast radio episode | 播客 电台 广播
audio sound voice speech recording | 音频 声音 语音 录音
speech voice speak tts talk pronounce | 语音 朗读 说话 发音 念出来
transcribe transcription transcript subtitle caption dictation | 转写 字幕 听写 文字稿
concert gig festival event performance ticket | 演唱会 音乐会 演出 门票
ticket admission pass | 门票 车票 票
game gaming play puzzle player esport | 游戏 玩 谜题 玩家
sport football soccer basketball baseball tennis athlete match team league | 体育 足球 篮球 网球 比赛 球队 联赛 运动
match fixture tournament game competition | 比赛 赛事 锦标赛 赛程
player athlete | 球员 运动员 选手
fitness workout exercise gym training muscle | 健身 锻炼 运动 训练
health medical doctor wellness hospital disease symptom clinic patient | 健康 医疗 医生 医院 疾病 症状 诊所 病人 看病
medicine drug medication pill prescription pharmacy | 药 药品 药物 处方 药店 用药
diet nutrition calorie food meal protein weight healthy | 饮食 营养 热量 卡路里 减肥 蛋白质
sleep rest insomnia | 睡眠 睡觉 休息 失眠
mental stress anxiety meditation mindfulness therapy relax depression emotion | 心理 压力 焦虑 冥想 情绪 放松 抑郁
food meal dish cuisine eat recipe dinner lunch breakfast cook snack | 食物 美食 菜 吃饭 晚餐 午餐 早餐 吃什么
recipe cook cooking ingredient dish meal kitchen bake | 食谱 菜谱 做菜 烹饪 食材 做饭 怎么做
restaurant dining eatery cafe bistro diner takeout | 餐厅 饭店 餐馆 饭馆 咖啡馆 外卖
drink beverage cocktail wine beer coffee tea bar | 饮料 酒 鸡尾酒 咖啡 茶 啤酒 红酒
grocery supermarket | 超市 杂货 买菜
travel trip vacation tour journey itinerary tourism destination holiday visit tourist sightseeing | 旅行 旅游 出行 行程 度假 景点 游玩 目的地
flight airline airport plane airfare fly aviation | 航班 飞机 机票 航空 机场 飞往
hotel accommodation lodging hostel stay room airbnb resort motel | 酒店 住宿 旅馆 民宿 宾馆 房间
train railway rail subway metro | 火车 高铁 地铁 列车 铁路
bus transit transport transportation commute | 公交 巴士 交通 公共交通 通勤
car vehicle automobile auto drive driving dealer motor | 汽车 车辆 开车 轿车 驾驶
taxi cab uber ride rideshare | 出租车 打车 网约车
bike bicycle cycling | 自行车 骑行 单车
parking garage | 停车 停车场
rent lease rental hire | 租 租赁 出租 租车 租房
house home property apartment real estate housing realtor mortgage | 房子 房产 公寓 房屋 房源 住宅 买房
map location place direction route navigation geographic nearby geocode | 地图 位置 地点 路线 导航 附近 怎么走
address location coordinate latitude longitude geocode | 地址 坐标 经纬度 定位
distance far mile kilometer length | 距离 多远 公里 路程
traffic congestion jam road | 交通 堵车 路况
city town country region state province | 城市 国家 地区 省份
shop shopping store buy purchase retail product ecommerce order cart mall | 购物 商店 买 购买 商品 网购 下单 电商 商城
product item goods merchandise commodity | 商品 产品 货物 物品
buy purchase order acquire | 买 购买 采购 下单
sell sale vendor seller merchant | 卖 出售 销售 商家
price cost fee rate expense charge cheap quote | 价格 费用 多少钱 价钱 报价 成本 花费
discount coupon deal promotion offer bargain voucher promo sale saving | 优惠 折扣 优惠券 促销 打折 便宜 特价
cart basket checkout | 购物车 结账
order purchase shipment | 订单 下单
shipping delivery shipment courier package parcel logistics tracking | 快递 物流 配送 包裹 发货 运输 运单
return refund exchange | 退货 退款 换货
inventory stock warehouse supply | 库存 仓库 存货
gift present | 礼物 礼品 送礼
fashion clothes clothing outfit apparel wear dress style shoe | 衣服 时尚 穿搭 服装 鞋 穿什么
beauty cosmetic makeup skincare | 美妆 化妆品 护肤 美容
payment pay checkout transaction billing | 支付 付款 付钱 交易 结算
invoice bill receipt billing | 发票 账单 收据 开票
money cash fund finance currency budget | 钱 资金 现金 财务 预算
currency exchange forex rate dollar euro | 货币 汇率 外汇 美元 欧元 换汇
stock share equity ticker market invest investment trading nasdaq portfolio | 股票 股价 股市 投资 行情 交易 证券
invest investment investor fund portfolio asset etf | 投资 基金 资产 理财 组合
finance financial bank banking economy economic accounting | 金融 财经 银行 经济 会计
bank account balance deposit | 银行 账户 余额 存款
loan credit mortgage debt interest borrow | 贷款 信用 房贷 债务 利息 利率
crypto cryptocurrency bitcoin blockchain token coin ethereum nft wallet defi | 加密货币 比特币 区块链 代币 以太坊 钱包 币
tax vat irs | 税 税务 个税 报税
insurance policy claim | 保险 保单 理赔
salary wage payroll income earning | 工资 薪水 薪资 收入
job career employment vacancy hiring recruit position recruitment work | 工作 职位 求职 招聘 职业 岗位 就业 找工作
resume cv curriculum | 简历 履历
interview candidate recruiter | 面试 候选人
law legal lawyer attorney court contract legislation regulation | 法律 律师 法院 合同 法规 法务
contract agreement clause | 合同 协议 条款
government policy public congress political election vote | 政府 政策 政治 选举 投票
patent trademark copyright | 专利 商标 版权
religion bible god prayer church spiritual christian | 宗教 圣经 祷告 教堂
astrology horoscope zodiac tarot fortune | 星座 占星 运势 塔罗 算命 占卜
dream interpret | 梦 解梦
date dating relationship love partner | 约会 恋爱 感情 相亲
pet dog cat animal vet | 宠物 狗 猫 动物 兽医
plant garden gardening flower | 植物 花园 花 种植 园艺
animal wildlife species | 动物 野生动物 物种
image picture photo photograph pic illustration drawing visual | 图片 图像 照片 相片 插图 配图
art artwork painting draw drawing illustration artist museum | 艺术 绘画 画作 画画 作品 博物馆
design layout template style logo creative graphic | 设计 布局 模板 样式 标志 海报
color palette colour | 颜色 配色 色彩
resize scale crop dimension | 缩放 裁剪 尺寸 调整大小
background remove cutout | 背景 抠图 去背景
watermark | 水印
camera photo capture snapshot | 相机 拍照 摄像头 拍摄
screenshot capture screen | 截图 截屏 屏幕
ocr recognize scan | 识别 文字识别 扫描
face facial recognition | 人脸 脸 面部
qr barcode code scan | 二维码 条形码 扫码
meme gif sticker emoji | 表情包 动图 表情
font typography text | 字体 文字
3d model render | 三维 建模 渲染
document file doc word paper text | 文档 文件 文稿 文本
pdf document | 文档
file document path | 文件
folder directory path | 文件夹 目录 路径
spreadsheet excel sheet csv table workbook | 表格 电子表格 工作表 工作簿
table row column record | 表 行 列 数据表
presentation slide powerpoint deck ppt | 演示 幻灯片 演示文稿
text string content | 文本 文字 内容 字符串
read open view content | 读取 阅读 打开 看
write save store | 写入 保存 存储
format layout style markdown | 格式 排版 样式
page website webpage site web url | 网页 网站 页面 站点
website site web domain homepage page | 网站 站点 域名 主页
url link address hyperlink uri | 链接 网址 地址
shorten short link | 短链接 缩短
web internet online browse browser | 网络 互联网 网上 上网 浏览器 联网
browser tab page navigate click | 浏览器 标签页 点击
button click press element | 按钮 点击 元素
form fill submit input field | 表单 填写 提交 输入
domain dns whois hostname | 域名 主机名
seo keyword ranking backlink traffic | 搜索引擎优化 关键词 排名 流量
marketing campaign advertising ad advertisement promotion brand | 营销 广告 推广 品牌 活动
crm lead sales deal pipeline prospect | 销售 线索 商机
survey poll questionnaire form feedback | 调查 问卷 投票
analytics metric statistic dashboard report insight kpi | 指标 报表 仪表盘 数据分析 洞察
report summary document | 报告 汇报 报表
data dataset information record | 数据 数据集 资料
database sql table query | 数据库 查库 数据表
query sql select statement | 查询 语句
schema structure column definition field | 表结构 结构 字段 模式
insert add append | 插入 追加 添加
code program script programming developer software snippet source | 代码 程序 脚本 编程 源码 开发 软件
function method procedure | 函数 方法
library package module dependency npm | 库 包 依赖 模块
repository git github gitlab project codebase | 仓库 代码库 版本库
commit revision change history version | 提交 版本 改动 提交记录
branch checkout fork | 分支 切换分支
diff patch change compare | 差异 改动 补丁
stage add index | 暂存
unstage reset | 取消暂存
pull merge request pr review | 合并请求 拉取请求 代码审查
issue bug ticket task jira | 问题 缺陷 工单
pipeline ci build workflow job action | 流水线 构建 持续集成 工作流
workflow automation automate process zapier | 工作流 自动化 流程
release version tag deploy publish | 发布 版本 上线
test testing unit qa | 测试 单元测试
lint format style | 代码检查 格式化
api endpoint rest http request | 接口 请求 端点
webhook callback trigger hook | 回调 触发 钩子
json xml yaml | 数据格式
regex pattern match | 正则 模式 匹配
server host machine node instance vm | 服务器 主机 机器 节点 实例 虚拟机
container docker image pod kubernetes | 容器 镜像 集群
cluster kubernetes node | 集群 节点
cloud aws azure gcp | 云 云服务
storage bucket s3 blob object disk | 存储 存储桶 对象存储 磁盘 硬盘
memory ram cache | 内存 缓存
memory remember recall knowledge graph | 记忆 记住 回忆 知识图谱
entity node object | 实体 节点
relation relationship edge link connection | 关系 关联 联系
cpu processor load usage performance | 处理器 负载 性能 占用
process program running task | 进程 运行 程序
log logging trace event | 日志 日志记录
network ip ping port connection | 网络 端口 连接 网速
security vulnerability threat risk attack malware virus | 安全 漏洞 威胁 风险 攻击 病毒
certificate ssl tls https | 证书
key token secret credential | 密钥 令牌
user account profile member | 用户 账号 账户 个人资料
setting configuration preference option configure | 设置 配置 选项 偏好
environment variable configuration | 环境变量 环境
command shell terminal execute bash console cli | 命令 终端 执行 命令行
size length large capacity | 大小 长度 容量
list all every | 所有 全部
detail information metadata info describe | 详情 信息 详细 元数据 属性
status state health condition | 状态 情况 健康
version release | 版本
device gadget hardware phone appliance iot sensor | 设备 硬件 手机 家电 传感器
phone mobile smartphone cell | 手机 移动
light lamp bulb brightness dim | 灯 灯光 亮度 台灯 调暗
switch toggle turn power | 开关 切换
thermostat heating cooling ac air conditioner temperature | 空调 暖气 温控 制冷 制热
lock unlock door | 锁 门锁 开门 锁门
curtain blind shade window | 窗帘 窗户 百叶窗
vacuum clean sweep robot | 扫地 扫地机器人 吸尘 清洁
speaker volume sound mute | 音箱 音量 静音 声音
scene routine automation mode | 场景 模式 自动化
energy electricity power consumption | 能源 电量 用电 电费
battery charge power | 电池 充电 电量
room bedroom kitchen living | 房间 卧室 客厅 厨房
sequence step think reasoning thought reason | 思考 推理 步骤 一步一步
brainstorm idea creative inspiration | 头脑风暴 创意 点子 灵感
prompt instruction | 提示词 提示 指令
ai artificial intelligence model llm gpt chatbot machine | 人工智能 大模型 模型 机器学习
embed embedding vector semantic similarity similar | 向量 语义 相似
unit measurement metric convert | 单位 度量 换算
weight mass kilogram pound heavy | 重量 体重 公斤 千克
height tall length | 身高 高度
age birthday birth old | 年龄 生日 出生
name title called | 名称 名字 标题
number digit numeric integer | 数字 数值 号码
popular trending top hot trend best | 热门 流行 趋势 热搜 热榜 排行榜
latest newest recent new | 最新 最近
random lottery draw | 彩票 抽奖
lottery lotto jackpot | 彩票 双色球
nearby local around close near | 附近 周边 周围
event activity happening | 活动 事件
hobby leisure fun entertainment activity | 爱好 休闲 娱乐 好玩
wedding marriage | 婚礼 结婚
volunteer charity donate donation nonprofit | 志愿 慈善 捐款 公益
space nasa astronomy planet star rocket | 太空 天文 行星 航天
chemical molecule compound drug | 化学 分子 化合物
gene protein dna genome | 基因 蛋白质
solve solution solver | 求解 解题 解答
quick fast speed instantly | 快速 速度
convert mp3 mp4 format | 转格式 格式转换
voice clone tts narration | 配音 声音克隆 旁白
avatar profile picture | 头像
domain name brand | 起名 取名
sign signature esign | 签名 签字 签署
print printer | 打印 打印机
license plate registration | 车牌
idiom proverb chinese | 成语
solar lunar almanac | 黄历 老黄历
constellation zodiac | 生肖 星座
express logistics courier | 快递 顺丰
subway metro station | 地铁站 车站
gasoline fuel petrol oil gas | 油价 加油 汽油 燃油
fly drone | 无人机
attraction sightseeing scenic landmark | 景区 名胜 景点
visa passport immigration | 签证 护照
hospital clinic appointment | 挂号 医院
blood pressure heart glucose | 血压 血糖 心率 心跳
pregnancy baby maternity | 怀孕 孕期
`
