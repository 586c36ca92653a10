import { storeBackends } from '../../storage/backends.js'
import type { AuditSetting } from '../audit-schema.js'
import { asWritten, fold, oneOf, onOff, pair, path, toFolder, variable, whole, words } from './kinds-of-value.js'
import { type Kind, section, setting } from './setting.js'

/** It holds its user and password, as every tool for PostgreSQL writes it. */
const databaseAddress = words(
  ({ z }) =>
    z
      .string()
      .max(8192)
      .regex(/^postgres(?:ql)?:\/\/\S+$/, 'must be postgres://user:password@host:port/database'),
  { read: asWritten },
)

export const storage = section('What survives a restart', {
  backend: setting(oneOf(storeBackends), {
    about:
      'How data is kept: readable files (`json`), a database file for many thousand tools (`sqlite`), or not at all (`memory`)',
    default: 'json',
    lenientEnv: pair('STORAGE_BACKEND'),
    flag: {
      name: 'storageBackend',
      value: 'name',
      help: ['how data is kept', '数据的保存方式'],
      on: 'configured',
    },
    live: false,
    editable: true,
    label: ['How data is kept', '数据保存方式'],
  }),
  path: setting(path({ read: toFolder }), {
    about: 'Folder of the data. Default: the data folder of this user',
    example: './data',
    env: pair('DATA_PATH'),
    flag: { name: 'dataPath', value: 'folder', help: ['where data is kept', '数据保存在哪里'], on: 'configured' },
    live: false,
    label: ['Data folder', '数据目录'],
  }),
  url: setting(databaseAddress, {
    about: 'The PostgreSQL database, for `postgres`; see [Fleet](fleet.md)',
    example: variable('DATABASE_URL'),
    env: ['PEGBOARD_DATABASE_URL'],
    live: false,
    label: ['Address of the database', '数据库地址'],
  }),
  schema: setting(
    words(({ z }) => z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')),
    {
      about: 'The schema of the database that holds our tables; two fleets in one database have two',
      default: 'pegboard',
      env: ['PEGBOARD_DATABASE_SCHEMA'],
      live: false,
      label: ['Schema of the database', '数据库模式'],
    },
  ),
  connections: setting(whole(2, 100), {
    about: 'How many connections to the database one replica has at most; one more listens for changes',
    default: 5,
    env: ['PEGBOARD_DATABASE_CONNECTIONS'],
    live: false,
    label: ['Connections to the database', '数据库连接数'],
  }),
  fileOnly: setting(onOff, {
    about:
      'With `postgres`, leave out what was changed from the console or by `pegboard add`: the file alone counts, and changes go to it',
    default: false,
    env: ['PEGBOARD_NO_OVERLAY'],
    flag: {
      name: 'noOverlay',
      help: [
        'with postgres: the file alone counts, not what the console changed',
        '使用 postgres 时：只采用文件，不采用控制台所做的修改',
      ],
      on: 'configured',
    },
    live: false,
    label: ['The file alone counts', '只采用配置文件'],
  }),
  onCorrupt: setting(oneOf(['refuse', 'set-aside']), {
    about:
      'What to do with a damaged file: not start (`refuse`), or keep it as `<file>.corrupt-<time>` and begin empty (`set-aside`). Damaged keys always refuse',
    default: 'refuse',
    live: false,
    label: ['What to do with a damaged file', '数据文件损坏时的处理'],
  }),
})

/** A word for the usual, an object for whoever wants more of it. */
const auditTrail: Kind<AuditSetting> = {
  name: 'choice',
  choices: ['off', 'on', 'values'],
  schema: (kinds) => kinds.auditTrail,
  read: fold,
}

export const telemetry = section('What is written down about calls', {
  audit: setting(auditTrail, {
    about:
      'The audit trail in the data folder: `off`, `on`, `values` to keep argument values too, or an object; see [Audit](audit.md)',
    example: { keepDays: 90, to: ['file', { otlp: 'http://collector:4318' }] },
    default: 'on',
    env: ['PEGBOARD_AUDIT'],
    live: false,
    editable: true,
    label: ['Audit trail', '审计记录'],
    help: [
      '“values” also keeps the arguments of calls, and shows what callers are asked.',
      '“values” 还会保存调用参数，并显示向调用者提出的问题。',
    ],
  }),
  history: setting(whole(0, 100_000), {
    about:
      'How many of the last calls are remembered, for the console, `/api/v1/calls` and readers of events; 0 remembers none',
    default: 2000,
    env: ['PEGBOARD_HISTORY'],
    live: false,
    editable: true,
    label: ['Calls remembered', '记住的调用数'],
    help: ['In memory, until the gateway ends.', '保存在内存中，网关结束即消失。'],
  }),
  otel: setting(onOff, {
    about: 'OpenTelemetry traces, where `@opentelemetry/api` is installed',
    default: false,
    env: ['PEGBOARD_OTEL'],
    live: false,
    editable: true,
    label: ['OpenTelemetry traces', 'OpenTelemetry 追踪'],
  }),
})

export const history = section('Calls that are kept over restarts, in the data folder; see [History](history.md)', {
  enabled: setting(onOff, {
    about: 'Whether calls are kept: names, sizes and times. What is said in them only where a profile has `keepValues`',
    default: true,
    env: ['PEGBOARD_CALL_HISTORY'],
    live: true,
    editable: true,
    label: ['Keep calls', '保存调用'],
    help: ['Names, sizes and times, not what is said in calls.', '名称、大小与耗时，不含调用内容。'],
  }),
  days: setting(whole(1, 3650), {
    about: 'How many days calls are kept at least; a day later they are gone',
    default: 14,
    env: ['PEGBOARD_CALL_HISTORY_DAYS'],
    live: true,
    editable: true,
    label: ['Days that calls are kept', '调用保存天数'],
  }),
  maxBytes: setting(whole(1024 * 1024, 99_999_999_999), {
    about: 'How much calls may take on the disk; the oldest are let go. A million calls take 64 MB',
    default: 256 * 1024 * 1024,
    env: ['PEGBOARD_CALL_HISTORY_BYTES'],
    live: true,
    editable: true,
    label: ['Bytes of kept calls', '保存调用的字节数'],
  }),
})

// The names that Python and other loggers give to the same levels (002: WARNING).
const levels: Readonly<Record<string, string>> = { warning: 'warn', trace: 'debug', fatal: 'error', critical: 'error' }

export const logging = section('What is logged, and how', {
  level: setting(oneOf(['debug', 'info', 'warn', 'error'], { read: (text) => levels[fold(text)] ?? fold(text) }), {
    about: 'The least that is logged, on standard error',
    default: 'info',
    env: pair('LOG_LEVEL'),
    // Many programs share this name, some with levels of their own.
    lenientEnv: ['LOG_LEVEL'],
    flag: { name: 'logLevel', value: 'level', help: ['how much to log', '日志的详细程度'], on: 'configured' },
    live: true,
    editable: true,
    label: ['How much to log', '日志级别'],
  }),
  // 001-12 takes any word as format; one that we do not know is the line format of 001-16.
  format: setting(
    oneOf(['line', 'json'], {
      schema: ({ z }) =>
        z
          .string()
          .max(256)
          .transform((word): 'line' | 'json' => (word.toLowerCase() === 'json' ? 'json' : 'line')),
    }),
    {
      about: '`line` for people, `json` for programs',
      default: 'line',
      env: ['PEGBOARD_LOG_FORMAT'],
      flag: { name: 'logFormat', value: 'format', help: ['how to log', '日志格式'], on: 'configured' },
      live: false,
      editable: true,
      label: ['How to log', '日志格式'],
    },
  ),
  file: setting(path(), {
    about: 'A file that is logged into too',
    example: './pegboard.log',
    env: ['PEGBOARD_LOG_FILE'],
    flag: {
      name: 'logFile',
      value: 'file',
      help: ['log into this file too', '同时把日志写入该文件'],
      on: 'configured',
    },
    live: false,
    label: ['Log file', '日志文件'],
  }),
})
