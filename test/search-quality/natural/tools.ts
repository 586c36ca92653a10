/**
 * The tools of reference servers and of popular public ones, by their real names and parameters, described in our own words:
 * `source | name | description | parameters`.
 */
export const naturalTools = `
filesystem | read_text_file | Reads a file as text, whole or only its first or last lines | path, head, tail
filesystem | read_media_file | Reads an image or audio file and returns it encoded with its type | path
filesystem | read_multiple_files | Reads several files in one go; one that fails does not stop the others | paths
filesystem | write_file | Makes a file with the given content, or overwrites the one that is there without asking | path, content
filesystem | edit_file | Replaces exact lines in a text file and returns a diff | path, edits, dryRun
filesystem | create_directory | Makes a folder, with its parents where they are missing | path
filesystem | list_directory | Names what is in a folder, files and folders marked as such | path
filesystem | list_directory_with_sizes | Names what is in a folder together with how big each file is | path, sortBy
filesystem | directory_tree | Gives a folder and all below it as nested JSON | path, excludePatterns
filesystem | move_file | Moves or renames a file or folder; fails where the target exists | source, destination
filesystem | search_files | Looks for files and folders whose name matches a pattern, in all subfolders | path, pattern, excludePatterns
filesystem | get_file_info | Size, times, permissions and type of a file or folder | path
filesystem | list_allowed_directories | Which folders this server may touch | 
git | git_status | Shows the state of the working tree | repo_path
git | git_diff_unstaged | Shows changes in the working directory that are not staged | repo_path, context_lines
git | git_diff_staged | Shows changes that are staged for the next commit | repo_path, context_lines
git | git_diff | Shows differences between branches or commits | repo_path, target, context_lines
git | git_commit | Records the staged changes in the repository | repo_path, message
git | git_add | Adds file contents to the staging area | repo_path, files
git | git_reset | Takes all staged changes out of the staging area | repo_path
git | git_log | Shows the commit history | repo_path, max_count, start_timestamp
git | git_create_branch | Makes a new branch, from another one if told | repo_path, branch_name, base_branch
git | git_checkout | Switches to another branch | repo_path, branch_name
git | git_show | Shows what a commit contains | repo_path, revision
git | git_branch | Lists branches, local or remote | repo_path, branch_type
memory | create_entities | Adds new entities to the knowledge graph | entities
memory | create_relations | Connects entities of the knowledge graph by new relations | relations
memory | add_observations | Adds facts to entities that are there already | observations
memory | delete_entities | Takes entities and their relations out of the knowledge graph | entityNames
memory | delete_observations | Takes single facts away from entities | deletions
memory | delete_relations | Takes relations out of the knowledge graph | relations
memory | read_graph | Gives the whole knowledge graph | 
memory | search_nodes | Looks for nodes of the knowledge graph by words | query
memory | open_nodes | Gives certain nodes of the knowledge graph by name | names
fetch | fetch | Gets a page from the internet by its URL and turns it into markdown | url, max_length, start_index, raw
time | get_current_time | The time now in a time zone | timezone
time | convert_time | Converts a time of day from one time zone to another | source_timezone, time, target_timezone
thinking | sequentialthinking | Works through a problem in numbered thoughts that may be revised | thought, nextThoughtNeeded, thoughtNumber, totalThoughts
everything | echo | Gives back what it was sent | message
everything | get-sum | Returns the sum of two numbers | a, b
everything | get-env | Shows the environment variables of the server, for debugging | 
everything | get-tiny-image | Returns a very small picture | 
github | create_or_update_file | Writes one file in a repository, new or existing | owner, repo, path, content, message, branch, sha
github | search_repositories | Looks for repositories on GitHub | query, page, perPage
github | create_repository | Makes a new repository in your account | name, description, private, autoInit
github | get_file_contents | Gets a file or folder of a repository | owner, repo, path, branch
github | push_files | Pushes several files in a single commit | owner, repo, branch, files, message
github | create_issue | Makes a new issue in a repository | owner, repo, title, body, assignees, labels
github | create_pull_request | Makes a new pull request in a repository | owner, repo, title, body, head, base, draft
github | fork_repository | Forks a repository to your account or an organisation | owner, repo, organization
github | create_branch | Makes a new branch in a repository | owner, repo, branch, from_branch
github | list_commits | Lists the commits of a branch | owner, repo, sha, page
github | list_issues | Lists the issues of a repository, with filters | owner, repo, state, labels, sort
github | update_issue | Changes an issue: title, body, state, labels, assignees | owner, repo, issue_number, title, body, state
github | add_issue_comment | Adds a comment to an issue | owner, repo, issue_number, body
github | search_code | Looks for code across repositories | q, page, per_page
github | search_issues | Looks for issues and pull requests across repositories | q, sort, order
github | search_users | Looks for people on GitHub | q, sort
github | get_issue | Details of one issue | owner, repo, issue_number
github | get_pull_request | Details of one pull request | owner, repo, pull_number
github | list_pull_requests | Lists the pull requests of a repository, with filters | owner, repo, state, head, base
github | create_pull_request_review | Makes a review of a pull request: approve, ask for changes or comment | owner, repo, pull_number, body, event, comments
github | merge_pull_request | Merges a pull request | owner, repo, pull_number, merge_method
github | get_pull_request_files | Which files a pull request changes | owner, repo, pull_number
github | get_pull_request_status | Whether all checks of a pull request passed | owner, repo, pull_number
github | update_pull_request_branch | Brings a pull request's branch up to date with its base | owner, repo, pull_number
github | get_pull_request_comments | Review comments on a pull request | owner, repo, pull_number
github | get_pull_request_reviews | Reviews of a pull request | owner, repo, pull_number
gitlab | create_merge_request | Makes a new merge request in a project | project_id, title, description, source_branch, target_branch
gitlab | create_project | Makes a new GitLab project | name, description, visibility
gitlab | gitlab_create_issue | Makes a new issue in a GitLab project | project_id, title, description, labels
gitlab | search_projects | Looks for GitLab projects | search, page
gitlab | get_project_file | Gets a file or folder of a GitLab project | project_id, file_path, ref
slack | slack_list_channels | Lists public channels of the workspace | limit, cursor
slack | slack_post_message | Posts a new message to a channel | channel_id, text
slack | slack_reply_to_thread | Replies to a message in its thread | channel_id, thread_ts, text
slack | slack_add_reaction | Adds an emoji reaction to a message | channel_id, timestamp, reaction
slack | slack_get_channel_history | Recent messages of a channel | channel_id, limit
slack | slack_get_thread_replies | All replies in a thread | channel_id, thread_ts
slack | slack_get_users | All people of the workspace with their profiles | cursor, limit
slack | slack_get_user_profile | The profile of one person | user_id
notion | notion_search | Looks for pages and databases by title | query, filter
notion | notion_create_page | Makes a page below another page or in a database | parent, properties, children
notion | notion_retrieve_page | Gets a page with its properties | page_id
notion | notion_update_page | Changes the properties of a page | page_id, properties
notion | notion_append_blocks | Adds paragraphs and other blocks at the end of a page | block_id, children
notion | notion_delete_block | Puts a block into the trash | block_id
notion | notion_query_database | Gets the rows of a database, filtered and sorted | database_id, filter, sorts
notion | notion_create_comment | Adds a comment to a page | parent, rich_text
maps | maps_geocode | Turns an address into coordinates | address
maps | maps_reverse_geocode | Turns coordinates into an address | latitude, longitude
maps | maps_search_places | Looks for places such as restaurants near a location | query, location, radius
maps | maps_place_details | Opening hours, ratings and contact of a place | place_id
maps | maps_distance_matrix | Distance and travel time between several origins and destinations | origins, destinations, mode
maps | maps_elevation | Height above sea level of locations | locations
maps | maps_directions | The way from one place to another, step by step | origin, destination, mode
browser | browser_navigate | Goes to a URL | url
browser | browser_navigate_back | Goes back to the page before | 
browser | browser_snapshot | Captures the accessibility tree of the page, better than a picture for acting | 
browser | browser_take_screenshot | Takes a picture of the page or of one element | type, filename, element, fullPage
browser | browser_click | Clicks on an element of the page | element, ref, button, doubleClick
browser | browser_hover | Moves the pointer over an element | element, ref
browser | browser_type | Types text into a field | element, ref, text, submit
browser | browser_press_key | Presses a key on the keyboard | key
browser | browser_fill_form | Fills in several fields of a form | fields
browser | browser_select_option | Chooses an entry of a drop-down | element, ref, values
browser | browser_file_upload | Uploads files through the page's file chooser | paths
browser | browser_handle_dialog | Accepts or dismisses a dialog | accept, promptText
browser | browser_drag | Drags one element onto another | startElement, endElement
browser | browser_evaluate | Runs a JavaScript expression on the page | function
browser | browser_run_code_unsafe | Runs arbitrary code against the browser, without any safety | code
browser | browser_console_messages | What the page wrote to its console | level
browser | browser_network_requests | All requests that the page has made | includeStatic
browser | browser_wait_for | Waits for text to appear or disappear, or for some time | time, text, textGone
browser | browser_resize | Changes the size of the browser window | width, height
browser | browser_tabs | Lists, opens, closes or chooses a tab | action, index
browser | browser_close | Closes the page | 
devtools | performance_start_trace | Starts recording a performance trace of the page | reload, autoStop
devtools | performance_stop_trace | Ends the recording of a performance trace | 
devtools | emulate_network | Throttles the network of the page, as on a slow phone | throttlingOption
devtools | list_console_messages | Lists what was logged on the current page | types
context7 | resolve-library-id | Turns the name of a library into the id that documentation is filed under | libraryName
context7 | query-docs | Gets up-to-date documentation and code examples of a library | libraryId, query
sqlite | read_query | Runs a SELECT on the database | query
sqlite | write_query | Runs INSERT, UPDATE or DELETE on the database | query
sqlite | create_table | Makes a new table in the database | query
sqlite | list_tables | Lists the tables of the database | 
sqlite | describe_table | Columns and types of a table | table_name
sqlite | append_insight | Adds a business insight to the memo | insight
linear | create_linear_issue | Makes a new issue for a team | title, description, teamId, priority
linear | update_linear_issue | Changes title, state, priority or assignee of an issue | id, title, stateId
linear | list_linear_issues | Lists issues by team, state or assignee | teamId, state, assignee
linear | linear_add_comment | Adds a comment to an issue | issueId, body
jira | jira_search | Looks for Jira tickets with JQL | jql, limit
jira | jira_get_issue | Details of a Jira ticket | issue_key
jira | jira_create_issue | Makes a Jira ticket | project_key, summary, issue_type
jira | jira_transition_issue | Moves a Jira ticket to another status | issue_key, transition_id
jira | jira_add_worklog | Logs time spent on a Jira ticket | issue_key, time_spent
gmail | send_email | Sends an email | to, subject, body, cc
gmail | draft_email | Writes an email as a draft without sending it | to, subject, body
gmail | read_email | Gets the content of one email | messageId
gmail | search_emails | Looks for emails with Gmail's search words | query, maxResults
gmail | delete_email | Deletes an email for good | messageId
gmail | modify_email | Adds or removes labels of an email, for example to archive it | messageId, addLabelIds, removeLabelIds
calendar | list_events | Lists the events of a calendar in a period | calendarId, timeMin, timeMax
calendar | create_event | Puts a new event into a calendar | summary, start, end, attendees
calendar | update_event | Changes an event | eventId, summary, start, end
calendar | delete_event | Deletes an event | eventId
calendar | get_freebusy | When people are free or busy | calendars, timeMin, timeMax
weather | get_forecast | Weather of the coming days at a place | latitude, longitude, days
weather | get_alerts | Severe weather warnings for a region | state
search | brave_web_search | Searches the web | query, count, offset
search | brave_local_search | Searches for local businesses and places | query, count
youtube | get_transcript | The subtitles of a video as text | url, lang
docker | list_containers | Lists containers, running or all | all
docker | run_container | Makes and starts a container from an image | image, name, ports
docker | stop_container | Stops a running container | container_id
docker | remove_container | Removes a container | container_id, force
docker | fetch_container_logs | What a container wrote | container_id, tail
kubernetes | pods_list | Lists the pods of the cluster or of a namespace | namespace
kubernetes | pods_log | The log of a pod | name, namespace, container
kubernetes | pods_delete | Deletes a pod | name, namespace
kubernetes | resources_create_or_update | Applies a resource given as YAML or JSON | resource
home | turn_on | Switches a device on | entity_id
home | turn_off | Switches a device off | entity_id
home | set_temperature | Sets the target temperature of a thermostat | entity_id, temperature
home | get_state | The state of a sensor or device | entity_id
music | play_track | Plays a song or album | query
music | pause_playback | Pauses the music | 
music | set_volume | Sets how loud the music is | percent
stripe | create_customer | Makes a customer | name, email
stripe | list_customers | Lists customers | limit, email
stripe | create_refund | Refunds a payment | payment_intent, amount
stripe | create_invoice | Makes an invoice for a customer | customer, days_until_due
`
