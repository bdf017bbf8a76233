import { base58 } from '@scure/base'
import { type Address, addressOf, parseAddress } from '../../../lib/solana/address.ts'
import { compileMessage } from '../../../lib/solana/message.ts'
import { associatedTokenAddress } from '../../../lib/solana/programs/associated-token.ts'
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../lib/solana/programs/compute-budget.ts'
import { memo } from '../../../lib/solana/programs/memo.ts'
import { transferChecked } from '../../../lib/solana/programs/token.ts'
import { encodeTransaction } from '../../../lib/solana/transaction.ts'
import { writeFacilitatorKey } from '../../../lib/x402/keys/facilitator-key.ts'
import { drawUuid } from '../../support/random.ts'
import { type Bench, type Database, type Neighbours, startNeighbours, type User } from '../harness/bench.ts'
import { type Action, expectSuccess } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { startScript } from '../harness/process.ts'
import { amount } from '../harness/quick.ts'
import { MEASURED_COLUMNS, measuredRows, ratioOf, type Section } from '../harness/report.ts'
import { countsOf, startWorker, withClient } from '../harness/subjects.ts'
import type { FacilitatorInput, PeerReady } from '../peers/inputs.ts'
import { giveCred } from './vault.ts'

const OURS = 'x402 Worker'
const REFERENCE = 'facilitator of @x402/svm'

/** The rows that this part promises. */
export const subjects = (): string[] => [OURS, REFERENCE]

const ROUNDS = { ...CPU_ROUNDS, count: amount(300, 40), warmUp: amount(500, 40) }
const AMOUNT = 1_000n
/**
 * The number of payers, who pay in turn: a payer may have three payments in flight before its first settles.
 */
const PAYERS = amount(100, 20)
/** A payment's blockhash must be valid for 40 blocks of 150 yet. */
const BLOCKHASH_MS = 10_000

/** POST …/settle, from the request to the payment that has landed, beside the published facilitator. */
export async function settle(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('settle')
  const neighbours = await startNeighbours({ databaseUrl: database.url, hasChain: true })
  const { VAULT_MINT = '', X402_FEE_PAYER_KEY = '', X402_KEY_SECRET = '' } = neighbours.ready.vaultSettings
  const settings = { ...bench.settings, X402_SOL_PER_DAY: '1000' }
  const worker = await startWorker({ ...bench, settings }, neighbours, 'x402')
  const input: FacilitatorInput = {
    feePayerKey: X402_FEE_PAYER_KEY,
    rpcUrl: `http://${neighbours.ready.outside}/rpc`,
  }
  const reference = await startScript<PeerReady>('peers/facilitator.ts', input)

  const owner = await bench.createUser()
  await fund(neighbours, owner, VAULT_MINT)
  const agentId = await payableAgent(database, owner, VAULT_MINT)
  const key = await writeFacilitatorKey(X402_KEY_SECRET, { agentId, keyVersion: 1 })
  const pay = await payments(bench, neighbours, {
    agentId,
    owner: parseAddress(owner.wallet.publicKey),
    mint: parseAddress(VAULT_MINT),
    feePayer: addressOf(base58.decode(X402_FEE_PAYER_KEY).subarray(32)),
    network: neighbours.ready.vaultSettings.X402_NETWORK ?? '',
  })
  const settleAt =
    (path: string): Action =>
    async (client) => {
      const answer = await client.send({ method: 'POST', path, body: await pay() })
      const { success, errorReason } = JSON.parse(expectSuccess(answer).body.toString())
      if (!success) throw new Error(`not settled: ${errorReason}`)
      return answer
    }
  const subjects = [
    { name: OURS, ...worker, action: settleAt(`/v1/x402/k/${key}/settle`) },
    { name: REFERENCE, origin: reference.ready.origin, process: reference, action: settleAt('/settle') },
  ]
  await pay()
  const counts = []
  for (const one of subjects) counts.push(await countsOf(one, neighbours, one.action, 0))
  const measured = await alternate(subjects, ROUNDS)
  const asked = counts.map((one) => `${one?.sql} SQL, ${one?.rpc} JSON-RPC`)
  return [
    {
      title: 'POST …/settle, until the payment has landed',
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, {
        [OURS]: (counts[0]?.sql ?? 0) + (counts[0]?.rpc ?? 0),
        [REFERENCE]: counts[1]?.rpc ?? 0,
      }),
      goals: [],
      notes: [
        `CPU, ours : the reference ${ratioOf(measured, 'cpuMs', OURS, REFERENCE).toFixed(2)}`,
        `ours: ${asked[0]}, two waves of them before the record; the reference, which keeps no ledger: ${asked[1]}`,
      ],
    },
  ]
}

