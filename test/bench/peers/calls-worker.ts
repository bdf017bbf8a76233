import { neon } from '@neondatabase/serverless'

/** Calls of one request, one after another, but for JSON-RPC calls: those go together. */
export type Step = 'kv.put' | 'kv.get' | 'sql' | { rpc: string[] }

type Env = { DATABASE_URL: string; SOLANA_RPC_URL: string; STEPS: string; NONCES: KVNamespace }

let key: Promise<CryptoKeyPair> | undefined

/**
 * The least that a Worker needs which makes as many calls as one of ours: so many to the same neighbours, the
 * request's body parsed, one Ed25519 signature. No validation, session, transaction, log lines or errors.
 */
export default {
  async fetch(request, env) {
    const steps: Record<string, Step[]> = JSON.parse(env.STEPS)
    if (request.method === 'POST') await request.json()
    const sql = neon(env.DATABASE_URL, { disableWarningInBrowsers: true })
    for (const step of steps[request.method] ?? []) {
      if (step === 'kv.put') await env.NONCES.put('calls', '{}', { expirationTtl: 300 })
      else if (step === 'kv.get') await env.NONCES.get('calls')
      else if (step === 'sql') await sql.query('select 1 as one', [])
      else await Promise.all(step.rpc.map((method) => ask(env.SOLANA_RPC_URL, method)))
    }
    key ??= crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']) as Promise<CryptoKeyPair>
    await crypto.subtle.sign('Ed25519', (await key).privateKey, new Uint8Array(600))
    return Response.json({ nonce: 'none', challenge: 'none' })
  },
} satisfies ExportedHandler<Env>

async function ask(url: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).json()
}
