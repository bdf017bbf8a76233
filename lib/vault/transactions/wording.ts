import { type Cred, cred, formatAmount, type Lamports } from '../../../schema/amounts.ts'
import { span } from '../../../schema/figures.ts'
import type { Signing } from '../../../schema/values.ts'
import { SIGNING_PERIOD_MS } from '../../transactions/relay/limits.ts'
import type { StackQuote } from '../stacking/quote.ts'

/* Messages to the owner about the effect and the cost of signing. */

/** Adds to a message the next step after signing, if the wallet signs first. */
export const toSign = (message: string, signing: Signing): string =>
  signing === 'service_first'
    ? message
    : `${message} Sign it and send it to POST /vault/transactions within ${span(SIGNING_PERIOD_MS, 'minute')}: the service then signs and sends it.`

/** Writes the message of the opening of a vault. */
export function openingMessage({ fee, vaultRent, funded, terms }: StackQuote): string {
  const costs = [
    `${formatAmount(fee)} SOL network fee`,
    ...(vaultRent > 0n ? [`${formatAmount(vaultRent)} SOL rent of your vault, once, not returned`] : []),
  ]
  return [
    ...(funded ? [] : [`Your account does not hold ${formatAmount(terms.amount)} CRED now.`]),
    `Signing opens your vault, before your first stake. It moves no CRED and costs ${costs.join(' and ')}.`,
    `Send it to POST /vault/transactions within ${span(SIGNING_PERIOD_MS, 'minute')}, and request the stake again when it has landed.`,
  ].join(' ')
}

/** Writes the message of a stack. */
export function stackMessage(quote: StackQuote): string {
  const { terms, unlocksAt, positionRent, vaultRent, fee, funded } = quote
  const [amount, yielded] = [formatAmount(terms.amount), formatAmount(quote.yield)]
  const costs = [
    `${formatAmount(fee)} SOL network fee`,
    `${formatAmount(positionRent)} SOL rent, returned at withdrawal`,
    ...(vaultRent > 0n ? [`${formatAmount(vaultRent)} SOL rent of your vault, once, not returned`] : []),
  ]
  if (!funded) {
    return `Your account does not hold ${amount} CRED now, so the service has not signed this transaction. Fund it, then request it again. Signing would lock ${amount} CRED for ${terms.lockDays} days and add the whole yield of ${yielded} CRED. It would cost ${costs.join('; ')}.`
  }
  return [
    `Signing locks ${amount} CRED until ${unlocksAt.toISOString()} and adds the whole yield of ${yielded} CRED.`,
    `It costs ${costs.join('; ')}.`,
  ].join(' ')
}

/**
 * The costs of a payout: the network fee, and the rent of a new token account for the owner, otherwise 0.
 */
type PayoutCosts = { fee: Lamports; rent: Lamports }

/**
 * Writes the message of a claim.
 * @param paid the yield, and the number of its positions
 * @param left the number of positions with due yield that the next claim pays
 */
export function claimMessage(
  paid: { amount: Cred; positions: number },
  left: number,
  costs: PayoutCosts,
): string {
  const from = paid.positions === 1 ? 'one position' : `${paid.positions} positions`
  return [
    `Signing pays ${formatAmount(paid.amount)} CRED of yield from ${from} into your account.`,
    `It costs ${costsOf(costs)}.`,
    ...(left > 0 ? [`${left} more can be claimed afterwards.`] : []),
  ].join(' ')
}

/** Writes the message of an unstack that pays out a position's whole balance. */
export function unstackMessage(
  balance: Cred,
  principal: Cred,
  { leaveOpen, ...costs }: PayoutCosts & { leaveOpen: boolean },
): string {
  const yielded = formatAmount(cred(balance - principal))
  return [
    `Signing withdraws ${formatAmount(balance)} CRED: ${formatAmount(principal)} CRED principal and ${yielded} CRED yield.`,
    leaveOpen
      ? `Somebody sent tokens to the position’s account, so it stays open. Close it afterwards with POST /vault/leftovers, which returns its rent and these tokens. It costs ${costsOf(costs)}.`
      : `The position’s account is closed and its rent returned to you; it costs ${costsOf(costs)}.`,
  ].join(' ')
}

/** Writes the message of closing a withdrawn position's account. */
export const closingMessage = (balance: Cred, costs: PayoutCosts): string =>
  `Signing closes the account of a withdrawn position: you get its rent and the remaining ${formatAmount(balance)} CRED. It costs ${costsOf(costs)}.`

const costsOf = ({ fee, rent }: PayoutCosts): string =>
  [
    `${formatAmount(fee)} SOL network fee`,
    ...(rent > 0n ? [`${formatAmount(rent)} SOL rent of a new token account of yours`] : []),
  ].join(' and ')
