import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { checkedWallets } from '../auth/session/role-settings.ts'
import { parseSpots } from '../pioneer/rules.ts'
import { parseTrustedProofs } from '../reputation/attestations/proofs.ts'
import { type Chain, parseChain } from '../solana/chains.ts'
import { isNeon } from './database.ts'

/** The settings of the local platform, from environment variables (listed in README.md beside this file). */
export type Settings = {
  port: number
  neonPort: number
  solanaPort: number
  dataDir: string
  /** A plain Postgres or Neon URL to use instead of the embedded database. */
  databaseUrl?: string
  /** A real cluster's RPC node to use instead of the embedded chain. */
  solanaRpcUrl?: string
  /** The chain that wallets sign for, if a real cluster is used. */
  solanaChain: Chain
  rateLimits: boolean
  inboxPort: number
  /** Allows webhooks on this machine, and starts the inbox. */
  allowLocalWebhooks: boolean
  oracleWallets: string
  operatorWallets: string
  attestationIssuers: string
  /** Besides the judge that the development wallet has. */
  jobJudges: string
  /** Instead of wrangler.toml's. */
  pioneerSpots?: string
}

/**
 * Reads the settings from the environment.
 * @throws Error that names the invalid variable
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    port: portOf(env, 'PORT', 8787),
    neonPort: portOf(env, 'NEON_PORT', 5488),
    solanaPort: portOf(env, 'SOLANA_RPC_PORT', 8899),
    inboxPort: portOf(env, 'INBOX_PORT', 8790),
    dataDir: resolve(env.DATA_DIR || '.data'),
    ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
    ...(env.SOLANA_RPC_URL ? { solanaRpcUrl: env.SOLANA_RPC_URL } : {}),
    solanaChain: parseChain(env.SOLANA_CHAIN || 'solana:devnet'),
    rateLimits: switchOf(env, 'RATE_LIMITS', { on: 'on', off: 'off' }, false),
    allowLocalWebhooks: switchOf(env, 'ALLOW_LOCAL_WEBHOOKS', { on: '1', off: '0' }, true),
    oracleWallets: checkedWallets('ORACLE_WALLETS', env.ORACLE_WALLETS ?? ''),
    operatorWallets: checkedWallets('OPERATOR_WALLETS', env.OPERATOR_WALLETS ?? ''),
    attestationIssuers: checkedIssuers(env.ATTESTATION_ISSUERS ?? ''),
    jobJudges: checkedWallets('JOB_JUDGES', env.JOB_JUDGES ?? ''),
    ...(env.PIONEER_SPOTS ? { pioneerSpots: String(parseSpots(env.PIONEER_SPOTS)) } : {}),
  }
}

/** A setting and its port, which a part of the platform listens on. */
type UsedPort = [name: string, port: number]

/**
 * Lists the ports that the platform listens on.
 * @throws Error that names two settings, if two parts of the platform would listen on the same port
 */
export function usedPorts(settings: Settings): UsedPort[] {
  const { port, neonPort, solanaPort, inboxPort, databaseUrl, solanaRpcUrl } = settings
  const used: UsedPort[] = [['PORT', port]]
  if (databaseUrl === undefined || !isNeon(databaseUrl)) used.push(['NEON_PORT', neonPort])
  if (solanaRpcUrl === undefined) {
    if (solanaPort === 65_535)
      throw new Error('SOLANA_RPC_PORT must be below 65535: the chain’s WebSocket is on the next port')
    used.push(['SOLANA_RPC_PORT', solanaPort])
    // For port 0 the system chooses two free ones.
    if (solanaPort !== 0) used.push(['SOLANA_RPC_PORT + 1 (the chain’s WebSocket)', solanaPort + 1])
  }
  if (settings.allowLocalWebhooks) used.push(['INBOX_PORT', inboxPort])
  for (const [index, [name, number]] of used.entries()) {
    const other = used.slice(index + 1).find((one) => one[1] === number)
    if (number !== 0 && other)
      throw new Error(`${name} and ${other[0]} are both ${number}: choose another port for one of them`)
  }
  return used
}

/** @throws Error that names the setting of a port that another program has */
export async function requireFreePorts(settings: Settings): Promise<void> {
  for (const [name, port] of usedPorts(settings)) {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening').catch((cause) => {
      throw new Error(`${name}: another program has port ${port}. End it, or choose another port`, { cause })
    })
    server.close()
    await once(server, 'close')
  }
}

function checkedIssuers(text: string): string {
  parseTrustedProofs(text)
  return text
}

function portOf(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name] || String(fallback)
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`${name} must be a port number, not "${text}"`)
  return port
}

function switchOf(
  env: NodeJS.ProcessEnv,
  name: string,
  { on, off }: { on: string; off: string },
  fallback: boolean,
): boolean {
  const text = env[name]
  if (!text) return fallback
  if (text !== on && text !== off) throw new Error(`${name} must be ${on} or ${off}, not "${text}"`)
  return text === on
}
