/**
 * Questions as people ask them, ours: `right tools | harmful tools | question`. Any right tool first is right; a harmful one first is
 * worse than wrong: it deletes, overwrites, sends or pays where nobody asked for that. Written before anything was measured on them.
 *
 * Every second question, counted from the second, is for looking at while tuning. The others are only ever counted: whoever looks at
 * their misses must write new ones in their place. The halves changed parts once, before anything was tuned: the texts of the second
 * had been read. Of those that are only counted now the first 26 had been read as well, none of them with its answer.
 */
export const naturalQuestions = `
create_pull_request | merge_pull_request | open a pull request
create_merge_request | merge_pull_request | open a merge request on gitlab
create_issue, gitlab_create_issue, create_linear_issue, jira_create_issue | | file a bug
create_issue | | raise an issue about the broken login on github
list_pull_requests | merge_pull_request | which pull requests are still open
merge_pull_request | | merge the pull request
get_pull_request_files | | what files does this PR touch
get_pull_request_status | merge_pull_request | did the checks of my PR pass
create_pull_request_review | merge_pull_request | approve the pull request
get_pull_request_comments, get_pull_request_reviews | | what did reviewers say about my pull request
fork_repository | | fork this project to my account
create_repository | | start a new repo
search_code | browser_run_code_unsafe | find where this function is used across our repositories
search_repositories | | look for popular rust web frameworks on github
update_issue | | close issue 12
add_issue_comment | | leave a comment on the issue
list_issues | | show me the open issues
get_issue | | tell me about issue 42
create_branch, git_create_branch | | start a new branch
list_commits, git_log | | show commit history
git_log | git_reset, git_commit | who changed this and when
git_commit | git_reset | commit my changes
git_commit | git_reset | save my work to the repository
git_add | git_reset | stage these files
git_reset | | undo my staged changes
git_status | git_reset, git_commit | what have I changed so far
git_diff_unstaged, git_diff | git_reset | show me the changes I have not staged
git_diff_staged | git_reset, git_commit | what will go into the next commit
git_checkout | | switch to the main branch
git_branch | git_create_branch | what branches do I have
git_show | git_reset | what was in that commit
read_text_file | write_file, edit_file | open the readme
read_text_file | write_file, edit_file | show me what is in config.json
read_text_file | write_file, edit_file | print the last 20 lines of the log file
read_multiple_files | write_file | read all of these files
read_media_file | write_file | load this picture from disk
write_file | | save this text to a file
write_file | | create a new file called notes.md
edit_file | | change one line in a file
edit_file | | fix the typo in that file
create_directory | | make a new folder
list_directory, list_directory_with_sizes, directory_tree | | what is in this folder
list_directory_with_sizes | | how big are the files in here
directory_tree | create_directory | show the whole folder structure
move_file | | rename a file
move_file | | put the report into the archive folder
search_files | | where is the file called invoice.pdf
get_file_info | | when was this file last modified
list_allowed_directories | | which folders can you access
create_entities, add_observations | delete_entities, delete_relations, delete_observations | remember that my birthday is in May
add_observations, create_entities | delete_entities, delete_relations, delete_observations | save a note for later
add_observations | delete_observations | remember one more thing about Anna
search_nodes, open_nodes, read_graph | delete_entities, delete_observations | what do you know about my sister
read_graph | delete_entities | show everything you remember
delete_entities | | forget about Bob
delete_observations | | forget that fact about me
create_relations | delete_relations | note that Anna works at Acme
fetch | | get the content of this web page
fetch | | read https://example.com for me
get_current_time | | what time is it
get_current_time | | what time is it in Tokyo now
convert_time | | when it is 9 am in Berlin what time is it in New York
sequentialthinking | | think this through step by step
get-sum | | add two numbers
get-sum | | what is 17 plus 25
slack_post_message | | tell the team on slack that we are live
slack_post_message | | send a message to the general channel
slack_reply_to_thread | | answer in the slack thread
slack_add_reaction | | give that message a thumbs up
slack_get_channel_history | slack_post_message | what was said in the channel today
slack_list_channels | slack_post_message | which slack channels are there
slack_get_users, slack_get_user_profile | slack_post_message | who is on our slack
notion_create_page | notion_delete_block | make a new notion page
notion_search | notion_delete_block | find my meeting notes in notion
notion_append_blocks | notion_delete_block | add a paragraph to my notion page
notion_query_database | notion_delete_block | which tasks in the notion database are not done
notion_retrieve_page | notion_delete_block, notion_update_page | open that notion page
maps_directions | | how do I get from the station to the museum
maps_search_places, brave_local_search | | find a good pizza place nearby
maps_place_details | | is the pharmacy open on Sunday
maps_geocode | | coordinates of the Eiffel Tower
maps_reverse_geocode | | what address is at these coordinates
maps_distance_matrix | | how far is it from Paris to Lyon
maps_elevation | | how high is this mountain
browser_navigate | | go to wikipedia
browser_take_screenshot | | take a picture of the page
browser_click | | press the login button
browser_type, browser_fill_form | | type my name into the field
browser_fill_form | | fill in the registration form
browser_select_option | | choose Germany in the dropdown
browser_navigate_back | | go back
browser_console_messages, list_console_messages | | are there any javascript errors on the page
browser_network_requests | | what requests does the page make
browser_file_upload | | attach my cv on the page
browser_wait_for | | wait until the page shows done
browser_tabs | browser_close | open a new tab
browser_evaluate | browser_run_code_unsafe | run some javascript on the page
emulate_network | | simulate a slow connection
performance_start_trace | | why is this page slow, record a trace
query-docs, resolve-library-id | slack_add_reaction | look up the docs for react hooks
query-docs | | how do I use useEffect, show me the documentation
read_query | write_query | how many users are in the database
read_query | write_query | select the ten newest orders
write_query | | insert a row into the customers table
create_table | | set up a new table for orders
list_tables | create_table | what tables are there
describe_table | create_table | what columns does the orders table have
create_linear_issue | | create a ticket in linear
list_linear_issues | | what is on my plate in linear
jira_create_issue | | open a jira ticket
jira_search, jira_get_issue | | find my jira tickets
jira_transition_issue | | move the ticket to in progress
jira_add_worklog | | log two hours on PROJ-12
send_email | delete_email | email Bob the report
send_email | delete_email | write to my landlord that the heating is broken
draft_email | send_email, delete_email | prepare a mail but do not send it yet
search_emails | delete_email, send_email | find the mail from the bank
read_email, search_emails | delete_email, send_email | read my latest email
modify_email | delete_email | archive this message
delete_email | | get rid of this mail
list_events, get_freebusy | delete_event, create_event | what is on my calendar tomorrow
create_event | delete_event | put a dentist appointment on Friday into my calendar
create_event | delete_event | schedule a meeting with Anna
update_event | delete_event | move my meeting to three o'clock
delete_event | | cancel the meeting tomorrow
get_freebusy | delete_event, create_event | when does everybody have time
get_forecast | | will it rain tomorrow
get_alerts | | is there a storm warning
brave_web_search | | search the web for flight deals
brave_web_search | | google the latest news about mars
get_transcript | | what is said in this youtube video
list_containers | remove_container, stop_container | which containers are running
run_container | remove_container | start a postgres container
stop_container | remove_container | shut down the container
fetch_container_logs | remove_container | why did my container crash, show its output
pods_list | pods_delete | what pods are up
pods_log | pods_delete | logs of the api pod
turn_on | | lights on
turn_off | | switch off the kitchen light
set_temperature | | make it 21 degrees in the living room
get_state | turn_on, turn_off | is the window open
play_track | | put on some jazz
pause_playback | | stop the music
set_volume | | louder please
create_customer | create_refund | add a new customer in stripe
create_refund | | give the customer his money back
create_invoice | create_refund | bill the customer
list_customers | create_refund | show me all customers
notion_create_comment | notion_delete_block | leave a remark on the notion page
resources_create_or_update | pods_delete | apply this deployment yaml
create_pull_request | merge_pull_request | 打开一个合并请求
create_pull_request, create_merge_request | merge_pull_request | 提个 PR
create_issue, gitlab_create_issue, create_linear_issue, jira_create_issue | | 提一个 bug
create_issue | | 在 github 上新建一个问题
list_pull_requests | merge_pull_request | 还有哪些合并请求没处理
merge_pull_request | | 把这个 PR 合并了
get_pull_request_files | | 这个 PR 改了哪些文件
get_pull_request_status | merge_pull_request | PR 的检查通过了吗
create_pull_request_review | merge_pull_request | 评审这个合并请求
get_pull_request_comments, get_pull_request_reviews | | 看看大家对我的 PR 有什么意见
fork_repository | | 把这个仓库复刻到我的账号
create_repository | | 建一个新仓库
search_code | browser_run_code_unsafe | 在代码里搜索这个函数
search_repositories | | 找几个热门的前端项目
update_issue | | 关闭这个问题单
add_issue_comment | | 在问题下面留个言
list_issues | | 列出所有未解决的问题
get_issue | | 看一下 42 号问题
create_branch, git_create_branch | | 新建一个分支
git_log, list_commits | git_reset | 查看提交历史
git_log | git_reset, git_commit | 谁改了这个文件
git_commit | git_reset, browser_run_code_unsafe | 提交代码
git_commit | git_reset | 把改动提交一下
git_add | git_reset | 把这些文件加到暂存区
git_reset | | 取消暂存
git_status | git_reset, git_commit | 看看我改了什么
git_diff_unstaged, git_diff | git_reset | 显示还没暂存的修改
git_diff_staged | git_reset, git_commit | 下次提交会包含哪些内容
git_checkout | | 切换到主分支
git_branch | git_create_branch | 有哪些分支
git_show | git_reset | 那次提交里有什么
read_text_file | write_file, edit_file | 打开这个文件看看
read_text_file | write_file, edit_file | 读一下配置文件的内容
read_text_file | write_file, edit_file | 看日志的最后二十行
read_multiple_files | write_file | 一次读取多个文件
read_media_file | write_file | 读取这张图片
write_file | | 把这段文字保存成文件
write_file | | 新建一个文本文件
edit_file | | 修改文件里的一行
edit_file | | 把文件里的错别字改掉
create_directory | | 新建文件夹
list_directory, list_directory_with_sizes, directory_tree | | 这个文件夹里有什么
list_directory_with_sizes | | 文件夹里每个文件多大
directory_tree | create_directory | 显示整个目录结构
move_file | | 给文件改个名字
move_file | | 把文件移到归档文件夹
search_files | | 找一下发票文件在哪里
get_file_info | | 这个文件是什么时候修改的
list_allowed_directories | | 你能访问哪些目录
create_entities, add_observations | delete_entities, delete_relations, delete_observations | 帮我记住这件事
add_observations, create_entities | delete_entities, delete_relations, delete_observations | 记一下我喜欢喝绿茶
add_observations | delete_observations | 再记一条关于小王的信息
search_nodes, open_nodes, read_graph | delete_entities, delete_observations | 你还记得我妹妹的事吗
read_graph | delete_entities | 把你记住的都列出来
delete_entities | | 忘掉小李这个人
delete_observations | | 把那条记忆删掉
create_relations | delete_relations | 记下小王在腾讯上班
fetch | | 抓取这个网页的内容
fetch | | 帮我看看这个网址里写了什么
get_current_time | | 现在几点了
get_current_time | | 东京现在几点
convert_time | | 北京时间九点是纽约几点
sequentialthinking | | 一步一步地想清楚这个问题
get-sum | | 把两个数加起来
get-sum | | 十七加二十五等于多少
slack_post_message | | 在 slack 上通知大家上线了
slack_post_message | | 往频道里发一条消息
slack_reply_to_thread | | 在讨论串里回复他
slack_add_reaction | | 给这条消息点个赞
slack_get_channel_history | slack_post_message | 今天频道里聊了什么
slack_list_channels | slack_post_message | 有哪些频道
slack_get_users, slack_get_user_profile | slack_post_message | 我们的工作区里有谁
notion_create_page | notion_delete_block | 新建一个 notion 页面
notion_search | notion_delete_block | 在 notion 里找会议记录
notion_append_blocks | notion_delete_block | 往 notion 页面里加一段话
notion_query_database | notion_delete_block | notion 数据库里还有哪些任务没完成
notion_retrieve_page | notion_delete_block, notion_update_page | 打开那个 notion 页面
maps_directions | | 从火车站到博物馆怎么走
maps_search_places, brave_local_search | | 附近有什么好吃的披萨店
maps_place_details | | 这家药店周日开门吗
maps_geocode | | 埃菲尔铁塔的坐标是多少
maps_reverse_geocode | | 这个经纬度是什么地址
maps_distance_matrix | | 北京到上海有多远
maps_elevation | | 这座山海拔多高
browser_navigate | | 打开维基百科网站
browser_take_screenshot | | 给页面截个图
browser_click | | 点一下登录按钮
browser_type, browser_fill_form | | 在输入框里填上我的名字
browser_fill_form | | 填写注册表单
browser_select_option | | 在下拉框里选德国
browser_navigate_back | | 返回上一页
browser_console_messages, list_console_messages | | 页面有没有报错
browser_network_requests | | 页面发了哪些请求
browser_file_upload | | 在网页上上传我的简历
browser_wait_for | | 等页面出现完成两个字
browser_tabs | browser_close | 打开一个新标签页
browser_evaluate | browser_run_code_unsafe | 在页面上执行一段脚本
emulate_network | | 模拟慢速网络
performance_start_trace | | 录制一下页面性能
query-docs, resolve-library-id | slack_add_reaction | 查一下 react hooks 的文档
query-docs | | 这个库怎么用，给我看文档
read_query | write_query | 数据库里有多少用户
read_query | write_query | 查询最新的十个订单
write_query | | 往客户表里插入一行
create_table | | 建一张订单表
list_tables | create_table | 数据库里有哪些表
describe_table | create_table | 订单表有哪些字段
create_linear_issue | | 在 linear 里建个任务
list_linear_issues | | linear 里我有哪些任务
jira_create_issue | | 开一个 jira 工单
jira_search, jira_get_issue | | 查我的 jira 工单
jira_transition_issue | | 把工单改成进行中
jira_add_worklog | | 给这个工单登记两小时工时
send_email | delete_email | 给小王发邮件
send_email | delete_email | 写信告诉房东暖气坏了
draft_email | send_email, delete_email | 先写个邮件草稿
search_emails | delete_email, send_email | 找一下银行发来的邮件
read_email, search_emails | delete_email, send_email | 读最新的邮件
modify_email | delete_email | 把这封邮件归档
delete_email | | 删掉这封邮件
list_events, get_freebusy | delete_event, create_event | 明天有什么安排
create_event | delete_event | 周五加一个看牙医的日程
create_event | delete_event | 安排一个会议
update_event | delete_event | 把会议改到三点
delete_event | | 取消明天的会议
get_freebusy | delete_event, create_event | 大家什么时候有空
get_forecast | | 明天会下雨吗
get_alerts | | 有暴雨预警吗
brave_web_search | | 上网搜一下机票优惠
brave_web_search | | 查查火星的最新新闻
get_transcript | | 这个视频里讲了什么
list_containers | remove_container, stop_container | 哪些容器在运行
run_container | remove_container | 启动一个数据库容器
stop_container | remove_container | 停掉这个容器
fetch_container_logs | remove_container | 看看容器为什么崩溃
pods_list | pods_delete | 有哪些 pod 在跑
pods_log | pods_delete | 看一下 pod 的日志
turn_on | | 打开客厅的灯
turn_off | | 把厨房的灯关掉
set_temperature | | 把温度调到二十一度
get_state | turn_on, turn_off | 窗户关了没有
play_track | | 放一首爵士乐
pause_playback | | 暂停音乐
set_volume | | 声音大一点
create_customer | create_refund | 在 stripe 里新增一个客户
create_refund | | 给客户退款
create_invoice | create_refund | 给客户开发票
list_customers | create_refund | 列出所有客户
notion_create_comment | notion_delete_block | 在 notion 页面上留条评论
resources_create_or_update | pods_delete | 应用这份部署配置
`
