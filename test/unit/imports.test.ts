import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Module, productSources, readModule, type Source } from '../support/modules.ts'

/** A package of its own, which runs anywhere: nothing of the service may come into it. */
const CLIENT = 'lib/client/'
/** The packages that the client's own package contains (lib/cli/client-package.ts), and their importers. */
const BUNDLED = {
  in: ['lib/client/noble.ts', 'lib/client/verify/noble.ts'],
  packages: ['@noble/ed25519', '@noble/hashes/sha2.js'],
}
/** What somebody else's API looks like. */
const PAID_API = 'lib/cli/demo/paid-api.ts'

/** The console, which runs in browsers. */
const CONSOLE = 'lib/console/'
/** A package of its own, which runs in browsers beside React. */
const REACT = 'lib/react/'

/** Programs of Node and of browsers: code that runs in a Worker must not import them. */
const TOOLS = [CONSOLE, REACT, 'lib/local/', 'lib/migrations/', 'lib/cli/', 'lib/tools/']

/** Which folder of lib has the queries that own a table. A new table needs a line here. */
const TABLE_OWNERS: Record<string, string | string[]> = {
  'schema/tables/wallets.ts': ['auth', 'live'],
  'schema/tables/grants.ts': 'auth',
  // The statements that count payments and ratings keep an agent's sums and score.
  'schema/tables/agents.ts': ['agents', 'reputation/counterparties'],
  'schema/tables/agent-request-days.ts': 'agents',
  'schema/tables/hires.ts': 'agents',
  'schema/tables/agent-listings.ts': 'agents',
  'schema/tables/documents.ts': 'discovery/search',
  // An agent's history counts its charges. lib/payments imports lib/agents, so it can't have the statement.
  'schema/tables/payments.ts': ['payments', 'agents/history'],
  'schema/tables/payment-accounts.ts': 'payments',
  // A job shows its payments, which follow from its state. lib/payments imports nothing of lib/work.
  'schema/tables/job-terms.ts': 'agents',
  'schema/tables/jobs.ts': ['work', 'payments'],
  'schema/tables/payment-jobs.ts': ['payments', 'work'],
  'schema/tables/payment-months.ts': 'payments',
  'schema/tables/quotas.ts': 'quotas',
  'schema/tables/webhook-targets.ts': 'events',
  'schema/tables/webhook-endpoints.ts': 'events',
  'schema/tables/vaults.ts': 'vault',
  'schema/tables/attestations.ts': 'reputation',
  'schema/tables/counterparties.ts': 'reputation',
  'schema/tables/payers.ts': 'reputation/counterparties',
  'schema/tables/ratings.ts': 'reputation',
  'schema/tables/agent-endpoints.ts': 'liveness',
  'schema/tables/registry-agents.ts': 'registry',
  'schema/tables/registry-listings.ts': 'registry',
  'schema/tables/pioneers.ts': 'pioneer',
  'schema/tables/totals.ts': 'marketplace',
  'schema/tables/events.ts': ['events', 'live'],
  'schema/tables/credits.ts': 'payments',
  'schema/tables/x402.ts': 'x402',
}

/** The column types that tables share. */
const COLUMN_TYPES = 'schema/tables/columns.ts'

/**
 * Folders that other rooms import without the rest of their room: statements that record an event without the
 * sending of events, the rules of sessions without the statements of login.
 */
const WALLED = [
  'lib/agents/parts/',
  'lib/auth/session/',
  'lib/discovery/search/',
  'lib/events/outbox/',
  'lib/reputation/counterparties/',
  'lib/transactions/cosigning/',
]

/** The only files that may know the query builder. */
const SQL_FILES = [
  /^lib\/\w+\/(.+[-/])?queries\.ts$/,
  /^lib\/agents\/parts\/hire-term\.ts$/,
  /^lib\/db\/\w+\.ts$/,
  /^schema\/tables\/[\w-]+\.ts$/,
]

/** Files of rules, which import nothing of lib but one another and PURE. */
const RULES = [/\/rules\.ts$/, /^lib\/events\/limits\.ts$/]

/** How long a day is, and constants that tests change. */
const PURE = ['lib/time.ts', 'lib/injected.ts']

const isIn =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder))
const roomFolderOf = (path: string) => path.split('/').slice(0, 2).join('/')
/** The console's addresses are also read by the Worker that serves its pages. */
const isTool = (path: string) => path !== 'lib/console/addresses.ts' && isIn(...TOOLS)(path)
const isSource = isIn('functions/', 'lib/', 'schema/')
const isPackage = (target: string, name: string) => target === name || target.startsWith(`${name}/`)
const isBundled = (target: string, { path }: Module) =>
  BUNDLED.in.includes(path) && BUNDLED.packages.includes(target)
