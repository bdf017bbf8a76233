import {
  associated,
  budgetAccountOf,
  MAX_BUDGET_ACCOUNTS,
  payoutAccountOf,
  type Seeded,
  seeded,
  vaultOf,
} from './accounts.ts'
import { u64At } from './bytes.ts'
import { unexpected } from './errors.ts'
import type { PaymentKeys, VaultKeys } from './facts.ts'
import {
  type Approval,
  approve,
  close,
  createAccount,
  createAssociated,
  initializeAccount,
  initializeMultisig,
  revoke,
  transfer,
} from './instructions.ts'
import { JOB_LISTS } from './job-lists.ts'
import type { Instruction } from './message.ts'
import type { Flow, OrderOf } from './order.ts'
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

/*
 * The lists of instructions, by flow (README.md). A list takes from a transaction only the values that its
 * order does not say: amounts, seeds, rents. verify.ts then compares the transaction with the whole list.
 */

type Lists = { [Name in Flow]: (order: OrderOf<Name>, context: Context) => List }

/** The word for each flow in its memo. */
export const MEMO_WORDS: Record<Flow, string> = {
  fund: 'budget',
  withdraw: 'withdrawal',
  collect: 'collection',
  openPayoutAccount: 'collector',
  openVault: 'vault',
  stake: 'stack',
  unstake: 'unstack',
  claim: 'claim',
  closeAccount: 'leftovers',
  buyCredit: 'credit',
  openRefundAccount: 'refund account',
  fundJob: 'job',
  refundJob: 'job refund',
  collectJobs: 'job pay',
  closeEscrows: 'close',
}

