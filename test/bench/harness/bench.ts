import pg from 'pg'
import { issueSession } from '../../../lib/auth/session/token.ts'
import { createWallet, type KeyWallet } from '../../../lib/cli/wallet.ts'
import { applyMigrations } from '../../../lib/local/neon/migrations.ts'
import { openPostgres } from '../../../lib/local/neon/postgres.ts'
import { generateCardKeys, generateSessionKeys, type SessionKeys } from '../../../lib/tools/keys/jwks.ts'
import {
  generateSecretsKey,
  generateWebhookKeys,
  type WebhookKeys,
} from '../../../lib/tools/keys/webhooks.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import type { Counts, NeighboursInput, NeighboursReady } from '../neighbours.ts'
import { type Script, startScript } from './process.ts'
import { atEnd } from './stops.ts'

/** Exists in no DNS: all that the Workers send goes to the neighbours. */
const DATABASE_URL = 'postgresql://bench:bench@db.agentcred.internal/bench'

/** What all parts share: a real Postgres server and the service's keys. */
export type Bench = {
  keys: SessionKeys & WebhookKeys
  /** Vars and secrets of the Workers. */
  settings: Record<string, string>
  /** Makes a database of its own, with the service's tables unless told otherwise. */
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
  /** What was asked of them since the last call. */
  takeCounts(): Promise<Counts>
}

export async function createBench(): Promise<Bench> {
  const server = await startPostgres()
  atEnd(() => server.stop())
  const keys = {
    ...(await generateSessionKeys(new Date())),
    ...generateWebhookKeys(),
    ...(await generateCardKeys(new Date())),
  }
  return {
    keys,
    settings: {
      ...keys,
      ...generateSecretsKey(),
      DATABASE_URL,
      SOLANA_RPC_URL: 'http://rpc.agentcred.internal/',
      // Counted in Postgres; everything here comes from one address.
      REGISTRY_KEYS_PER_ADDRESS: '1000000000',
      EMPTY_BUILDS_PER_ADDRESS: '1000000000',
      AGENTS_PER_ADDRESS: '1000000000',
      HIRES_PER_ADDRESS: '1000000000',
      STATUS_CHANGES_PER_ADDRESS: '1000000000',
      ATTESTATIONS_PER_ADDRESS: '1000000000',
      CHARGES_PER_ADDRESS: '1000000000',
      WEBHOOKS_PER_ADDRESS: '1000000000',
      EXPEDITED_PER_ADDRESS: '1000000000',
      PRICE_CHANGES_PER_ADDRESS: '1000000000',
    },
    createDatabase: async (name, isMigrated = true) => {
      await server.createDatabase(name)
      const url = server.url(name)
      if (isMigrated) await migrate(url)
      const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=0' })
      client.on('error', () => {})
      await client.connect()
      atEnd(() => client.end())
      return { url, query: (text, params) => client.query(text, params) }
    },
    createUser: async () => {
      const wallet = createWallet()
      const permissions = ['agents:register', 'agents:hire', 'vault:transact'] as const
      const session = { wallet: wallet.publicKey as Wallet, permissions: [...permissions] }
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

/** Where our Workers' bindings lead, by the names of {@link serversOf}; `empty` stands for other Workers. */
export const SERVICES = { outbound: 'outside', kv: 'kv', queue: 'queue', empty: 'empty' }