async function fund({ ready }: Neighbours, user: User, mint: string) {
  await withClient(`http://${ready.outside}`, (client) => giveCred(client, user, mint))
}

/** An active agent with a key and a price, whose owner's credit does not end. */
async function payableAgent(database: Database, { wallet }: User, mint: string): Promise<string> {
  const id = drawUuid()
  await database.query(
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score,
       hirers, total_hires, status, registered_at)
     values ($1, $2, 'Forecast', 'autonomous', '{17}', 'percentage', 0, 0, 0, 0, 'active', now())`,
    [id, wallet.publicKey],
  )
  await database.query('insert into facilitator_keys (agent_id, generation, made_at) values ($1, 1, now())', [
    id,
  ])
  await database.query(
    `insert into request_prices (agent_id, name, asset, amount) values ($1, 'forecast', $2, $3)`,
    [id, mint, AMOUNT],
  )
  await database.query('insert into credits (owner, balance) values ($1, $2)', [wallet.publicKey, 10n ** 15n])
  return id
}

type Terms = { agentId: string; owner: Address; mint: Address; feePayer: Address; network: string }

/** Makes a signer of payments of many wallets in turn, as a resource server sends them to a facilitator. */
async function payments(bench: Bench, neighbours: Neighbours, terms: Terms) {
  const { agentId, owner, mint, feePayer, network } = terms
  const users = await Promise.all(Array.from({ length: PAYERS }, () => bench.createUser()))
  for (const user of users) await fund(neighbours, user, mint)
  const destination = await associatedTokenAddress(owner, mint)
  const paymentRequirements = {
    scheme: 'exact',
    network,
    amount: String(AMOUNT),
    asset: mint,
    payTo: owner,
    maxTimeoutSeconds: 60,
    extra: { feePayer, agentId, paymentFlow: 'upfront' },
  }
  let newest = { blockhash: '', readAt: 0 }
  const blockhash = async () => {
    if (Date.now() - newest.readAt > BLOCKHASH_MS)
      newest = { blockhash: await latestBlockhash(neighbours), readAt: Date.now() }
    return newest.blockhash
  }
  let next = 0
  return async () => {
    const { wallet } = users[next++ % users.length] as User
    const payer = parseAddress(wallet.publicKey)
    const source = await associatedTokenAddress(payer, mint)
    const { bytes: message } = compileMessage(
      feePayer,
      [
        setComputeUnitLimit(20_000),
        setComputeUnitPrice(1n),
        transferChecked({ source, mint, destination, amount: AMOUNT, decimals: 9 }, { owner: payer }),
        { ...memo(drawUuid(), payer), accounts: [] },
      ],
      await blockhash(),
    )
    const signatures = [new Uint8Array(64), new Uint8Array(base58.decode(wallet.sign(message)))]
    const transaction = encodeTransaction({ message, signatures })
    const paymentPayload = { x402Version: 2, accepted: paymentRequirements, payload: { transaction } }
    return { x402Version: 2, paymentPayload, paymentRequirements }
  }
}

async function latestBlockhash({ ready }: Neighbours): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [{ commitment: 'confirmed' }] }
  const answer = await withClient(`http://${ready.outside}`, (client) =>
    client.send({ method: 'POST', path: '/rpc', body }),
  )
  return JSON.parse(answer.body.toString()).result.value.blockhash
}