const isSqlFile = (path: string) => SQL_FILES.some((pattern) => pattern.test(path))
const isRules = (path: string) => RULES.some((pattern) => pattern.test(path))

const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
)

const imports = (forbidden: (target: string, module: Module) => boolean) => (module: Module) =>
  module.imports.map(({ target }) => target).filter((target) => forbidden(target, module))

type Rule = {
  title: string
  /** Files that the rule is about. */
  about: (path: string) => boolean
  /** What in the file breaks it. */
  breaches: (module: Module) => string[]
  /** Examples that break it, so that the rule is known to see them. */
  bad: Source[]
}

const rules: Rule[] = [
  {
    title: 'schema imports nothing from lib or functions',
    about: isIn('schema/'),
    breaches: imports((target) => isSource(target) && !isIn('schema/')(target)),
    bad: [
      { path: 'schema/wire/x.ts', text: `import { ApiError } from '../../lib/api-error.ts'` },
      { path: 'schema/x.ts', text: `export type X = import('../lib/auth/session/token.ts').Session` },
    ],
  },
  {
    title: 'lib imports nothing from functions, tools aside',
    about: (path) => isIn('lib/')(path) && !isTool(path),
    breaches: imports(isIn('functions/')),
    bad: [{ path: 'lib/auth/x.ts', text: `export { deps } from '../../functions/auth/deps.ts'` }],
  },
  {
    title: 'nothing that runs in a Worker imports a tool or test, not even a type',
    about: (path) => !isTool(path),
    breaches: imports((target) => isTool(target) || isIn('test/')(target)),
    bad: [
      { path: 'lib/events/x.ts', text: `import type { Clock } from '../local/clock.ts'` },
      { path: 'functions/root/x.ts', text: `export * from '../../lib/cli/wallet.ts'` },
      { path: 'functions/root/x.ts', text: `const x = await import('../../lib/cli/wallet.ts')` },
      { path: 'lib/auth/x.ts', text: `import '../../test/support/service.ts'` },
    ],
  },
  {
    title: "a Worker imports nothing of another Worker's folder",
    about: isIn('functions/'),
    breaches: imports(
      (target, { path }) => isIn('functions/')(target) && target.split('/')[1] !== path.split('/')[1],
    ),
    bad: [{ path: 'functions/agents/x.ts', text: `import { deps } from '../auth/deps.ts'` }],
  },
  {
    title:
      'what runs in a Worker imports only packages that package.json lists, and the runtime’s own modules',
    about: (path) => !isTool(path),
    breaches: imports(
      (target, module) =>
        !isBundled(target, module) &&
        !isSource(target) &&
        !target.startsWith('cloudflare:') &&
        !Object.keys(dependencies).some((name) => isPackage(target, name)),
    ),
    bad: [
      { path: 'lib/auth/x.ts', text: `import { createHash } from 'node:crypto'` },
      { path: 'lib/solana/x.ts', text: `import fc from 'fast-check'` },
      { path: 'lib/solana/x.ts', text: 'const a = await import(name)' },
    ],
  },
  {
    title:
      'only queries, lib/agents/parts/hire-term.ts, lib/db and schema/tables import drizzle-orm or the driver',
    about: (path) => !isTool(path) && !isSqlFile(path),
    breaches: imports(
      (target) => isPackage(target, 'drizzle-orm') || isPackage(target, '@neondatabase/serverless'),
    ),
    bad: [
      { path: 'lib/agents/register.ts', text: `import { eq } from 'drizzle-orm'` },
      { path: 'schema/wire/x.ts', text: `import { text } from 'drizzle-orm/pg-core'` },
      { path: 'functions/auth/deps.ts', text: `import { neon } from '@neondatabase/serverless'` },
    ],
  },
  {
    title: 'only the same files import tables',
    about: (path) => !isTool(path) && !isSqlFile(path),
    breaches: imports(isIn('schema/tables/')),
    bad: [
      { path: 'lib/agents/views.ts', text: `import type { agents } from '../../schema/tables/agents.ts'` },
      { path: 'schema/wire/agents.ts', text: `import { agents } from '../tables/agents.ts'` },
    ],
  },
  {
    title: "a group reads another group's tables only through that group's queries",
    about: (path) => isIn('lib/')(path) && !isTool(path),
    breaches: imports(
      (target, { path }) =>
        isIn('schema/tables/')(target) &&
        target !== COLUMN_TYPES &&
        ![TABLE_OWNERS[target] ?? []].flat().some((owner) => isIn(`lib/${owner}/`)(path)),
    ),
    bad: [
      { path: 'lib/auth/queries.ts', text: `import { agents } from '../../schema/tables/agents.ts'` },
      {
        path: 'lib/agents/queries.ts',
        text: `import { unheardOf } from '../../schema/tables/unheard-of.ts'`,
      },
    ],
  },
  {
    title: 'routes.ts imports no SQL and no queries: a route calls a use case',
    about: (path) => path.endsWith('routes.ts') && isIn('functions/')(path),
    breaches: imports(
      (target) =>
        isPackage(target, 'drizzle-orm') || isIn('lib/db/', 'schema/tables/')(target) || isSqlFile(target),
    ),
    bad: [
      { path: 'functions/agents/routes.ts', text: `import { findAgent } from '../../lib/agents/queries.ts'` },
      {
        path: 'functions/agents/routes.ts',
        text: `import { insertHire } from '../../lib/agents/hiring/hire-queries.ts'`,
      },
      { path: 'functions/agents/routes.ts', text: `import { sql } from 'drizzle-orm'` },
      { path: 'functions/agents/routes.ts', text: `import { connect } from '../../lib/db/connect.ts'` },
    ],
  },
  {
    title: 'hono is known to functions, lib/http, lib/tools/description and an example alone',
    about: (path) => !isIn('functions/', 'lib/http/', 'lib/tools/description/', PAID_API)(path),
    breaches: imports((target) => isPackage(target, 'hono')),
    bad: [
      { path: 'lib/auth/login.ts', text: `import type { Context } from 'hono'` },
      { path: 'lib/local/x.ts', text: `import { cors } from 'hono/cors'` },
    ],
  },
  {
    title: 'rules are pure: no I/O, no clock, no randomness, no module that has them',
    about: isRules,
    breaches: ({ imports, identifiers, clockReadings }) => [
      ...imports
        .filter(
          ({ target, types }) =>
            !types && (!isIn('lib/', 'schema/')(target) || isIn('schema/tables/')(target)),
        )
        .map(({ target }) => target),
      ...imports
        .filter(
          ({ target, types }) => !types && isIn('lib/')(target) && !PURE.includes(target) && !isRules(target),
        )
        .map(({ target }) => target),
      ...[
        'fetch',
        'crypto',
        'random',
        'process',
        'globalThis',
        'caches',
        'setTimeout',
        'Promise',
        'console',
      ].filter((name) => identifiers.has(name)),
      ...clockReadings,
    ],
    bad: [
      { path: 'lib/auth/rules.ts', text: `import { connect } from '../db/connect.ts'` },
      { path: 'lib/auth/rules.ts', text: `import { jwtVerify } from 'jose'` },
      { path: 'lib/auth/rules.ts', text: `export const load = () => fetch('https://example.com')` },
      { path: 'lib/auth/rules.ts', text: `export const nonce = () => crypto.randomUUID()` },
      { path: 'lib/auth/rules.ts', text: `const { random } = Math; export const dice = () => random()` },
      { path: 'lib/auth/rules.ts', text: `export const now = () => Date.now()` },
    ],
  },
  {
    title: 'a walled folder imports nothing of its own room: who imports it carries no more',
    about: isIn(...WALLED),
    breaches: imports((target, { path }) => {
      const wall = WALLED.find((folder) => path.startsWith(folder)) ?? path
      return target.startsWith(`${roomFolderOf(wall)}/`) && !target.startsWith(wall)
    }),
    bad: [
      { path: 'lib/events/outbox/x.ts', text: `import { allEndpoints } from '../all-endpoint-queries.ts'` },
      { path: 'lib/reputation/counterparties/x.ts', text: `import type { Facts } from '../rules.ts'` },
      { path: 'lib/transactions/cosigning/x.ts', text: `import '../relay/network.ts'` },
    ],
  },
  {
    title: 'the client imports nothing but its own files, and two packages that it contains',
    about: isIn(CLIENT),
    breaches: imports((target, module) => !isIn(CLIENT)(target) && !isBundled(target, module)),
    bad: [
      { path: 'lib/client/x.ts', text: `import { Point } from '@noble/ed25519'` },
      { path: 'lib/client/verify/noble.ts', text: `import { p256 } from '@noble/curves/p256'` },
      { path: 'lib/client/x.ts', text: `import type { ErrorCode } from '../../schema/errors.ts'` },
      { path: 'lib/client/x.ts', text: `import { utf8 } from '../keys/bytes.ts'` },
      { path: 'lib/client/x.ts', text: `import { base58 } from '@scure/base'` },
    ],
  },
  {
    title: 'the hooks of React import nothing but their own files, the client and React',
    about: isIn(REACT),
    breaches: imports(
      (target) => !isIn(REACT)(target) && target !== `${CLIENT}index.ts` && target !== 'react',
    ),
    bad: [
      { path: 'lib/react/x.ts', text: `import { formatCred } from '../console/kit/amounts.ts'` },
      { path: 'lib/react/x.ts', text: `import type { Call } from '../client/operations.ts'` },
      { path: 'lib/react/x.ts', text: `import { createRoot } from 'react-dom/client'` },
    ],
  },
  {
    title: 'the console imports nothing of the service: it knows the API by the client alone',
    about: isIn(CONSOLE),
    breaches: imports((target) => isSource(target) && !isIn(CONSOLE, CLIENT)(target)),
    bad: [
      { path: 'lib/console/x.tsx', text: `import { formatCred } from '../../schema/amounts.ts'` },
      { path: 'lib/console/x.tsx', text: `import type { Hire } from '../agents/views.ts'` },
    ],
  },
  {
    title: 'what runs in the service imports nothing of the client',
    about: (path) => !isTool(path) && !isIn(CLIENT)(path),
    breaches: imports(isIn(CLIENT)),
    bad: [{ path: 'lib/events/x.ts', text: `import { verifyWebhook } from '../client/index.ts'` }],
  },
  {
    title:
      'the clock is read in lib/http/request-middleware.ts, for the time of a request and its duration, by the jobs, probes, live sockets and pages, and by the client unless it is given another',
    about: (path) =>
      !isTool(path) &&
      ![
        'lib/http/request-middleware.ts',
        'functions/console/index.ts',
        'functions/jobs/deps.ts',
        'functions/live/index.ts',
        'functions/probes/index.ts',
        'functions/settlement/index.ts',
        'lib/client/client.ts',
        'lib/client/webhook.ts',
      ].includes(path),
    breaches: ({ clockReadings }) => clockReadings,
    bad: [
      { path: 'lib/agents/hire.ts', text: 'const a = Date.now()' },
      { path: 'lib/agents/hire.ts', text: 'const a = new Date()' },
      { path: 'lib/agents/hire.ts', text: 'const a = new Date' },
      { path: 'lib/agents/hire.ts', text: 'const a = Date()' },
      { path: 'lib/agents/hire.ts', text: `const a = Date['now']()` },
      { path: 'lib/agents/hire.ts', text: 'const a = list.map(Date.now)' },
      { path: 'functions/auth/deps.ts', text: 'const a = performance.now()' },
    ],
  },
  {
    title: "SQL never asks the database's clock: time is a parameter",
    about: (path) => !isTool(path),
    breaches: ({ literals }) =>
      literals.filter((text) =>
        /\b(now|clock_timestamp|statement_timestamp)\(\)|\b(current_(timestamp|date|time)|localtimestamp)\b/i.test(
          text,
        ),
      ),
    bad: [
      { path: 'lib/agents/queries.ts', text: 'const a = sql`expires_at <= now()`' },
      { path: 'lib/agents/queries.ts', text: `const a = 'select CURRENT_TIMESTAMP'` },
    ],
  },
]

