import type { Guide } from './guide.ts'

const file = `import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createClient } from '@agentcred/client'

const key = createPrivateKey(readFileSync('wallet.pem'))
const client = createClient({
  baseUrl: process.env.API!,
  wallet: {
    publicKey: process.env.WALLET!,
    signMessage: (message) => sign(null, message, key),
  },
  permissions: ['agents:hire'],
  onSession: (session) => console.log('session until', session && new Date(session.expiresAt)),
})

const { hires } = await client.call('GET /agents/hire')
console.log(hires.length, 'hires')`

/** Shows how a program without a user logs in. */
export const server: Guide = {
  id: 'guide-server',
  title: 'Log in from a server',
  lead: 'A server has its own wallet: an Ed25519 key in a file that only it can read. No user signs anything.',
  steps: [
    {
      words:
        'Make a key, once. `base58` is defined in [Try the examples](#guide-examples); if you came from there, keep its `wallet.pem`.',
      language: 'sh',
      code: `[ -f wallet.pem ] || openssl genpkey -algorithm ed25519 -out wallet.pem
chmod 600 wallet.pem
export WALLET=$(openssl pkey -in wallet.pem -pubout -outform DER | tail -c 32 | base58)`,
    },
    {
      words:
        'The client logs in at the first call that needs a session, and again before the session ends. `permissions` limits what a stolen token can do.',
      language: 'ts',
      file: 'server.ts',
      code: file,
    },
    { words: 'Node 24 runs TypeScript directly.', language: 'sh', code: 'node server.ts' },
  ],
}
