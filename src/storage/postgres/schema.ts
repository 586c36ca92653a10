/** What this program writes, and the oldest program that may read it. Steps only add, so that N and N−1 run side by side. */
export const schemaVersion = 1
export const minReader = 1

/** The names of our tables in the operator's schema. Never by search_path: a pooler between us hands connections round. */
export const tablesOf = (schema: string) => {
  const of = (table: string): string => `"${schema}".${table}`
  return {
    schema: `"${schema}"`,
    /** The channel of announcements; one per schema, so that two fleets in one database do not wake each other. */
    channel: schema,
    meta: of('meta'),
    head: of('head'),
    document: of('document'),
    tool: of('tool'),
    use: of('use'),
    session: of('session'),
    pending: of('pending'),
    replica: of('replica'),
    lease: of('lease'),
    bucket: of('bucket'),
  }
}

export type Tables = ReturnType<typeof tablesOf>

/**
 * The statements that lead from one version to the next. Definitions and values are texts and not jsonb, which reorders keys
 * and refuses NUL and half surrogates: what was stored comes back as it was. Counts are apart, since they change often and
 * tell nobody.
 */
export const migrations: readonly ((tables: Tables) => readonly string[])[] = [
  (t) => [
    `create table ${t.head} (kind text primary key, version bigint not null) with (fillfactor = 50)`,
    `create table ${t.document} (kind text, id text collate "C", value text not null, version bigint not null,
       deleted boolean not null default false, at timestamptz not null default now(), primary key (kind, id))`,
    `create index document_version on ${t.document} (kind, version)`,
    `create table ${t.tool} (id text collate "C" primary key, source text not null, tags jsonb not null, stored text not null,
       hash text not null, version bigint not null, deleted boolean not null default false, at timestamptz not null default now())`,
    `create index tool_version on ${t.tool} (version)`,
    `create index tool_source on ${t.tool} (source)`,
    `create table ${t.use} (what text, id text collate "C", n bigint not null, last bigint, temperature text,
       primary key (what, id)) with (fillfactor = 70)`,
    `create table ${t.session} (sid text primary key, state text not null, ended boolean not null default false,
       version bigint not null, until timestamptz not null)`,
    `create index session_version on ${t.session} (version)`,
    `create table ${t.pending} (id text primary key, sealed text not null, until timestamptz not null)`,
    `create table ${t.replica} (name text primary key, instance text not null, address text, version text not null,
       state text not null, secrets text not null, lease_ms integer not null, seen timestamptz not null) with (fillfactor = 50)`,
    `create table ${t.lease} (name text primary key, holder text, epoch bigint not null,
       until timestamptz not null default '-infinity') with (fillfactor = 50)`,
    `create unlogged table ${t.bucket} (key text primary key, tokens float8 not null, granted float8 not null,
       at timestamptz not null, full_at timestamptz not null) with (fillfactor = 50)`,
  ],
]
