import { milliseconds, whole } from './kinds-of-value.js'
import { section, setting } from './setting.js'

const count = (least: number) => whole(least, 1_000_000)

const retry = section('Trying again', {
  attempts: setting(whole(1, 10), {
    about:
      'How often a call is tried in all. Tried again is only what surely never ran, or a tool marked as idempotent',
    default: 1,
    env: ['PEGBOARD_CALLS_RETRY_ATTEMPTS'],
    live: true,
    editable: true,
    label: ['Tries of one call', '单次调用的尝试次数'],
    help: ['Again only what surely never ran, or may run twice.', '只重试确定未执行或可重复执行的调用。'],
  }),
  backoffMs: setting(milliseconds(), {
    about: 'Before the second try; twice as long before each further one',
    default: 100,
    env: ['PEGBOARD_CALLS_RETRY_BACKOFF_MS'],
    live: true,
    editable: true,
    label: ['Wait before the second try', '第二次尝试前的等待'],
    help: ['Milliseconds; doubled before each further one.', '毫秒；之后每次加倍。'],
  }),
  maxBackoffMs: setting(milliseconds(), {
    about: 'The longest of these waits',
    default: 5000,
    env: ['PEGBOARD_CALLS_RETRY_MAX_BACKOFF_MS'],
    live: true,
    editable: true,
    label: ['Longest wait between tries', '两次尝试之间的最长等待'],
    help: ['Milliseconds.', '毫秒。'],
  }),
})

const breaker = section('Leaving alone what fails', {
  failures: setting(whole(0, 1000), {
    about: 'Failures in a row after which a tool, or its source, is left alone; 0 never does',
    default: 5,
    env: ['PEGBOARD_CALLS_BREAKER_FAILURES'],
    live: true,
    editable: true,
    label: ['Failures until left alone', '连续失败多少次后暂停'],
    help: ['In a row, of a tool or a source; 0 never does.', '按工具或来源计；0 表示从不暂停。'],
  }),
  openMs: setting(milliseconds(), {
    about: 'The longest that it is: one call may try after 1 s, then after 2, 4 … up to this',
    default: 30_000,
    env: ['PEGBOARD_CALLS_BREAKER_OPEN_MS'],
    live: true,
    editable: true,
    label: ['Longest time left alone', '暂停的最长时间'],
    help: ['Milliseconds; tried after 1 s at first, then ever later.', '毫秒；先在 1 秒后试，之后逐次推迟。'],
  }),
})

const rate = section('How often one caller may call; profiles have limits of their own', {
  calls: setting(count(0), {
    about: 'Calls of one caller in the window; 0 is no limit',
    default: 0,
    env: ['PEGBOARD_CALLS_RATE_CALLS'],
    live: true,
    editable: true,
    label: ['Calls of one caller in the window', '窗口内单个调用者的调用数'],
    help: ['0 is no limit.', '0 表示不限。'],
  }),
  perMs: setting(milliseconds(), {
    about: 'The window',
    default: 60_000,
    env: ['PEGBOARD_CALLS_RATE_PER_MS'],
    live: true,
    editable: true,
    label: ['The window', '窗口长度'],
    help: ['Milliseconds.', '毫秒。'],
  }),
})

