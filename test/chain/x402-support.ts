import { type Keypair, PublicKey } from '@solana/web3.js'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Db } from '../../lib/db/connect.ts'
import { importSigner } from '../../lib/keys/signer.ts'
import { parseAddress } from '../../lib/solana/address.ts'
import { createRpc, type Rpc } from '../../lib/solana/rpc.ts'
import type { SettleDeps } from '../../lib/x402/facilitator/deps.ts'
import { settlePayment } from '../../lib/x402/facilitator/settle.ts'
import { settleDuePayments } from '../../lib/x402/facilitator/settle-due.ts'
import { verifyPayment } from '../../lib/x402/facilitator/verify.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ONE_CRED } from '../support/paid.ts'
import type { RawMessage } from '../support/raw-message.ts'
import { AMOUNT, FEES_PER_DAY, payableAgent } from '../support/request-payments.ts'
import {
  feePayer,
  keyOf,
  NETWORK,
  payer,
  rawPayment,
  requirementsWith,
  signedBy,
  stockPayment,
  withTransaction,
} from '../support/x402.ts'
import { call, startChain } from './support.ts'
import { mintTo } from './token-support.ts'

/** A chain with a mint and a fee payer, and the facilitator of agents that are paid there. */
export async function startFacilitator(db: Db, { feesPerDay = FEES_PER_DAY } = {}) {
  const { clock, server, connection } = await startChain()
  const { mint } = await mintTo(connection, 1n)
  const asset = parseAddress(mint.publicKey.toBase58())
  await connection.requestAirdrop(feePayer.publicKey, 1_000_000_000)
  const signer = await importSigner(feePayer.secretKey)
  const rpc = createRpc(server.url)
  const deps = (changes: Partial<SettleDeps> = {}): SettleDeps => ({
    db,
    rpc,
    now: new Date(clock.now()),
    feePayer: signer,
    settings: {
      ...{ network: NETWORK, maxFee: 20_000n, fee: 10_000_000n, credPerSol: 1_000n, feesPerDay },
      ...{ mint: asset, feeBps: 100, feeStep: cred(ONE_CRED) },
    },
    isWithinRate: async () => true,
    alert: () => {},
    clock: () => new Date(clock.now()),
    wait: async (ms) => clock.pass(ms),
    scheduleOrFail: async () => {},
    schedule: () => {},
    notify: () => {},
    ...changes,
  })
  const setTokens = (wallet: string, amount: bigint) =>
    call(server.url, 'surfnet_setTokenAccount', [wallet, asset, { amount: Number(amount) }])
  const tokens = async (wallet: string) => {
    const { value } = await connection.getTokenAccountsByOwner(new PublicKey(wallet), {
      mint: mint.publicKey,
    })
    return value[0]?.account.data.readBigUInt64LE(64)
  }

  /** An agent of this owner, who has an account of the mint. */
  async function addAgent(owner: Keypair, { credit }: { credit?: bigint } = {}) {
    await setTokens(keyOf(owner), 0n)
    const wallet = keyOf(owner) as unknown as Wallet
    const agent = await payableAgent(db, {
      owner: wallet,
      price: asset,
      ...(credit === undefined ? {} : { credit }),
    })
    const requirements: PaymentRequirements = {
      ...requirementsWith({ agentId: agent.id }),
      asset,
      amount: AMOUNT.toString(),
      payTo: keyOf(owner),
    }
    const request = (paymentPayload: PaymentPayload) => ({
      key: { agentId: agent.id, keyVersion: agent.generation },
      paymentPayload,
      paymentRequirements: requirements,
    })
    return {
      agent,
      owner,
      /** A payment of the published client, or what a payer makes of it. */
      sign: async (by = payer, change?: (message: RawMessage) => void) => {
        const payload = await stockPayment(requirements, server.url, by)
        if (!change) return payload
        const raw = rawPayment(payload)
        change(raw)
        return withTransaction(payload, signedBy([by], raw))
      },
      balance: async () => {
        const rows = await db.$client.query('select balance from credits where owner = $1', [wallet])
        return BigInt(String(rows[0]?.balance))
      },
      verify: (payload: PaymentPayload, changes?: Partial<SettleDeps>) =>
        verifyPayment(deps(changes), request(payload)),
      settle: (payload: PaymentPayload, changes?: Partial<SettleDeps>) =>
        settlePayment(deps(changes), request(payload)),
    }
  }

  return {
    clock,
    url: server.url,
    connection,
    rpc,
    mint,
    signer,
    setTokens,
    tokens,
    addAgent,
    runJobs: (changes?: Partial<SettleDeps>) =>
      settleDuePayments({ ...deps(changes), feeStep: cred(ONE_CRED) }),
  }
}

/** A node that loses some of its calls. */
export const without = (rpc: Rpc, lost: Partial<Rpc>): { rpc: Rpc } => ({ rpc: { ...rpc, ...lost } })
