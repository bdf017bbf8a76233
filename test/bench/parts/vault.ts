import { type Bench, type Neighbours, startNeighbours, type User } from '../harness/bench.ts'
import type { Action, Client } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { startScript } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { CALLS, countsOf, startCalls, startWorker, withClient } from '../harness/subjects.ts'
import type { Step } from '../peers/calls-worker.ts'
import type { BuildCosts, TransactionsInput } from '../transactions.ts'

const OURS = 'vault Worker'
const ROUNDS = { ...CPU_ROUNDS, count: amount(500, 50), warmUp: amount(1_000, 50) }
const ONE_CRED = 1_000_000_000
const BUILDERS = { ours: 'ours', kit: '@solana/kit', web3: '@solana/web3.js 1.x' }

/** The rows that this part promises. */
export const subjects = (): string[] => [OURS, CALLS, ...Object.values(BUILDERS)]

const STAKE = { amount: ONE_CRED, lockDays: 30 }

/** POST /vault/stack, and building its transaction alone beside kit and web3.js. */
export async function vault(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('vault')
  const neighbours = await startNeighbours({ databaseUrl: database.url, hasChain: true })
  const worker = await startWorker(bench, neighbours, 'vault')
  const users = await fundedUsers(bench, neighbours, ROUNDS.warmUp + ROUNDS.rounds * ROUNDS.count + 1)
  let next = 0
  // A wallet of its own each time: few of one wallet's stacks may be open at once.
  const stack: Action = (client) => {
    const { headers } = users[next++ % users.length] as User
    return client.send({ method: 'POST', path: '/v1/vault/stack', headers, body: STAKE })
  }
  const { sql, rpc } = await countsOf(worker, neighbours, stack, 0)
  const waves: Step[] = ['sql', { rpc: ['getLatestBlockhash', 'getSlot'] }, 'sql']
  const calls = await startCalls(bench, neighbours, { POST: waves })
  const same: Action = (client) => client.send({ method: 'POST', path: '/v1/vault/stack', body: STAKE })
  const measured = await alternate(
    [
      { name: OURS, ...worker, action: stack },
      { name: CALLS, ...calls, action: same },
    ],
    ROUNDS,
  )
  return [
    {
      title: 'POST /vault/stack, a wallet’s first',
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, { [OURS]: sql + rpc }),
      goals: [
        { what: 'CPU, ms', measured: measured.get(OURS)?.cpuMs ?? Number.NaN, limit: 1.5, is: 'at most' },
      ],
      notes: [
        `CPU, ours : ${CALLS} ${ratioOf(measured, 'cpuMs', OURS, CALLS).toFixed(2)}`,
        `${sql} SQL, ${rpc} JSON-RPC, answered by the embedded chain in another process`,
      ],
    },
    await buildingAlone(neighbours.ready.vaultSettings),
  ]
}

async function buildingAlone(settings: Record<string, string>): Promise<Section> {
  const script = await startScript<BuildCosts>('transactions.ts', { settings } satisfies TransactionsInput)
  await script.stop()
  const { ours, kit, web3 } = script.ready
  return {
    title: 'The stacking transaction alone, built and signed, in Node',
    columns: ['', 'CPU ms'],
    rows: [
      [BUILDERS.ours, ours],
      [BUILDERS.kit, kit],
      [BUILDERS.web3, web3],
    ],
    goals: [{ what: 'ours : web3.js', measured: ours / web3, limit: 0.35, is: 'at most' }],
    notes: [`ours : kit ${(ours / kit).toFixed(2)}`],
  }
}

/** Wallets with sessions, and CRED in their token accounts on the embedded chain. */
async function fundedUsers(bench: Bench, { ready }: Neighbours, count: number): Promise<User[]> {
  const users: User[] = []
  await withClient(`http://${ready.outside}`, async (client) => {
    while (users.length < count) {
      const user = await bench.createUser()
      await giveCred(client, user, ready.vaultSettings.VAULT_MINT ?? '')
      users.push(user)
    }
  })
  return users
}

/** Puts 1,000 CRED into a wallet's token account on the embedded chain. */
export async function giveCred(client: Client, { wallet }: User, mint: string): Promise<void> {
  const params = [wallet.publicKey, mint, { amount: 1_000 * ONE_CRED }]
  const body = { jsonrpc: '2.0', id: 1, method: 'surfnet_setTokenAccount', params }
  const answer = await client.send({ method: 'POST', path: '/', headers: { host: 'rpc.local' }, body })
  const { error } = JSON.parse(answer.body.toString())
  if (error) throw new Error(error.message)
}
