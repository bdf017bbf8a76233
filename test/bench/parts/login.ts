import { base58 } from '@scure/base'
import type { KeyWallet } from '../../../lib/cli/wallet.ts'
import { type Bench, startNeighbours } from '../harness/bench.ts'
import { drawWallet } from '../harness/draws.ts'
import { type Action, type Answer, type Client, expectSuccess } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { startScript } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { CALLS, countsOf, startCalls, startWorker } from '../harness/subjects.ts'
import type { BetterAuthInput, PeerReady } from '../peers/inputs.ts'

/** They sign up while everything warms up, and log in again while it is measured. */
const WALLETS = amount(500, 50)
const ROUNDS = { ...CPU_ROUNDS, count: amount(1_000, 50), warmUp: amount(1_000, 50) }

/** A login, which is two requests: the challenge, and its signed answer. */
export async function login(bench: Bench): Promise<Section[]> {
  const wallets = Array.from({ length: WALLETS }, drawWallet)
  const by =
    (one: (client: Client, wallet: KeyWallet) => Promise<Answer>): Action =>
    (client, number) =>
      one(client, wallets[number % WALLETS] as KeyWallet)
  const database = await bench.createDatabase('login')
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const worker = await startWorker(bench, neighbours, 'auth')
  const calls = await startCalls(bench, neighbours, { GET: ['kv.put'], POST: ['kv.get', 'sql'] })
  const { url } = await bench.createDatabase('better_auth', false)
  const input: BetterAuthInput = { databaseUrl: url }
  const peer = await startScript<PeerReady>('peers/better-auth.ts', input)
  const measured = await alternate(
    [
      { name: OURS, ...worker, action: by(logIn) },
      { name: CALLS, ...calls, action: by(logIn) },
      { name: BETTER_AUTH, origin: peer.ready.origin, process: peer, action: by(logInToBetterAuth) },
    ],
    ROUNDS,
  )
  const { sql, kvReads, kvWrites } = await countsOf(worker, neighbours, by(logIn), 1)
  return [
    {
      title: 'Login: challenge and answer, two requests',
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, { [OURS]: sql + kvReads + kvWrites }),
      goals: [
        {
          what: 'CPU of both requests, ms',
          measured: measured.get(OURS)?.cpuMs ?? Number.NaN,
          limit: 0.8,
          is: 'at most',
        },
      ],
      notes: [
        `CPU, ours : ${CALLS} ${ratioOf(measured, 'cpuMs', OURS, CALLS).toFixed(2)}`,
        `CPU, ours : better-auth ${ratioOf(measured, 'cpuMs', OURS, BETTER_AUTH).toFixed(2)}`,
        `ours: ${sql} SQL, ${kvWrites} KV write, ${kvReads} KV read; bytes are of the second answer`,
      ],
    },
  ]
}

const OURS = 'auth Worker'
const BETTER_AUTH = 'better-auth (SIWE plugin, Ed25519)'

/** The rows that this part promises. */
export const subjects = (): string[] => [OURS, CALLS, BETTER_AUTH]

/** Logs a wallet in to our service; the answer is the session. */
export async function logIn(client: Client, wallet: KeyWallet): Promise<Answer> {
  const path = '/v1/auth/handshake'
  const { nonce, challenge } = jsonOf(await client.send({ path }))
  const signature = wallet.sign(String(challenge))
  return client.send({ method: 'POST', path, body: { nonce, signature, publicKey: wallet.publicKey } })
}

async function logInToBetterAuth(client: Client, wallet: KeyWallet): Promise<Answer> {
  const { nonce } = jsonOf(await client.send({ method: 'POST', path: '/api/auth/siwe/nonce', body: {} }))
  const key = Buffer.from(base58.decode(wallet.publicKey))
  const message = [
    '127.0.0.1 wants you to sign in with your Ethereum account:',
    `0x${key.subarray(0, 20).toString('hex')}`,
    '',
    'URI: http://127.0.0.1',
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date().toISOString()}`,
  ].join('\n')
  const signature = Buffer.concat([key, base58.decode(wallet.sign(message))]).toString('base64')
  return client.send({ method: 'POST', path: '/api/auth/siwe/verify', body: { message, signature } })
}

const jsonOf = (answer: Answer): Record<string, unknown> => JSON.parse(expectSuccess(answer).body.toString())
