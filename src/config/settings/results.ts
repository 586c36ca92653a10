import { milliseconds, whole } from './kinds-of-value.js'
import { section, setting } from './setting.js'

const mebibyte = 1024 * 1024

export const results = section('Results that were cut, kept for their callers to read on: see [Results](results.md)', {
  keepMs: setting(milliseconds(0), {
    about: 'How long, in memory. 0 keeps none: then what was cut is lost',
    default: 600_000,
    env: ['PEGBOARD_RESULTS_KEEP_MS'],
    live: true,
    editable: true,
    label: ['Cut results are kept for', '被截断结果的保留时间'],
    help: ['Milliseconds; 0 keeps none.', '毫秒；0 表示不保留。'],
  }),
  keepBytes: setting(whole(0, 64 * 1024 * mebibyte), {
    about: 'Those of all callers together; the oldest goes first',
    default: 64 * mebibyte,
    env: ['PEGBOARD_RESULTS_KEEP_BYTES'],
    live: true,
    editable: true,
    label: ['All kept results together', '所有保留结果的总大小'],
    help: ['Bytes.', '字节。'],
  }),
  keepBytesPerCaller: setting(whole(0, 64 * 1024 * mebibyte), {
    about: 'Those of one caller; a larger one is not kept',
    default: 16 * mebibyte,
    env: ['PEGBOARD_RESULTS_KEEP_BYTES_PER_CALLER'],
    live: true,
    editable: true,
    label: ['Kept results of one caller', '单个调用者保留结果的总大小'],
    help: ['Bytes.', '字节。'],
  }),
  keepPerCaller: setting(whole(0, 100_000), {
    about: 'How many of one caller',
    default: 64,
    env: ['PEGBOARD_RESULTS_KEEP_PER_CALLER'],
    live: true,
    editable: true,
    label: ['Kept results of one caller, in number', '单个调用者保留结果的数量'],
    help: ['The oldest of theirs goes first.', '超出时最早的先删除。'],
  }),
})