const breachesOf = (rule: Rule, sources: Source[]) =>
  sources
    .filter(({ path }) => rule.about(path))
    .map(readModule)
    .flatMap((module) => rule.breaches(module).map((breach) => `${module.path}: ${breach}`))

const sources = productSources()

describe.each(rules)('$title', (rule) => {
  it('is true of the source', () => {
    expect(sources.filter(({ path }) => rule.about(path))).not.toHaveLength(0)
    expect(breachesOf(rule, sources)).toEqual([])
  })

  it.each(rule.bad)('is seen to be broken by $path: $text', (source) => {
    expect(breachesOf(rule, [source])).toHaveLength(1)
  })
})

/**
 * Folders that are rooms of their own inside a room: rooms below import them, and the room itself imports
 * those rooms. The folder lib/agents/parts has the parts of other groups' statements that read agents and
 * hires. The folder lib/auth/session has their reads of logins.
 */
const GROUND_FLOORS = ['lib/agents/parts', 'lib/auth/session', 'lib/discovery/search']

/** A folder and those inside it are one room but for ground floors; files directly below lib are one, too. */
const roomOf = (path: string): string =>
  GROUND_FLOORS.find((folder) => path.startsWith(`${folder}/`)) ??
  path.split('/').slice(0, -1).slice(0, 2).join('/')

