import { CRED_DECIMALS, type Cred, cred, formatAmount } from '../../../schema/amounts.ts'
import { ApiError } from '../../api-error.ts'
import { DAY_MS } from '../../time.ts'
import { positionsFull, tooManyOpenStacks } from '../guards.ts'
import { OPERATOR_RETRY_SECONDS } from '../limits.ts'

/*
 * Checks whether a stack may be built: the switches, and the limits on the yield that stacks take from the
 * treasury. The limits are checked when the stack is recorded (admit_stack of schema/functions).
 */

/** The yield that stacks may take in one UTC day: per wallet, and in total. */
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

/** @throws TypeError unless VAULT_MIN_STAKE is a whole number of lamports, 1 or more */
export function readMinStake(text: string): Cred {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new TypeError('VAULT_MIN_STAKE must be lamports, 1 or more')
  return cred(BigInt(text))
}

/** @throws ApiError invalid_request for a stake below VAULT_MIN_STAKE */
export function requireLeast(amount: bigint, minStake: Cred): void {
  if (amount >= minStake) return
  const message = `must be at least ${minStake}`
  throw new ApiError('invalid_request', `amount ${message}.`, { errors: [{ path: 'amount', message }] })
}

/** @throws TypeError unless VAULT_STACKING is on or off: a mistyped `off` must not leave it on */
export function readStacking(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new TypeError('VAULT_STACKING must be on or off')
}

/** Returns the UTC day whose limits a stack that is signed at `now` counts against. */
export const yieldDayOf = (now: Date): string => now.toISOString().slice(0, 10)

/**
 * @param pausedKeyVersions the key versions that an operator or the circuit breaker has stopped
 * @throws ApiError stacking_paused when no stack may be built under this key version
 */
export function requireStacking(
  isStackingOn: boolean,
  pausedKeyVersions: number[],
  keyVersion: number,
): void {
  if (!isStackingOn || pausedKeyVersions.includes(keyVersion)) throw stackingPaused()
}

const stackingPaused = () =>
  new ApiError('stacking_paused', 'New stakes are stopped now. Claims and withdrawals still work.', {
    retryAfterSeconds: OPERATOR_RETRY_SECONDS,
  })

/**
 * The decision of Postgres whether the authority may sign a stack, by the rows of its owner and of the day
 * (admit_stack of schema/functions).
 */
type Admission = {
  outcome: 'recorded' | 'stacking_paused' | 'too_many_open_stacks' | 'positions_full' | 'yield_limit'
  /** The yield that may be taken, in base units of CRED. */
  capacity: Cred | null
}

/**
 * @throws ApiError stacking_paused, too_many_open_stacks, quota_exceeded or yield_limit unless the stack was
 *   recorded
 */
export function requireAdmission({ outcome, capacity }: Admission, now: Date): void {
  switch (outcome) {
    case 'recorded':
      return
    case 'stacking_paused':
      throw stackingPaused()
    case 'too_many_open_stacks':
      throw tooManyOpenStacks()
    case 'positions_full':
      throw positionsFull()
    case 'yield_limit':
      throw new ApiError(
        'yield_limit',
        `Stakes can take at most ${formatAmount(capacity ?? cred(0n))} CRED of yield now. Each wallet, and all together, have a limit per UTC day; open stakes reserve up to half of it. Stake less, or try later.`,
        { retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) },
      )
  }
}