export const calls = section('How calls are carried: their time, retries, and what the machine can bear', {
  timeoutMs: setting(milliseconds(), {
    about: 'Time for one call of a tool, or for anything else asked of a source, where the source names none',
    default: 30_000,
    env: ['PEGBOARD_CALLS_TIMEOUT_MS'],
    live: true,
    editable: true,
    label: ['Time for one call', '单次调用的时限'],
    help: ['Milliseconds; where a source names none.', '毫秒；来源未指定时。'],
  }),
  retry,
  breaker,
  concurrency: setting(count(1), {
    about: 'Calls running at once, over all tools',
    default: 1024,
    env: ['PEGBOARD_CALLS_CONCURRENCY'],
    live: true,
    editable: true,
    label: ['Calls at once', '同时进行的调用数'],
    help: ['Over all tools.', '所有工具合计。'],
  }),
  concurrencyPerTool: setting(count(1), {
    about: 'Calls of one tool running at once; all prompts of a source count as one tool, and so do its resources',
    default: 256,
    env: ['PEGBOARD_CALLS_CONCURRENCY_PER_TOOL'],
    live: true,
    editable: true,
    label: ['Calls of one tool at once', '单个工具同时进行的调用数'],
  }),
  concurrencyPerCaller: setting(count(1), {
    about:
      'Calls of one caller running at once, over all tools; more wait in a line of its own. While several callers are about, none has more than half of a tool’s places either',
    default: 128,
    env: ['PEGBOARD_CALLS_CONCURRENCY_PER_CALLER'],
    live: true,
    editable: true,
    label: ['Calls of one caller at once', '单个调用者同时进行的调用数'],
    help: ['More wait in a line of its own.', '更多的在其自己的队列中等待。'],
  }),
  queuePerCaller: setting(count(0), {
    about: 'Calls of one caller in that line; more are refused as QUOTA_EXCEEDED',
    default: 512,
    env: ['PEGBOARD_CALLS_QUEUE_PER_CALLER'],
    live: true,
    editable: true,
    label: ['Calls of one caller that may wait', '单个调用者可排队的调用数'],
    help: ['More are refused.', '超出的会被拒绝。'],
  }),
  queue: setting(count(0), {
    about: 'Calls waiting for a place, over all tools and again per tool; more are refused as OVERLOADED',
    default: 1024,
    env: ['PEGBOARD_CALLS_QUEUE'],
    live: true,
    editable: true,
    label: ['Calls that may wait for a place', '可排队等待的调用数'],
    help: ['More are refused.', '超出的会被拒绝。'],
  }),
  queueWaitMs: setting(milliseconds(), {
    about: 'How long a call waits for a place, which does not count against its own time',
    default: 30_000,
    env: ['PEGBOARD_CALLS_QUEUE_WAIT_MS'],
    live: true,
    editable: true,
    label: ['How long a call waits for a place', '一次调用排队多久'],
    help: ['Milliseconds.', '毫秒。'],
  }),
  rate,
  maxDepth: setting(whole(1, 64), {
    about: 'How deep tools may call tools',
    default: 16,
    env: ['PEGBOARD_CALLS_MAX_DEPTH'],
    live: true,
    editable: true,
    label: ['How deep tools may call tools', '工具互相调用的深度'],
  }),
})

/** Calls that wait until their callers answer a question of the tool. */
export const parking = section(
  'Bounds of calls that wait until their callers answer a question; more are `OVERLOADED`, past those of one caller `QUOTA_EXCEEDED`',
  {
    most: setting(whole(0, 10_000), {
      about: 'Waiting calls, over all callers; 0 lets none wait',
      default: 128,
      live: true,
      editable: true,
      label: ['Calls that may wait for an answer', '可等待回答的调用数'],
      help: ['Over all callers.', '所有调用者合计。'],
    }),
    mostPerCaller: setting(whole(0, 10_000), {
      about: 'Waiting calls of one caller',
      default: 32,
      live: true,
      editable: true,
      label: ['The same, of one caller', '单个调用者的等待数'],
    }),
    maxBytes: setting(whole(1024, 1024 ** 3), {
      about: 'Bytes of the open questions and of the calls that asked them, over all callers',
      default: 32 * 1024 * 1024,
      live: true,
      editable: true,
      label: ['Size of all open questions', '未答问题的总大小'],
      help: ['Bytes.', '字节。'],
    }),
    maxBytesPerCaller: setting(whole(1024, 1024 ** 3), {
      about: 'The same of one caller',
      default: 8 * 1024 * 1024,
      live: true,
      editable: true,
      label: ['The same, of one caller', '单个调用者的大小'],
      help: ['Bytes.', '字节。'],
    }),
    questionsPerCaller: setting(whole(0, 10_000), {
      about: 'Open questions to one caller in sessions of MCP before 2026-07-28, where the call itself waits',
      default: 128,
      live: true,
      editable: true,
      label: ['Open questions to one caller', '单个调用者的未答问题数'],
    }),
    waitMs: setting(whole(1000, 86_400_000), {
      about: 'How long a question waits for its answer',
      default: 300_000,
      live: true,
      editable: true,
      label: ['How long a question waits', '一个问题等待多久'],
      help: ['Milliseconds.', '毫秒。'],
    }),
    longestMs: setting(whole(1000, 86_400_000), {
      about: 'How long a call may last with all its questions',
      default: 1_800_000,
      live: true,
      editable: true,
      label: ['Longest call with questions', '一次调用连同问题最长多久'],
      help: ['Milliseconds.', '毫秒。'],
    }),
  },
)
