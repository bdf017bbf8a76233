import pg from 'pg'
import { issueSession } from '../../../lib/auth/session/token.ts'
import type { KeyWallet } from '../../../lib/cli/wallet.ts'
import { makeSigningKeys, type SigningKeys } from '../../../lib/local/signing-keys.ts'
import { bindingsOf, makeKeys } from '../../../lib/local/solana.ts'
import { NO_LIMITS_BY_ADDRESS } from '../../../lib/local/workers/options.ts'
import { applyMigrations } from '../../../lib/migrations/migrations.ts'
import { openPostgres } from '../../../lib/migrations/postgres.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import type { Counts, NeighboursInput, NeighboursReady } from '../neighbours.ts'
import type { Services } from './bindings.ts'
import { drawWallet } from './draws.ts'
import { type Script, startScript } from './process.ts'
import { atEnd } from './stops.ts'

/** Exists in no DNS: all that the Workers send goes to the neighbours. */
const DATABASE_URL = 'postgresql://bench:bench@db.agentcred.internal/bench'

/** The permissions of users' sessions. */
const PERMISSIONS = ['agents:register', 'agents:hire', 'vault:transact', 'jobs:use', 'jobs:decide'] as const

/** What all parts share: a real Postgres server and the service's keys. */
export type Bench = {
  keys: SigningKeys
  /** Vars and secrets of the Workers. */
  settings: Record<string, string>
  /** Makes a new database, by default with the service's tables. */
  createDatabase(name: string, isMigrated?: boolean): Promise<Database>
  /** A wallet with a session that the service accepts. */
  createUser(): Promise<User>
}

export type User = { wallet: KeyWallet; headers: { authorization: string } }

/** A migrated database. */
export type Database = {
  url: string
  /** Runs SQL over a connection of its own. */
  query(text: string, params?: unknown[]): Promise<pg.QueryResult>
}

export type Neighbours = Script<NeighboursReady> & {
  /** Returns the counts of requests to them since the last call. */
  takeCounts(): Promise<Counts>
}

export async function createBench(): Promise<Bench> {
  let starting: Promise<PostgresServer> | undefined
  // Some parts have no database.
  const server = () => {
    starting ??= startPostgres()
    return starting
  }
  atEnd(async () => (await starting)?.stop())
  const keys = await makeSigningKeys(new Date())
  return {
    keys,
    settings: {
      // A part that has a chain replaces these keys by its own.
      ...bindingsOf(makeKeys()),
      ...keys,
      DATABASE_URL,
      SOLANA_RPC_URL: 'http://rpc.agentcred.internal/',
      // Counted in Postgres; everything here comes from one address.
      ...NO_LIMITS_BY_ADDRESS,
    },
    createDatabase: async (name, isMigrated = true) => {
      const postgres = await server()
      await postgres.createDatabase(name)
      const url = postgres.url(name)
      if (isMigrated) await migrate(url)
      const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=0' })
      client.on('error', () => {})
      await client.connect()
      atEnd(() => client.end())
      return { url, query: (text, params) => client.query(text, params) }
    },
    createUser: async () => {
      const wallet = drawWallet()
      const session = { wallet: wallet.publicKey as Wallet, permissions: [...PERMISSIONS] }
      const { token } = await issueSession(keys.SESSION_SIGNING_KEY, session, new Date())
      return { wallet, headers: { authorization: `Bearer ${token}` } }
    },
  }
}

async function migrate(url: string): Promise<void> {
  const database = await openPostgres(url)
  await applyMigrations(database)
  await database.close()
}

export async function startNeighbours(input: NeighboursInput): Promise<Neighbours> {
  const script = await startScript<NeighboursReady>('neighbours.ts', input)
  return { ...script, takeCounts: () => script.ask<Counts>('counts') }
}

/** The neighbours as the servers of a setup; `delayed` with the database further away. */
export const serversOf = ({ ready }: Neighbours, delayed = false): Record<string, string> => ({
  outside: (delayed ? ready.delayedOutside : undefined) ?? ready.outside,
  kv: ready.kv,
  queue: ready.queue,
})

/** Where our Workers' bindings lead, by the names of {@link serversOf}. */
export const SERVICES = { outbound: 'outside', kv: 'kv', queue: 'queue' } as const satisfies Services
