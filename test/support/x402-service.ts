import { Keypair } from '@solana/web3.js'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { register } from './agents.ts'
import { rowsOf } from './chain.ts'
import type { Answer, Body, Service } from './service.ts'
import { giveCred } from './staker.ts'
import { stockPayment } from './x402.ts'

/* Agents that are paid for requests over HTTP, and who pays them. */

export const PRICE = 250_000

/** An agent with a key and a price, whose owner has an account and credit, and what servers of it do. */
export async function payableAgent(service: Service, { credit = 1_000_000_000_000n } = {}) {
  const keypair = Keypair.generate()
  const owner = await service.signIn(walletFromSecretKey(keypair.secretKey))
  const address = owner.wallet.publicKey
  const { id } = await register(owner.call)
  const setPrices = (prices: unknown) => owner.call('PUT', `/x402/agents/${id}/prices`, { body: { prices } })
  const makeKey = async () => String((await owner.call('POST', `/x402/agents/${id}/key`)).body.key)
  await setPrices([{ name: 'forecast', amount: PRICE }])
  const key = await makeKey()
  await giveCred(service, address, 0)
  await setCredit(service, address, credit)
  const held = { key }
  return {
    id: String(id),
    address,
    keypair,
    call: owner.call,
    get key() {
      return held.key
    },
    set key(newer: string) {
      held.key = newer
    },
    setPrices,
    makeKey,
    /** By the key that the agent has now, or another. */
    ask: (
      what: 'verify' | 'settle',
      body: unknown,
      by = held.key,
      headers: Record<string, string> = {},
    ): Promise<Answer> => service.call('POST', `/x402/k/${by}/${what}`, { body, headers }),
    terms: async (query = '') => (await service.call('GET', `/x402/agents/${id}${query}`)).body,
    supported: (by = held.key): Promise<Answer> => service.call('GET', `/x402/k/${by}/supported`),
    credit: async () => {
      const rows = await rowsOf(service, 'select balance from credits where owner = $1', address)
      return BigInt(rows[0]?.[0] ?? 0)
    },
  }
}

export type PayableAgent = Awaited<ReturnType<typeof payableAgent>>

export const setCredit = (service: Service, owner: string, credit: bigint) =>
  rowsOf(
    service,
    `insert into credits (owner, balance) values ($1, $2::bigint)
      on conflict (owner) do update set balance = excluded.balance`,
    owner,
    String(credit),
  )

/** The requirements that a stock server makes of the agent's terms and what the facilitator supports. */
export function requirementsOf(terms: Body, supported: Body): PaymentRequirements {
  const [accepts] = terms.accepts as {
    scheme: string
    network: `${string}:${string}`
    payTo: string
    price: { amount: string; asset: string; extra: Record<string, unknown> }
    maxTimeoutSeconds: number
    extra: Record<string, unknown>
  }[]
  const [kind] = supported.kinds as { extra: { feePayer: string } }[]
  if (!accepts || !kind) throw new Error('the agent has no price')
  const { price, extra, ...rest } = accepts
  return {
    ...rest,
    amount: price.amount,
    asset: price.asset,
    extra: { ...price.extra, ...extra, feePayer: kind.extra.feePayer },
  }
}

/** A wallet with CRED that pays by the published client. */
export async function payerOf(service: Service, cred: bigint | number = PRICE * 100) {
  const keypair = Keypair.generate()
  const address = keypair.publicKey.toBase58()
  await giveCred(service, address, cred)
  const requirements = async (agent: PayableAgent) =>
    requirementsOf(await agent.terms(), (await agent.supported()).body)
  return {
    keypair,
    address,
    requirements,
    /** What a server sends to /verify and /settle for a payment that this wallet signs now. */
    async sign(agent: PayableAgent, changes: Partial<PaymentRequirements> = {}) {
      const paymentRequirements = { ...(await requirements(agent)), ...changes }
      const paymentPayload: PaymentPayload = await stockPayment(
        paymentRequirements,
        service.solana.url,
        keypair,
      )
      return { x402Version: 2, paymentPayload, paymentRequirements }
    },
    signIn: () => service.signIn(walletFromSecretKey(keypair.secretKey)),
  }
}
