import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { siwe } from 'better-auth/plugins'
import pg from 'pg'
import type { BetterAuthInput, PeerReady } from './inputs.ts'

/**
 * better-auth with its own plugin for signing in with a wallet, on Node, over Postgres. The plugin's hook
 * verifies Ed25519: the signature field holds the public key and the signature in Base64. The plugin knows
 * Ethereum addresses only, so the address is the first 20 bytes of the key.
 */
const { databaseUrl }: BetterAuthInput = JSON.parse(process.argv[2] ?? '{}')

/** What stands before the 32 bytes of an Ed25519 public key in DER (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const options = {
  baseURL: 'http://127.0.0.1',
  secret: randomBytes(32).toString('hex'),
  database: new pg.Pool({ connectionString: databaseUrl }),
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [
    siwe({
      domain: '127.0.0.1',
      getNonce: async () => randomBytes(16).toString('hex'),
      verifyMessage: async ({ message, signature, address }) => {
        const bytes = Buffer.from(signature, 'base64')
        const [key, proof] = [bytes.subarray(0, 32), bytes.subarray(32)]
        if (`0x${key.subarray(0, 20).toString('hex')}` !== address.toLowerCase()) return false
        const der = Buffer.concat([SPKI_PREFIX, key])
        return verify(
          null,
          Buffer.from(message),
          createPublicKey({ key: der, format: 'der', type: 'spki' }),
          proof,
        )
      },
    }),
  ],
}

const { runMigrations } = await getMigrations(options)
await runMigrations()
const server = createServer(toNodeHandler(betterAuth(options)))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.send?.({ origin: `http://127.0.0.1:${port}` } satisfies PeerReady)
})
process.on('disconnect', () => process.exit())
