/** Needs in our own words, `tool, tool that also serves | query`; English first, then Chinese in the same number. */
export const queriesText = `
repo_status | which files did I touch since the last commit
commit_changes | save my staged work with a message
list_branches | what branches exist on the remote
create_branch | start a branch for the login feature
show_diff | what changed between v1.2 and v1.3
blame_file | who wrote this line
revert_commit | undo a bad commit
open_pull_request | propose my branch for merging into main
merge_pull_request | accept PR 42 and merge it
create_issue | report a bug in the repository
search_issues | find open tickets about memory leaks
list_releases | what versions were published
add_review_comment | leave a remark on line 30 of the pull request
trigger_build | kick off the CI pipeline for develop
build_logs | why did the build fail, show its output
cancel_build | abort the running pipeline
list_containers | which docker containers are running
start_container | launch the stopped database container
container_logs | show what the container printed
build_image | create a docker image from this folder
list_pods | are any pods restarting in production
scale_deployment | run five replicas of the api
rollout_restart | restart the deployment
describe_node | how much capacity does this kubernetes node have
run_query | select the ten newest orders from the database
list_tables | which tables are in the public schema
describe_table | what columns does users have
explain_plan | why is this SQL statement slow
get_key | read a cached value
flush_cache | clear the whole cache
upload_object | store this backup in the bucket
download_object | get the report from s3
presign_url | share a temporary link to an object
list_alerts | what is alerting right now
silence_alert | mute this alert for two hours
error_rate | how many requests of checkout fail
latest_errors | newest exceptions with stack trace
search_logs | look through the logs for timeout
read_file | show me what is in config.yaml
write_file | save this text to a file
move_file | rename report.txt
list_directory | what is in this folder
delete_file | erase the temporary file
find_files | locate all typescript files
compress_folder | zip the folder
run_command | execute a bash command
open_page | go to a website in the browser
click_element | press the submit button on the page
fill_form | enter my address into the web form
take_screenshot | capture the page as a picture
fetch_url | get the text of this article from the web
web_search | look something up online
extract_links | collect all urls on a page
send_email | mail the report to my boss
search_inbox | find the message from Anna about the contract
reply_to_email | answer this email
mark_as_spam | this mail is junk
create_event | schedule a meeting for Friday at three
list_events | what is on my agenda this week
find_free_slot | when are we all available
cancel_event | call off the appointment
post_message | tell the team channel that we are live
add_task | remind me to buy milk
complete_task | I am done with this to-do
list_overdue | which tasks are late
create_note | jot down an idea
search_notes | where did I write about the budget
export_pdf | save the document as pdf
read_range | get the values in cells A1 to C10
append_row | add a line to the spreadsheet
make_chart | plot these numbers as a pie
create_deck | prepare powerpoint slides about our product
merge_pdfs | combine these pdf files
extract_text | read a scanned pdf
generate_image | draw a cat in space
resize_image | make this photo smaller
remove_background | cut the person out of the photo
transcribe_audio | write down what is said in this recording
text_to_speech | read this text aloud
cut_clip | trim the first minute of the video
add_subtitles | put captions on my video
translate_text | say this in German
detect_language | what language is this
current_conditions | is it cold outside right now
forecast | will it rain this weekend
air_quality | how polluted is the air in Beijing
directions | how do I get to the airport by car
nearby_places | is there a coffee shop close to me
geocode | coordinates of this address
stock_quote | current share price of Apple
convert_currency | how much is 100 dollars in euros
create_contact | add a new customer
create_invoice | bill the client
refund_payment | give the customer their money back
turn_on_light | switch on the lamp in the kitchen
set_brightness | dim the bedroom light
set_thermostat | make the living room warmer
lock_door | lock the front door
start_vacuum | clean the floor
play_song | put on some jazz
set_volume | turn it down a bit, too loud
set_alarm | wake me at seven
start_timer | ten minute countdown for the pasta
convert_timezone | what time is it in Tokyo
scan_dependencies | do we use packages with security holes
page_views | how many visitors did the site have
查询快递 | where is my parcel
repo_status | 看看哪些文件被修改了还没提交
commit_changes | 把暂存的改动提交
list_branches | 有哪些分支
create_branch | 新建一个分支
show_diff | 比较两个版本有什么差异
blame_file | 这一行代码是谁写的
open_pull_request | 提一个合并请求
merge_pull_request | 合并这个拉取请求
create_issue | 提交一个新的问题单
search_issues | 搜索还没关闭的缺陷
list_releases | 发布过哪些版本
trigger_build | 触发流水线构建
build_logs | 看一下构建日志
cancel_build | 取消正在跑的构建
list_containers | 列出正在运行的容器
start_container | 启动那个停掉的容器
container_logs | 查看容器日志
build_image | 构建一个镜像
list_pods | 命名空间里有哪些 pod
scale_deployment | 把副本数扩到五个
rollout_restart | 重启部署
run_query | 执行一条 SQL 查询
list_tables | 数据库里有哪些表
describe_table | 查看表结构和字段
explain_plan | 分析这条 SQL 的执行计划
flush_cache | 清空缓存
upload_object | 把备份文件上传到存储桶
download_object | 从存储桶下载文件
list_buckets | 列出所有存储桶
presign_url | 生成一个临时下载链接
query_metrics | 查询监控指标
list_alerts | 现在有哪些告警
silence_alert | 把这个告警静音两个小时
latest_errors | 最新的异常和堆栈
search_logs | 在日志里搜索超时
read_file | 读取文件内容
write_file | 把内容写入文件
move_file | 移动或重命名文件
list_directory | 列出目录下的文件
delete_file | 删除这个文件
find_files | 按名字查找文件
compress_folder | 把文件夹压缩成压缩包
run_command | 执行一条命令
open_page | 用浏览器打开网页
click_element | 点击页面上的按钮
fill_form | 自动填写网页表单
take_screenshot | 给网页截个图
fetch_url | 抓取网页内容转成文本
web_search | 上网搜索一下
extract_links | 提取页面上所有链接
send_email | 给老板发一封邮件
search_inbox | 在邮箱里找一封邮件
reply_to_email | 回复这封邮件
mark_as_spam | 把它标记为垃圾邮件
create_event | 在日历上新建一个会议
list_events | 我这周有什么日程安排
find_free_slot | 大家什么时候都有空
cancel_event | 取消这个日程
post_message | 在频道里发条消息
add_task | 添加一个待办事项
complete_task | 把任务标记为完成
list_overdue | 哪些任务已经过期
create_note | 记一条笔记
search_notes | 搜索我的笔记
export_pdf | 把文档导出为 PDF
read_range | 读取表格里的单元格
append_row | 在电子表格末尾追加一行
make_chart | 画一个柱状图
create_deck | 根据大纲生成幻灯片
merge_pdfs | 合并几个 PDF 文件
split_pdf | 把 PDF 按页拆分
extract_text | 提取 PDF 里的文字
generate_image | 根据描述生成一张图片
resize_image | 调整图片大小
remove_background | 给照片抠图去背景
transcribe_audio | 把录音转成文字
text_to_speech | 把文字朗读出来
add_subtitles | 给视频加字幕
translate_text | 把这段话翻译成英文
detect_language | 识别这是什么语言
current_conditions | 现在外面温度多少
forecast | 未来几天的天气预报
air_quality | 今天空气质量怎么样
directions, 路线规划 | 从家到公司怎么走
nearby_places | 附近有什么咖啡馆
stock_quote | 查一下股票最新价格
convert_currency | 一百美元换成人民币是多少
create_contact | 新增一个客户联系人
create_invoice | 给客户开发票
refund_payment | 给客户退款
turn_on_light | 打开客厅的灯
set_brightness | 把灯调暗一点
set_thermostat | 把空调温度调到二十六度
lock_door | 把门锁上
start_vacuum | 让扫地机器人打扫卫生
play_song | 放一首周杰伦的歌
set_volume | 音量调小一点
set_alarm | 明天早上七点叫我起床的闹钟
start_timer | 倒计时十分钟
scan_dependencies | 检查依赖有没有安全漏洞
查询快递 | 我的包裹到哪了
查询车票 | 买一张去上海的高铁票
请假申请 | 我想请两天年假
提交报销 | 报销出差的费用
预约挂号 | 帮我挂一个医生的号
`
