import { payoutAccountOf, refundAccountOf, seeded } from './accounts.ts'
import { u64At } from './bytes.ts'
import { unexpected } from './errors.ts'
import {
  approve,
  close,
  createAccount,
  createAssociated,
  initializeAccount,
  initializeMultisig,
  setCloseAuthority,
  transfer,
} from './instructions.ts'
import type { Instruction } from './message.ts'
import type { OrderOf } from './order.ts'
import {
  type Context,
  hasAccount,
  isClosing,
  keyOf,
  type List,
  legsOf,
  opening,
  payoutOf,
  protocolFee,
  RENT_AT,
  rentIn,
  requireSources,
  requireTreasury,
  sum,
  trusted,
} from './parts.ts'
import { ASSOCIATED_TOKEN_PROGRAM, MULTISIG_BYTES, maxRent, TOKEN_ACCOUNT_BYTES } from './programs.ts'
import { addressIn, cred, seedIn } from './values.ts'

type JobFlow = 'openRefundAccount' | 'fundJob' | 'refundJob' | 'collectJobs' | 'closeEscrows'

/** The hex digits of the terms' hash that the memo of a funding has. */
const TERMS_DIGITS = 32

/** The most escrows that one transaction pays from, and the most that it closes. */
export const MAX_JOB_LEGS = 6
export const MAX_CLOSED = 10

