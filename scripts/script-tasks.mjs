// The ten tasks of script-tokens.mjs and the tools they are done with: a tracker, a shop, logs, files, weather, a wiki, mail, a calendar.
const schema = (properties) => ({ type: 'object', properties })
const text = { type: 'string' }
const number = { type: 'number' }
const body = 'When the window is made smaller the list is drawn over the toolbar and cannot be scrolled any more. '

const issues = Array.from({ length: 200 }, (_, at) => ({
  number: at + 1,
  title: `The ${['list', 'toolbar', 'menu', 'dialog'][at % 4]} is wrong in case ${at}`,
  state: at % 3 === 0 ? 'closed' : 'open',
  labels: at % 2 === 0 ? ['bug'] : ['idea'],
  assignee: at % 7 === 0 ? null : `user${at % 5}`,
  body: body.repeat(3),
}))
const customers = Array.from({ length: 15 }, (_, at) => ({
  id: at + 1,
  name: `Customer ${at + 1}`,
  city: 'Oslo',
  since: 2010 + at,
}))
const invoicesOf = (id) =>
  Array.from({ length: 6 }, (_, at) => ({
    id: `${id}-${at}`,
    total: 100 * id + at,
    due: `2026-0${at + 1}-01`,
    paid: (id + at) % 3 !== 0,
    lines: ['hosting', 'support', 'storage'],
  }))
const logs = Array.from({ length: 400 }, (_, at) => ({
  at: `2026-11-01T10:${String(at % 60).padStart(2, '0')}:00Z`,
  level: at % 9 === 0 ? 'error' : 'info',
  service: `svc${at % 6}`,
  message: `request ${at} took ${at % 97} ms on node ${at % 12}`,
}))
const files = Array.from({ length: 40 }, (_, at) => `report_${at + 1}.TXT`)
const pages = Array.from({ length: 30 }, (_, at) => ({
  id: at + 1,
  title: `Page ${at + 1}`,
  text: `${body.repeat(6)} ${at % 4 === 0 ? 'Deprecated.' : ''}`,
}))
const mails = Array.from({ length: 50 }, (_, at) => ({
  id: at + 1,
  from: `p${at % 8}@example.com`,
  subject: `About ${at % 3 === 0 ? 'the offer' : 'lunch'}`,
  unread: at % 4 !== 0,
  text: body.repeat(2),
}))
const page = (list, at, size) => list.slice((at - 1) * size, at * size)

/** Fresh ones each time, since some of them remember. */
export const toolsOf = () => {
  const busy = new Map()
  return [
    { name: 'list_issues', input: schema({ page: number }), handler: ({ page: at = 1 }) => page(issues, at, 70) },
    { name: 'list_customers', input: schema({}), handler: () => customers },
    { name: 'list_invoices', input: schema({ customer: number }), handler: ({ customer }) => invoicesOf(customer) },
    { name: 'read_logs', input: schema({ page: number }), handler: ({ page: at = 1 }) => page(logs, at, 40) },
    { name: 'list_files', input: schema({ folder: text }), handler: () => files },
    {
      name: 'rename_file',
      input: schema({ from: text, to: text }),
      handler: ({ from, to }) => ({ ok: true, from, to, at: '2026-11-01T10:00:00Z' }),
    },
    {
      name: 'weather',
      input: schema({ city: text }),
      handler: ({ city }) => {
        busy.set(city, (busy.get(city) ?? 0) + 1)
        if (city.length % 2 === 0 && busy.get(city) === 1) throw new Error('busy, try again')
        return {
          city,
          celsius: city.length * 3,
          wind: { speed: city.length, from: 'west' },
          hourly: Array.from({ length: 24 }, (_, at) => ({ hour: at, celsius: at % 9, rain: at % 5 })),
        }
      },
    },
    { name: 'list_pages', input: schema({}), handler: () => pages.map(({ id, title }) => ({ id, title })) },
    { name: 'read_page', input: schema({ id: number }), handler: ({ id }) => pages[id - 1] },
    { name: 'list_mails', input: schema({ page: number }), handler: ({ page: at = 1 }) => page(mails, at, 25) },
    {
      name: 'label_mail',
      input: schema({ id: number, label: text }),
      handler: ({ id, label }) => ({ id, labels: ['inbox', label] }),
    },
    {
      name: 'free_slots',
      input: schema({ person: text }),
      handler: ({ person }) =>
        Array.from({ length: 40 }, (_, at) => ({
          day: `2026-11-${String(10 + Math.floor(at / 8)).padStart(2, '0')}`,
          hour: 9 + (at % 8),
          free: (at + person.length) % 3 !== 0,
        })),
    },
  ]
}