/** The rooms that can be reached from themselves, each with the rooms on the way. */
function ringsOf(modules: Module[]): string[] {
  const doors = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    const room = roomOf(path)
    const targets = imports.map(({ target }) => target).filter(isSource)
    for (const target of targets.map(roomOf).filter((other) => other !== room))
      doors.set(room, (doors.get(room) ?? new Set()).add(target))
  }
  const walk = (way: string[]): string[] =>
    [...(doors.get(way.at(-1) ?? '') ?? [])].flatMap((next) => {
      if (next === way[0]) return [[...way, next].join(' -> ')]
      return way.includes(next) || next < (way[0] ?? '') ? [] : walk([...way, next])
    })
  return [...doors.keys()].sort().flatMap((room) => walk([room]))
}

describe('rings of folders', () => {
  it('there are none', () => {
    expect(ringsOf(sources.map(readModule))).toEqual([])
  })

  it('are seen, of two rooms and of three, by types too', () => {
    const source = (path: string, target: string) =>
      readModule({ path, text: `import type { X } from '${target}'` })
    expect(ringsOf([source('lib/a/x.ts', '../b/y.ts'), source('lib/b/z/y.ts', '../../a/z.ts')])).toEqual([
      'lib/a -> lib/b -> lib/a',
    ])
    const three = ['lib/a/x.ts', 'lib/b/x.ts', 'lib/c/x.ts']
    const modules = three.map((path, i) => source(path, `../../${three[(i + 1) % 3]}`))
    expect(ringsOf(modules)).toEqual(['lib/a -> lib/b -> lib/c -> lib/a'])
    expect(ringsOf([source('lib/a/x.ts', './b/y.ts'), source('lib/a/b/y.ts', '../x.ts')])).toEqual([])
  })
})