export const LISTS: Lists = {
  ...JOB_LISTS,

  fund({ hireId, amount, owner }, { wallet, mint, own, body, paymentKeys }) {
    const isNew = body.length > 3
    const [from, to, approval] = body.slice(-3)
    const hire = hireId.toLowerCase()
    const account = budget(wallet, hire, (isNew ? from : to)?.accounts[isNew ? 0 : 2])
    const delegate = approval?.accounts[2] ?? ''
    const isOwners = ({ version }: PaymentKeys) =>
      owner === undefined || payoutAccountOf(owner, version).address === delegate
    if (!paymentKeys.some(isOwners)) throw unexpected('it lets another account collect than the owner’s')
    const { address } = account
    const held = isNew ? 0n : u64At(from?.data, 1)
    const into = { mint, destination: address }
    const opened = isNew ? opening(account, TOKEN_ACCOUNT_BYTES, body) : { expected: [], rents: 0n }
    const approved = held + amount
    return {
      expected: [
        ...opened.expected,
        isNew
          ? initializeAccount(address, mint, wallet)
          : transfer({ ...into, source: address, amount: held }, { owner: wallet }),
        transfer({ ...into, source: own, amount }, { owner: wallet }),
        approve({ account: address, mint, delegate, amount: approved }, { owner: wallet }),
      ],
      text: `${cred(amount)} CRED of hire ${hire}`,
      summary: { payee: owner ?? delegate, paid: amount, approved, rents: opened.rents },
    }
  },

  withdraw({ hireId, leaveOpen = false }, { wallet, mint, own, body }) {
    const hire = hireId.toLowerCase()
    const { address } = budget(wallet, hire, body[0]?.accounts[0])
    const isPaid = body.length > 2
    const amount = isPaid ? u64At(body[2]?.data, 1) : 0n
    const approval = { owner: wallet }
    return {
      expected: [
        revoke(address, wallet),
        ...(isPaid
          ? [
              createAssociated(own, wallet, mint),
              transfer({ source: address, mint, destination: own, amount }, approval),
            ]
          : []),
        ...(leaveOpen ? [] : [close(address, wallet, approval)]),
      ],
      text: `${cred(amount)} CRED of hire ${hire}`,
      summary: { received: amount, rents: isPaid ? maxRent(TOKEN_ACCOUNT_BYTES) : 0n },
    }
  },

  collect({ hireId }, { wallet, mint, own, body, feeBps, paymentKeys, vaultKeys }) {
    const creates = body[0]?.program === ASSOCIATED_TOKEN_PROGRAM
    const paying = body.slice(creates ? 1 : 0)
    const keys = keyOf(paymentKeys, ({ version }) =>
      hasAccount(paying[0], 3, payoutAccountOf(wallet, version).address),
    )
    const legs = legsOf(paying, own)
    const most = hireId === undefined ? MAX_COLLECTED : 1
    if (legs.length > most)
      throw unexpected(`it collects from ${legs.length} accounts, at most ${most} are allowed`)
    const treasury = legs.find(({ fee }) => fee > 0n)?.feeTo
    if (treasury !== undefined) requireTreasury(treasury, mint, vaultKeys)
    requireSources(
      legs.map(({ source }) => source),
      [own, treasury ?? own],
    )
    for (const { net, fee } of legs)
      if (fee > protocolFee(net + fee, feeBps))
        throw unexpected(`its fee of ${cred(fee)} CRED is more than ${feeBps} basis points`)
    const approval = {
      owner: payoutAccountOf(wallet, keys.version).address,
      signers: [wallet, keys.authority],
    }
    const received = sum(legs.map(({ net }) => net))
    const protocol = sum(legs.map(({ fee }) => fee))
    const pay = (source: string, destination: string, amount: bigint) =>
      amount > 0n ? [transfer({ source, mint, destination, amount }, approval)] : []
    return {
      expected: [
        ...(creates ? [createAssociated(own, wallet, mint)] : []),
        ...legs.flatMap(({ source, net, fee }) => [
          ...pay(source, own, net),
          ...pay(source, treasury ?? own, fee),
        ]),
      ],
      text: `${cred(received + protocol)} CRED, fee ${cred(protocol)} CRED`,
      cosigner: keys.authority,
      summary: {
        received,
        protocolFee: protocol,
        rents: creates ? maxRent(TOKEN_ACCOUNT_BYTES) : 0n,
      },
    }
  },

  openPayoutAccount(_order, { wallet, body, paymentKeys }) {
    const keys = trusted(
      keyOf(paymentKeys, ({ version }) =>
        hasAccount(body.at(-1), 0, payoutAccountOf(wallet, version).address),
      ),
    )
    const account = payoutAccountOf(wallet, keys.version)
    const { expected, rents } = opening(account, MULTISIG_BYTES, body)
    return {
      expected: [...expected, initializeMultisig(account.address, 2, [wallet, keys.authority])],
      text: `opened under generation ${keys.version}`,
      summary: { rents },
    }
  },

  openVault(_order, { wallet, body, vaultKeys }) {
    const keys = trusted(
      keyOf(vaultKeys, ({ version }) => hasAccount(body.at(-1), 0, vaultOf(wallet, version).address)),
    )
    return {
      ...vaultOpening(wallet, keys, body),
      text: `opened under generation ${keys.version}`,
    }
  },

  stake({ amount, lockDays }, { wallet, mint, own, body, text, vaultKeys }) {
    const [creation, owner, , yielding] = body.slice(-4)
    const keys = trusted(
      keyOf(vaultKeys, ({ version }) => addressIn(owner, 1) === vaultOf(wallet, version).address),
    )
    const opened = body.length > 4 ? vaultOpening(wallet, keys, body) : undefined
    const position = seeded(wallet, seedIn(creation))
    const rent = rentIn(creation, RENT_AT, TOKEN_ACCOUNT_BYTES)
    const [, apyBps = '', start = ''] = TERMS.exec(text) ?? []
    const earned = (amount * BigInt(apyBps || 0) * BigInt(lockDays)) / YIELD_DIVISOR
    if (u64At(yielding?.data, 1) !== earned) throw unexpected('its yield is not the one of its terms')
    const due = APY_BPS[lockDays] ?? 0
    if (Number(apyBps) < due)
      throw unexpected(`it earns ${apyBps} basis points a year, at least ${due} are due`)
    const into = { mint, destination: position.address }
    return {
      expected: [
        ...(opened?.expected ?? []),
        createAccount(position, rent, TOKEN_ACCOUNT_BYTES),
        initializeAccount(position.address, mint, vaultOf(wallet, keys.version).address),
        transfer({ ...into, source: own, amount }, { owner: wallet }),
        transfer(
          { ...into, source: associated(keys.authority, mint), amount: earned },
          { owner: keys.authority },
        ),
      ],
      text: `${cred(amount)} CRED for ${lockDays} days at ${apyBps} bps from ${start}, yield ${cred(earned)} CRED`,
      cosigner: keys.authority,
      summary: {
        payee: position.address,
        paid: amount,
        yield: earned,
        lockDays,
        rents: rent + (opened?.summary.rents ?? 0n),
      },
    }
  },

  unstake(_order, context) {
    const isClosed = isClosing(context.body.at(-1))
    const payout = payoutOf(context)
    const { body, mint } = context
    const paying = body[payout.expected.length]
    const { keys, approval } = vaultApproval(context, paying, 3)
    const position = paying?.accounts[0] ?? ''
    const amount = u64At(paying?.data, 1)
    requireSources([position], [payout.destination, context.own])
    return {
      expected: [
        ...payout.expected,
        transfer({ source: position, mint, destination: payout.destination, amount }, approval),
        ...(isClosed ? [close(position, context.wallet, approval)] : []),
      ],
      text: `${cred(amount)} CRED`,
      cosigner: keys.authority,
      summary: { received: amount, rents: payout.rents },
    }
  },

  claim({ positionId }, context) {
    const payout = payoutOf(context)
    const { body, mint } = context
    const paying = body.slice(payout.expected.length)
    const { keys, approval } = vaultApproval(context, paying[0], 3)
    const legs = paying.map(({ accounts: [source = ''], data }) => ({ source, amount: u64At(data, 1) }))
    const most = positionId === undefined ? MAX_CLAIMED : 1
    if (legs.length > most)
      throw unexpected(`it claims from ${legs.length} positions, at most ${most} are allowed`)
    requireSources(
      legs.map(({ source }) => source),
      [payout.destination, context.own],
    )
    const received = sum(legs.map(({ amount }) => amount))
    const from = legs.length === 1 ? '1 position' : `${legs.length} positions`
    return {
      expected: [
        ...payout.expected,
        ...legs.map(({ source, amount }) =>
          transfer({ source, mint, destination: payout.destination, amount }, approval),
        ),
      ],
      text: `${cred(received)} CRED of yield from ${from}`,
      cosigner: keys.authority,
      summary: { received, rents: payout.rents },
    }
  },

  closeAccount(_order, context) {
    const { body, mint, wallet } = context
    const isPaid = body.length > 1
    const payout = isPaid ? payoutOf(context) : { expected: [], destination: '', rents: 0n }
    const closing = body.at(-1)
    const { keys, approval } = vaultApproval(context, closing, 2)
    const position = closing?.accounts[0] ?? ''
    const amount = isPaid ? u64At(body[payout.expected.length]?.data, 1) : 0n
    requireSources([position], [payout.destination, context.own])
    return {
      expected: [
        ...payout.expected,
        ...(isPaid
          ? [transfer({ source: position, mint, destination: payout.destination, amount }, approval)]
          : []),
        close(position, wallet, approval),
      ],
      text: `${cred(amount)} CRED`,
      cosigner: keys.authority,
      summary: { received: amount, rents: payout.rents },
    }
  },

  buyCredit({ amount }, { wallet, mint, own, body, id, cosigner, paymentKeys, vaultKeys }) {
    const keys = keyOf(paymentKeys, ({ authority }) => authority === cosigner)
    const destination = body[0]?.accounts[2] ?? ''
    requireTreasury(destination, mint, vaultKeys)
    const reference = seeded(wallet, id.replaceAll('-', '')).address
    return {
      expected: [transfer({ source: own, mint, destination, amount }, { owner: wallet }, reference)],
      text: `${cred(amount)} CRED`,
      cosigner: keys.authority,
      summary: { payee: destination, paid: amount, rents: 0n },
    }
  },
}

