import { requestFee } from '../../lib/reputation/counterparties/rules.ts'
import { debitOf } from '../../lib/x402/rules.ts'
import { ONE_CRED } from './paid.ts'

/* The moves of the search with payments for requests, which change a score. */

const FEE_BPS = 100
const DEFAULTS = { fee: ONE_CRED / 100n, credPerSol: 1_000n }

/** So many payments of one kind. */
export type Requests = {
  times: number
  /** Wallet 0 is the owner whose score is moved. */
  wallet: number
  /** 0 and 1 are the owner's; to others only the owner pays, to some that share what they get with it. */
  agent: number
  amount: bigint
  /** The network fees that the payer makes the fee payer pay, in lamports of SOL. */
  networkFee: bigint
  /** In CRED, or in an asset that the payer makes itself. */
  asset: 'CRED' | 'own'
  isFailing: boolean
}

/** The number of strangers' agents. Agents of accomplices have the numbers after them. */
const STRANGERS = 20
const isOwners = (agent: number) => agent < 2
const isAccomplices = (agent: number) => agent >= 2 + STRANGERS

/** Who owns an agent, if it isn't the owner. */
export const ownerOf = (agent: number): string | undefined =>
  isOwners(agent) ? undefined : `owner of ${agent}`

type Judged = { amount: bigint; debit: bigint; asset: Requests['asset']; isFailing: boolean }

/** What a payment weighs by; undefined of one that does not count. */
export type Rule = (payment: Judged) => bigint | undefined

/** The rule as it is: the ledger counts what has settled, and `fee` is null of other assets. */
export const asBuilt: Rule = ({ asset, isFailing, ...payment }) =>
  asset === 'CRED' && !isFailing ? requestFee(payment, FEE_BPS) : undefined

const debitFor = ({ networkFee }: Requests): bigint => debitOf(networkFee, DEFAULTS)

/** What all of them weigh by, and what was paid: each alone is rounded. */
export function weigh(requests: Requests, rule: Rule): { fee: bigint; amount: bigint } | undefined {
  const fee = rule({ ...requests, debit: debitFor(requests) })
  const times = BigInt(requests.times)
  return fee === undefined ? undefined : { fee: fee * times, amount: requests.amount * times }
}

const inCred = (requests: Requests, amount: bigint) => (Number(amount) * requests.times) / Number(ONE_CRED)

/** What leaves the payer for good where it gets nothing back: tokens of one's own cost nothing. */
const amountOf = (one: Requests) => (one.isFailing || one.asset === 'own' ? 0 : inCred(one, one.amount))

export const requestLoss = {
  /** The owner's own: of itself and accomplices all but the debit comes back, outside. */
  own: (one: Requests): number =>
    isOwners(one.agent) || isAccomplices(one.agent) ? inCred(one, debitFor(one)) : amountOf(one),
  /** Of an attack: debits are the victim's. */
  all: amountOf,
}

/** A change of payments at random. */
export function changedRequests(requests: Requests[], random: () => number): Requests[] {
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const scaled = (amount: bigint, factor: number) => BigInt(Math.max(1, Math.round(Number(amount) * factor)))
  const factor = 1 + (random() - 0.6) * 10 ** (-4 * random())
  const parties = () =>
    random() < 0.6
      ? { wallet: Math.floor(random() * 40), agent: any([0, 1]) }
      : { wallet: 0, agent: Math.floor(random() * 2 * STRANGERS) + 2 }
  const chosen = any(requests.map((_, index) => index))
  const with_ = (change: (one: Requests) => Partial<Requests>) =>
    requests.map((one, index) => (index === chosen ? { ...one, ...change(one) } : one))
  return any<() => Requests[]>([
    () => requests.map((one) => ({ ...one, amount: scaled(one.amount, factor) })),
    () => with_(({ amount }) => ({ amount: scaled(amount, factor) })),
    () => with_(() => ({ amount: any([1n, ONE_CRED / 100n, ONE_CRED, 100n * ONE_CRED]) })),
    () => with_(({ times }) => ({ times: Math.max(1, times + Math.round((random() - 0.6) * 20)) })),
    () => with_(({ times, amount }) => ({ times: Math.ceil(times / 2), amount: amount * 2n })),
    () => with_(() => ({ networkFee: any([10_000n, 10_001n, 20_000n]) })),
    () => with_(parties),
    () => with_(({ asset }) => ({ asset: asset === 'own' ? 'CRED' : 'own' })),
    () => with_(({ isFailing }) => ({ isFailing: !isFailing })),
    () => requests.filter((_, index) => index !== chosen),
    () => [
      ...requests,
      {
        ...parties(),
        times: 1 + Math.floor(random() * 100),
        amount: scaled(ONE_CRED, 10 ** (4 * random() - 2)),
        ...PLAIN,
      },
    ],
  ])()
}

/** In CRED, landing, at the least network fee. */
export const PLAIN = { networkFee: 10_000n, asset: 'CRED', isFailing: false } as const