describe('reading a module', () => {
  it('sees every spelling of an import, and which are erased', () => {
    const text = `
      import a from 'a'
      import * as b from "b"
      import { type C, type D } from 'c'
      import { type E, f } from 'd'
      import type {
        G,
      } from './e.ts'
      export { h } from '../f.ts'
      export type { I } from 'g'
      export * as j from 'h'
      import 'i'
      const k = import('j')
      type L = import('k').L
      // import 'comment'
      const m = "import 'text'"`
    expect(readModule({ path: 'lib/auth/x.ts', text }).imports).toEqual([
      { target: 'a', types: false },
      { target: 'b', types: false },
      { target: 'c', types: true },
      { target: 'd', types: false },
      { target: 'lib/auth/e.ts', types: true },
      { target: 'lib/f.ts', types: false },
      { target: 'g', types: true },
      { target: 'h', types: false },
      { target: 'i', types: false },
      { target: 'j', types: false },
      { target: 'k', types: true },
    ])
  })

  it('does not take a given time for a clock', () => {
    const text = 'const a = [new Date(0), new Date(now), Date.parse(b), Date.UTC(2026, 0), c.now]'
    expect(readModule({ path: 'lib/auth/x.ts', text }).clockReadings).toEqual([])
  })
})

it('inserts events by functions of Postgres only', () => {
  const recorders = sources.filter(({ text }) => /\binsert(\(| into \$\{)events\b/.test(text))
  expect(recorders.map(({ path }) => path)).toEqual([])
})

it('names only files and folders that exist', () => {
  const owners = Object.values(TABLE_OWNERS).flat()
  const places = [CLIENT, PAID_API, ...TOOLS, ...WALLED, ...PURE, ...owners.map((owner) => `lib/${owner}/`)]
  const has = (pattern: RegExp) => productSources().some(({ path }) => pattern.test(path))
  expect(places.filter((place) => !existsSync(join(import.meta.dirname, '../..', place)))).toEqual([])
  expect([...SQL_FILES, ...RULES].filter((pattern) => !has(pattern))).toEqual([])
})

it('every table has an owner, and every owned table exists', () => {
  const tables = sources
    .map(({ path }) => path)
    .filter((path) => isIn('schema/tables/')(path) && path !== COLUMN_TYPES)
  expect(tables.sort()).toEqual(Object.keys(TABLE_OWNERS).sort())
})

it.each([
  ['tsconfig.worker.json', /"exclude": \[([^\]]*)\]/],
  ['biome.json', /"lib\/\*\*",([^\]]*)\]/],
])('%s leaves out the same tools', (file, list) => {
  const [, names = ''] = list.exec(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')) ?? []
  const folders = [...names.matchAll(/lib\/[\w/]*\w/g)].map(([folder]) => `${folder}/`)
  expect(folders.sort()).toEqual(TOOLS.toSorted())
})
