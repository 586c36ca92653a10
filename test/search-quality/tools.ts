/**
 * A catalog such as a developer with an office and a home might have, in our own words: `source | name | description |
 * parameters`. A fifth of it is described in Chinese.
 */
export const catalogText = `
git | repo_status | Show which files in the working tree are modified, staged or untracked | path
git | commit_changes | Record staged changes with a message | message, author
git | list_branches | List local and remote branches | remote
git | create_branch | Start a new branch from a given revision | name, from
git | show_diff | Show line by line differences between two revisions | base, head
git | blame_file | Show who last touched each line of a file | path
git | revert_commit | Undo a commit by adding its inverse | revision
github | open_pull_request | Open a pull request from one branch into another | title, body, head, base
github | merge_pull_request | Merge an approved pull request | number, method
github | create_issue | File a new issue with title, body and labels | title, body, labels
github | search_issues | Search issues and pull requests by text, label or author | query, state
github | list_releases | List published releases of a repository | owner, repo
github | add_review_comment | Comment on a line of a pull request | number, path, line, body
ci | trigger_build | Run the pipeline for a branch | pipeline, branch
ci | build_logs | Read the output of a finished or running build | build_id
ci | cancel_build | Stop a running pipeline | build_id
docker | list_containers | List containers with their state and ports | all
docker | start_container | Start a stopped container | container
docker | container_logs | Read what a container printed | container, tail
docker | build_image | Build an image from a Dockerfile | context, tag
kube | list_pods | List pods of a namespace with phase and restarts | namespace
kube | scale_deployment | Change the number of replicas of a deployment | name, replicas
kube | rollout_restart | Restart all pods of a deployment one after another | name
kube | describe_node | Capacity, conditions and taints of a node | node
postgres | run_query | Execute a read-only SQL statement and return the rows | sql, limit
postgres | list_tables | List tables of a schema with their row counts | schema
postgres | describe_table | Columns, types and indexes of one table | table
postgres | explain_plan | Show how the planner would execute a statement | sql
redis | get_key | Read a value from the cache | key
redis | flush_cache | Drop every key of the cache | database
s3 | upload_object | Put a file into a bucket | bucket, key, path
s3 | download_object | Fetch an object from a bucket to disk | bucket, key
s3 | list_buckets | List all buckets of the account |
s3 | presign_url | Make a temporary link to an object | bucket, key, expires
monitoring | query_metrics | Evaluate a time series expression over a range | expression, start, end
monitoring | list_alerts | List alerts that are firing now | severity
monitoring | silence_alert | Mute an alert for some hours | alert, hours
monitoring | error_rate | Share of failed requests of a service | service, window
sentry | latest_errors | Newest exceptions of a project with stack traces | project
logs | search_logs | Full text search over application logs | query, from, to
filesystem | read_file | Return the content of a text file | path
filesystem | write_file | Create a file or replace what is in it | path, content
filesystem | move_file | Move or rename a file or folder | source, target
filesystem | list_directory | List the entries of a folder | path
filesystem | delete_file | Remove a file for good | path
filesystem | find_files | Find files whose name matches a glob | pattern
filesystem | compress_folder | Pack a folder into a zip archive | path, target
shell | run_command | Execute a shell command and return its output | command, timeout
browser | open_page | Load a web page and wait until it is quiet | url
browser | click_element | Click a button or link on the page | selector
browser | fill_form | Type values into the fields of a form | fields
browser | take_screenshot | Save a picture of the visible page | full_page
web | fetch_url | Download a page and convert it to Markdown | url
web | web_search | Search the internet and return titles, links and snippets | query, count
web | extract_links | Collect every hyperlink of a page | url
mail | send_email | Send an email to one or more recipients | to, subject, body, attachments
mail | search_inbox | Find messages in the mailbox by sender, subject or text | query
mail | reply_to_email | Answer a message in its thread | message_id, body
mail | mark_as_spam | Move a message to the junk folder | message_id
calendar | create_event | Put an appointment into the calendar | title, start, end, attendees
calendar | list_events | Show what is planned in a period | from, to
calendar | find_free_slot | Find a time when all participants are available | attendees, duration
calendar | cancel_event | Remove an appointment and tell the attendees | event_id
chat | post_message | Write to a channel or a person | channel, text
chat | list_channels | List the channels one can join |
chat | upload_attachment | Share a file in a conversation | channel, path
tasks | add_task | Put an item on a to-do list | title, due
tasks | complete_task | Tick off an item | task_id
tasks | list_overdue | Items whose due date has passed | list
notes | create_note | Write down a note | title, text
notes | search_notes | Find notes by their words | query
docs | create_document | Make a new text document | title
docs | export_pdf | Save a document as PDF | document_id
docs | add_comment | Leave a remark on a passage | document_id, range, text
sheets | read_range | Read cells of a spreadsheet | sheet, range
sheets | append_row | Add a row at the end of a sheet | sheet, values
sheets | make_chart | Draw a bar, line or pie chart from a range | range, kind
slides | create_deck | Generate a slide presentation from an outline | outline
pdf | merge_pdfs | Join several PDF files into one | files
pdf | split_pdf | Cut a PDF into single pages | file
pdf | extract_text | Read the text of a PDF, scanned pages included | file
image | generate_image | Paint a picture from a description | prompt, size
image | resize_image | Scale an image to given dimensions | file, width, height
image | remove_background | Cut out the subject of a photo | file
audio | transcribe_audio | Turn speech into text | file, language
audio | text_to_speech | Read a text aloud with a synthetic voice | text, voice
video | cut_clip | Trim a video between two times | file, start, end
video | add_subtitles | Burn captions into a video | file, subtitles
translate | translate_text | Translate text between languages | text, target
translate | detect_language | Tell which language a text is in | text
weather | current_conditions | Temperature, wind and humidity at a place now | city
weather | forecast | Daily outlook for the next ten days | city, days
weather | air_quality | Particulate matter and ozone at a place | city
maps | directions | Route between two places by car, bike or on foot | from, to, mode
maps | nearby_places | Shops, cafes and other places around a point | kind, radius
maps | geocode | Turn an address into coordinates | address
finance | stock_quote | Latest price of a share | symbol
finance | convert_currency | Convert an amount between currencies | amount, from, to
finance | company_earnings | Quarterly results of a listed company | symbol
crm | create_contact | Add a person to the customer database | name, email, phone
crm | update_deal | Change stage or amount of a sales opportunity | deal_id, stage, amount
crm | list_leads | Leads that nobody has called yet | owner
billing | create_invoice | Issue an invoice to a customer | customer, lines
billing | refund_payment | Give money back for a charge | payment_id, amount
home | turn_on_light | Switch on the lamps of a room | room
home | set_brightness | Dim or brighten a lamp | lamp, percent
home | set_thermostat | Set the target temperature of the heating | room, degrees
home | lock_door | Lock or unlock an entrance | door
home | open_blinds | Raise or lower the shades of a window | window, percent
home | start_vacuum | Send the robot to clean the floor | room
media | play_song | Play music by title or artist | query
media | set_volume | Make the speaker louder or quieter | percent
media | next_track | Skip to the following song |
clock | set_alarm | Wake up at a time | time, days
clock | start_timer | Count down minutes and ring | minutes
clock | convert_timezone | What time it is elsewhere | time, from, to
security | scan_dependencies | Look for known vulnerabilities in the packages of a project | path
security | rotate_secret | Replace a stored credential with a fresh one | name
analytics | page_views | Visits of a website by day and source | site, from, to
地图 | 路线规划 | 规划两地之间的驾车、公交或步行路线 | 起点, 终点
快递 | 查询快递 | 根据运单号查询包裹的物流轨迹 | 运单号
火车 | 查询车票 | 查询两站之间的高铁和火车余票 | 出发站, 到达站, 日期
酒店 | 预订酒店 | 按城市和日期预订客房 | 城市, 入住, 离店
外卖 | 点外卖 | 从附近餐厅下单送餐 | 餐厅, 菜品
考勤 | 请假申请 | 提交年假、病假或事假申请 | 类型, 开始, 结束
考勤 | 打卡记录 | 查看员工上下班打卡时间 | 员工, 月份
报销 | 提交报销 | 上传发票并提交费用报销单 | 金额, 发票
审批 | 审批通过 | 同意一条待处理的审批单 | 单号
会议室 | 预订会议室 | 查看空闲会议室并预订 | 日期, 人数
知识库 | 搜索文档 | 在公司知识库中全文检索 | 关键词
飞书 | 发送群消息 | 向飞书群聊发送文本或卡片消息 | 群, 内容
百科 | 查询词条 | 查询百科词条的解释 | 词条
彩票 | 开奖结果 | 查询双色球和大乐透的开奖号码 | 期号
生活 | 水电缴费 | 缴纳水费、电费和燃气费 | 户号, 金额
医院 | 预约挂号 | 预约医院科室和医生的门诊号 | 医院, 科室
诗词 | 古诗鉴赏 | 查询古诗原文并给出赏析 | 标题
`