/** The lists of the transactions of jobs (README.md). */
export const JOB_LISTS: { [Name in JobFlow]: (order: OrderOf<Name>, context: Context) => List } = {
  openRefundAccount(_order, { wallet, body, paymentKeys }) {
    const { version, authority, recovery } = trusted(
      keyOf(paymentKeys, ({ version }) =>
        hasAccount(body.at(-1), 0, refundAccountOf(wallet, version).address),
      ),
    )
    if (recovery === undefined) throw unexpected(`key version ${version} has no recovery key`)
    const account = refundAccountOf(wallet, version)
    const { expected, rents } = opening(account, MULTISIG_BYTES, body)
    const signers = [wallet, wallet, authority, recovery]
    return {
      expected: [...expected, initializeMultisig(account.address, 3, signers)],
      text: `opened under generation ${version}`,
      summary: { rents },
    }
  },

  fundJob({ jobId, price, owner, termsHash }, { wallet, mint, own, body, paymentKeys }) {
    const [creation, owning] = body
    const keys = trusted(
      keyOf(paymentKeys, ({ version }) => addressIn(owning, 1) === refundAccountOf(wallet, version).address),
    )
    const { address, ...seed } = seeded(wallet, seedIn(creation))
    const rents = rentIn(creation, RENT_AT, TOKEN_ACCOUNT_BYTES)
    const byRefund = refundApproval(wallet, keys)
    const delegate = payoutAccountOf(owner, keys.version).address
    return {
      expected: [
        createAccount({ address, ...seed }, rents, TOKEN_ACCOUNT_BYTES),
        initializeAccount(address, mint, byRefund.owner),
        transfer({ source: own, mint, destination: address, amount: price }, { owner: wallet }),
        setCloseAuthority(address, wallet, byRefund),
        approve({ account: address, mint, delegate, amount: price }, byRefund),
      ],
      word: `job ${jobId.toLowerCase()}`,
      text: `${cred(price)} CRED for ${owner}, terms ${termsHash.slice(0, TERMS_DIGITS)}`,
      cosigner: keys.authority,
      summary: { payee: owner, paid: price, approved: price, rents },
    }
  },

  refundJob({ jobId, atLeast = 0n }, context) {
    const { wallet, mint, own, body, paymentKeys } = context
    const payout = payoutOf(context)
    const paying = body.slice(payout.expected.length)
    const isClosed = isClosing(paying.at(-1))
    const paid = paying[isClosed ? 0 : 1]
    const keys = keyOf(paymentKeys, ({ version }) =>
      hasAccount(paid, 3, refundAccountOf(wallet, version).address),
    )
    const escrow = paid?.accounts[0] ?? ''
    const amount = u64At(paid?.data, 1)
    if (amount < atLeast)
      throw unexpected(`it pays ${cred(amount)} CRED, at least ${cred(atLeast)} CRED are due`)
    requireSources([escrow], [payout.destination, own])
    const byRefund = refundApproval(wallet, keys)
    const guard = { source: escrow, mint, destination: escrow, amount: u64At(paying[0]?.data, 1) }
    return {
      expected: [
        ...payout.expected,
        ...(isClosed ? [] : [transfer(guard, byRefund)]),
        transfer({ source: escrow, mint, destination: payout.destination, amount }, byRefund),
        ...(isClosed ? [close(escrow, wallet, { owner: wallet })] : []),
      ],
      text: `${cred(amount)} CRED of job ${jobId.toLowerCase()}`,
      cosigner: keys.authority,
      summary: { received: amount, rents: payout.rents },
    }
  },

  collectJobs({ jobId, feeBps: most }, { wallet, mint, own, body, feeBps, paymentKeys, vaultKeys }) {
    const creates = body[0]?.program === ASSOCIATED_TOKEN_PROGRAM
    const paying = body.slice(creates ? 1 : 0)
    const keys = keyOf(paymentKeys, ({ version }) =>
      hasAccount(paying[0], 3, payoutAccountOf(wallet, version).address),
    )
    const guards = new Map(paying.filter(isGuard).map(({ accounts, data }) => [accounts[0], u64At(data, 1)]))
    const legs = legsOf(
      paying.filter((one) => !isGuard(one)),
      own,
    )
    const allowed = jobId === undefined ? MAX_JOB_LEGS : 1
    if (legs.length > allowed)
      throw unexpected(`it collects from ${legs.length} escrows, at most ${allowed} are allowed`)
    const treasury = legs.find(({ fee }) => fee > 0n)?.feeTo
    if (treasury !== undefined) requireTreasury(treasury, mint, vaultKeys)
    requireSources(
      legs.map(({ source }) => source),
      [own, treasury ?? own],
    )
    const bps = most ?? feeBps
    for (const { net, fee } of legs)
      if (fee > protocolFee(net + fee, bps))
        throw unexpected(`its fee of ${cred(fee)} CRED is more than ${bps} basis points`)
    const approval = {
      owner: payoutAccountOf(wallet, keys.version).address,
      signers: [wallet, keys.authority],
    }
    const pay = (source: string, destination: string, amount: bigint | undefined) =>
      amount ? [transfer({ source, mint, destination, amount }, approval)] : []
    const received = sum(legs.map(({ net }) => net))
    const protocol = sum(legs.map(({ fee }) => fee))
    return {
      expected: [
        ...(creates ? [createAssociated(own, wallet, mint)] : []),
        ...legs.flatMap(({ source, net, fee }) => [
          ...pay(source, source, guards.get(source)),
          ...pay(source, own, net),
          ...pay(source, treasury ?? own, fee),
        ]),
      ],
      text: `${cred(received + protocol)} CRED, fee ${cred(protocol)} CRED`,
      cosigner: keys.authority,
      summary: { received, protocolFee: protocol, rents: creates ? maxRent(TOKEN_ACCOUNT_BYTES) : 0n },
    }
  },

  closeEscrows({ jobId }, { wallet, own, body }) {
    const escrows = body.map(({ accounts: [escrow = ''] }) => escrow)
    const allowed = jobId === undefined ? MAX_CLOSED : 1
    if (escrows.length > allowed)
      throw unexpected(`it closes ${escrows.length} escrows, at most ${allowed} are allowed`)
    requireSources(escrows, [own])
    return {
      expected: escrows.map((escrow) => close(escrow, wallet, { owner: wallet })),
      text: '',
      summary: { rents: 0n },
    }
  },
}

/** The approval by the wallet's refund account. */
const refundApproval = (wallet: string, { version, authority }: { version: number; authority: string }) => ({
  owner: refundAccountOf(wallet, version).address,
  signers: [wallet, authority],
})

/** Whether a transfer moves an escrow's balance to itself, which fails if less is there. */
const isGuard = ({ accounts }: Instruction): boolean => accounts[0] === accounts[2]
