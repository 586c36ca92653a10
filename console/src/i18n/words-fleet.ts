/** The texts of several replicas. */
export const fleetWords = {
  fleet: ['Fleet', '副本'],
  fleetLead: [
    'Replicas on one store. What runs only once is held by one of them and moves when it leaves.',
    '共用一个存储的多个副本。只运行一份的内容由其中一个持有，它离开时由别的副本接手。',
  ],
  replica: ['Replica', '副本'],
  thisReplica: ['this page comes from here', '本页面来自此副本'],
  replicaAway: ['does not answer', '没有应答'],
  heardAgo: ['heard {n} ago', '{n}前有音讯'],
  holdsN: ['runs {n}', '运行 {n} 项'],
  noAddress: ['does not listen yet', '尚未监听'],
  storeUp: ['The store answers', '存储可用'],
  storeAway: ['The store is away: calls go on, changes are refused', '存储不可用：调用继续，更改会被拒绝'],
  storeLag: ['looked at {n} ago', '{n}前读取'],
  leases: ['What runs once', '只运行一份的内容'],
  noLeases: ['Nothing here runs only once.', '没有只运行一份的内容。'],
  nobodyHolds: ['nobody', '无人持有'],
  epoch: ['holder no. {n}', '第 {n} 任'],
  release: ['Release', '收回'],
  releaseSure: [
    'Take {name} from {holder}? Another replica starts it; calls that run there end.',
    '从 {holder} 收回 {name}？另一个副本会启动它；正在那里进行的调用将结束。',
  ],
  runsAt: ['at {name}', '位于 {name}'],
  awayN: ['Not shown: {names} did not answer.', '未显示：{names} 没有应答。'],
} as const