/** The most accounts that one collection and one claim pay from. */
export const MAX_COLLECTED = 6
export const MAX_CLAIMED = 11

/** The variable terms in the memo of a stake. */
const TERMS = / CRED for \d+ days at (\d{1,5}) bps from (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ), yield /

/**
 * The lowest yearly rate by lock time in days, in basis points. A host could lock a stake without a yield.
 */
export const APY_BPS: Record<number, number> = { 7: 800, 30: 1000, 90: 1200, 180: 1400, 365: 1600 }

/** Basis points of a whole, times the days of a year. */
const YIELD_DIVISOR = 10_000n * 365n

function budget(wallet: string, hireId: string, address = ''): Seeded {
  const account = budgetAccountOf(wallet, hireId, address)
  if (account) return account
  throw unexpected(`its account is none of the first ${MAX_BUDGET_ACCOUNTS} budget accounts of the hire`)
}

function vaultOpening(wallet: string, { version, authority, recovery }: VaultKeys, body: Instruction[]) {
  const account = vaultOf(wallet, version)
  const { expected, rents } = opening(account, MULTISIG_BYTES, body)
  const signers = [wallet, wallet, authority, recovery]
  return { expected: [...expected, initializeMultisig(account.address, 3, signers)], summary: { rents } }
}

/** The approval by the wallet's vault, which an instruction names as its account number `index`. */
function vaultApproval(
  { wallet, vaultKeys }: Context,
  instruction: Instruction | undefined,
  index: number,
): { keys: VaultKeys; approval: Approval } {
  const keys = keyOf(vaultKeys, ({ version }) =>
    hasAccount(instruction, index, vaultOf(wallet, version).address),
  )
  return {
    keys,
    approval: { owner: vaultOf(wallet, keys.version).address, signers: [wallet, keys.authority] },
  }
}