const cities = ['Oslo', 'Bergen', 'Tromso', 'Bodo', 'Alta', 'Narvik', 'Hamar', 'Molde']
const people = ['ada', 'edsger', 'margarete', 'barbara']
const sorted = (counts) => Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
const pagesOf = async (turn, name, read) => {
  const all = []
  for (let at = 1; ; at++) {
    const [part] = await turn([name, { page: at }])
    all.push(...part)
    if (part.length < read) return all
  }
}

export const tasks = [
  {
    name: '200 issues: open bugs by assignee',
    byCalls: async (turn) => {
      const counts = {}
      for (const { state, labels, assignee } of await pagesOf(turn, 'list_issues', 70))
        if (state === 'open' && labels.includes('bug'))
          counts[assignee ?? 'nobody'] = (counts[assignee ?? 'nobody'] ?? 0) + 1
      return sorted(counts)
    },
    script: `const n = {}
for (let page = 1; ; page++) {
  const list = await tools.list_issues({ page })
  for (const i of list) if (i.state === 'open' && i.labels.includes('bug')) n[i.assignee ?? 'nobody'] = (n[i.assignee ?? 'nobody'] ?? 0) + 1
  if (list.length < 70) break
}
return Object.fromEntries(Object.entries(n).sort(([a], [b]) => a < b ? -1 : 1))`,
  },
  {
    name: 'customers joined with overdue invoices',
    byCalls: async (turn) => {
      const [list] = await turn(['list_customers', {}])
      const all = await turn(...list.map(({ id }) => ['list_invoices', { customer: id }]))
      return list
        .map(({ name }, at) => [
          name,
          all[at].filter(({ paid, due }) => !paid && due < '2026-04-01').reduce((sum, { total }) => sum + total, 0),
        ])
        .filter(([, owed]) => owed > 1000)
    },
    script: `const list = await tools.list_customers()
const all = await Promise.all(list.map(c => tools.list_invoices({ customer: c.id })))
return list.map((c, i) => [c.name, all[i].filter(x => !x.paid && x.due < '2026-04-01').reduce((s, x) => s + x.total, 0)]).filter(x => x[1] > 1000)`,
  },
  {
    name: '400 log lines on ten pages: errors by service',
    byCalls: async (turn) => {
      const counts = {}
      for (const { level, service } of await pagesOf(turn, 'read_logs', 40))
        if (level === 'error') counts[service] = (counts[service] ?? 0) + 1
      return sorted(counts)
    },
    script: `const n = {}
for (let page = 1; ; page++) {
  const lines = await tools.read_logs({ page })
  for (const l of lines) if (l.level === 'error') n[l.service] = (n[l.service] ?? 0) + 1
  if (lines.length < 40) break
}
return Object.fromEntries(Object.entries(n).sort(([a], [b]) => a < b ? -1 : 1))`,
  },
  {
    name: 'rename 40 files',
    byCalls: async (turn) => {
      const [list] = await turn(['list_files', { folder: '/in' }])
      for (let at = 0; at < list.length; at += 10)
        await turn(...list.slice(at, at + 10).map((from) => ['rename_file', { from, to: from.toLowerCase() }]))
      return { renamed: list.length }
    },
    script: `const list = await tools.list_files({ folder: '/in' })
await Promise.all(list.map(from => tools.rename_file({ from, to: from.toLowerCase() })))
return { renamed: list.length }`,
  },
  {
    name: 'eight cities of a busy server, with retries',
    byCalls: async (turn) => {
      let open = cities
      const warm = {}
      while (open.length > 0) {
        const all = await turn(...open.map((city) => ['weather', { city }]))
        for (const each of all) if (each.city) warm[each.city] = each.celsius
        open = open.filter((city) => warm[city] === undefined)
      }
      return cities.reduce((best, city) => (warm[city] > warm[best] ? city : best))
    },
    input: cities,
    script: `const get = async city => { for (let n = 0; n < 3; n++) try { return await tools.weather({ city }) } catch {} }
const all = await Promise.all(input.map(get))
return all.reduce((a, b) => b.celsius > a.celsius ? b : a).city`,
  },
  {
    name: '30 wiki pages: which are deprecated',
    byCalls: async (turn) => {
      const [list] = await turn(['list_pages', {}])
      const all = []
      for (let at = 0; at < list.length; at += 10)
        all.push(...(await turn(...list.slice(at, at + 10).map(({ id }) => ['read_page', { id }]))))
      return all.filter(({ text: words }) => words.includes('Deprecated')).map(({ title }) => title)
    },
    script: `const all = await Promise.all((await tools.list_pages()).map(p => tools.read_page({ id: p.id })))
return all.filter(p => p.text.includes('Deprecated')).map(p => p.title)`,
  },
  {
    name: 'label unread mails about the offer',
    byCalls: async (turn) => {
      const found = (await pagesOf(turn, 'list_mails', 25)).filter(
        ({ unread, subject }) => unread && subject.includes('offer'),
      )
      await turn(...found.map(({ id }) => ['label_mail', { id, label: 'offer' }]))
      return found.length
    },
    script: `let n = 0
for (let page = 1; ; page++) {
  const list = await tools.list_mails({ page })
  for (const m of list) if (m.unread && m.subject.includes('offer')) { await tools.label_mail({ id: m.id, label: 'offer' }); n++ }
  if (list.length < 25) return n
}`,
  },
  {
    name: 'first hour when four people are free',
    byCalls: async (turn) => {
      const all = await turn(...people.map((person) => ['free_slots', { person }]))
      const at = all[0].findIndex((_, index) => all.every((slots) => slots[index].free))
      return `${all[0][at].day} ${all[0][at].hour}`
    },
    input: people,
    script: `const all = await Promise.all(input.map(person => tools.free_slots({ person })))
const s = all[0].find((_, i) => all.every(x => x[i].free))
return s.day + ' ' + s.hour`,
  },
  {
    name: 'slowest ten requests in the logs',
    byCalls: async (turn) =>
      (await pagesOf(turn, 'read_logs', 40))
        .map(({ message }) => message.split(' '))
        .map(([, id, , ms]) => [Number(id), Number(ms)])
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, 10),
    script: `const all = []
for (let page = 1; ; page++) {
  const lines = await tools.read_logs({ page })
  for (const l of lines) { const w = l.message.split(' '); all.push([+w[1], +w[3]]) }
  if (lines.length < 40) break
}
return all.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10)`,
  },
  {
    name: 'issues that nobody has, by what they are about',
    byCalls: async (turn) => {
      const counts = {}
      for (const { assignee, title } of await pagesOf(turn, 'list_issues', 70))
        if (assignee === null) counts[title.split(' ')[1]] = (counts[title.split(' ')[1]] ?? 0) + 1
      return sorted(counts)
    },
    script: `const n = {}
for (let page = 1; ; page++) {
  const list = await tools.list_issues({ page })
  for (const i of list) if (!i.assignee) { const k = i.title.split(' ')[1]; n[k] = (n[k] ?? 0) + 1 }
  if (list.length < 70) break
}
return Object.fromEntries(Object.entries(n).sort(([a], [b]) => a < b ? -1 : 1))`,
  },
]
