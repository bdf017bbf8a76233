import { CRED_DECIMALS, type Cred, cred, formatAmount } from '../../../schema/amounts.ts'
import { Refusal } from '../../refusal.ts'
import { DAY_MS } from '../../time.ts'
import { noPlaceForPosition, tooManyOpenStacks } from '../guards.ts'
import { MAX_OPEN_POSITIONS, MAX_OPEN_STACKS, OPERATOR_RETRY_SECONDS } from '../limits.ts'

/*
 * Whether a stack may be built: the switches, and the limits on the yield that stacks take from the
 * treasury. The numbers are decided by the statement that records the stack (stack-queries.ts).
 */

/** How much yield the stacks of one UTC day may take: of one wallet, and of all. */
export type YieldLimits = { perWallet: Cred; perDay: Cred }

/**
 * Reads the limits, given in whole CRED.
 * @throws TypeError that names the setting that can't be read
 */
export const readLimits = (env: {
  VAULT_YIELD_PER_WALLET: string
  VAULT_YIELD_PER_DAY: string
}): YieldLimits => ({
  perWallet: wholeCred('VAULT_YIELD_PER_WALLET', env.VAULT_YIELD_PER_WALLET),
  perDay: wholeCred('VAULT_YIELD_PER_DAY', env.VAULT_YIELD_PER_DAY),
})

function wholeCred(setting: string, text: string): Cred {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${setting} must be whole CRED, such as 100000`)
  return cred(BigInt(text) * 10n ** BigInt(CRED_DECIMALS))
}

/** @throws TypeError unless VAULT_STACKING is on or off: a mistyped `off` must not leave it on */
export function readStacking(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new TypeError('VAULT_STACKING must be on or off')
}

/** The UTC day whose limits a stack that is built now counts on. */
export const yieldDayOf = (now: Date): string => now.toISOString().slice(0, 10)

/**
 * @param pausedGenerations those that an operator or the circuit breaker has stopped
 * @throws Refusal stacking_paused when no stack may be built under this generation
 */
export function requireStacking(
  isStackingOn: boolean,
  pausedGenerations: number[],
  generation: number,
): void {
  if (!isStackingOn || pausedGenerations.includes(generation)) throw stackingPaused()
}

const stackingPaused = () =>
  new Refusal('stacking_paused', 'No stakes are taken at present. Claims and withdrawals go on as always.', {
    retryAfterSeconds: OPERATOR_RETRY_SECONDS,
  })

/** What a stack was decided by: the locked rows, as they were when it was recorded or refused. */
export type Admission = {
  recorded: boolean
  openStacks: number
  openPositions: number
  isPaused: boolean
  room: Cred
}

/**
 * @throws Refusal stacking_paused, too_many_open_stacks, quota_exceeded or yield_limit unless the stack was
 *   recorded
 */
export function requireAdmission(admission: Admission, now: Date): void {
  const { recorded, openStacks, openPositions, isPaused, room } = admission
  if (recorded) return
  if (isPaused) throw stackingPaused()
  if (openStacks >= MAX_OPEN_STACKS) throw tooManyOpenStacks()
  if (openPositions + openStacks >= MAX_OPEN_POSITIONS) throw noPlaceForPosition()
  throw new Refusal(
    'yield_limit',
    `Stakes may take at most ${formatAmount(room)} CRED of yield now: there is a limit for each wallet and one for all, by UTC day, and what is built and has not landed holds at most half of each.`,
    { retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) },
  )
}
