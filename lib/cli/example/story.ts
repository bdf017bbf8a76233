import { COMMENTS, DAYS, type ExampleAgent, OWNERS } from './agents.ts'

/** A hire of the example market: the hirer, the agent, the day, the budget, the charges and the rating. */
export type ExampleHire = {
  hirer: number
  owner: number
  agent: ExampleAgent
  day: number
  /** CRED: the hire's limit for a period, and the funding of its budget account; 0: none. */
  budget: number
  /** The days on which its agent charges, and the CRED of each charge. */
  charges: { day: number; amount: number }[]
  /** The hirer's rating at the end. */
  rated?: { rating: number; comment: string }
}

/** A stake: the hirer, the day, the CRED and the lock. */
type ExampleStake = { hirer: number; day: number; amount: number; lockDays: 7 | 30 | 90 | 180 | 365 }

export const HIRERS = 10

/** The days on which owners collect. */
export const COLLECTION_DAYS = [18, 31]

/** The day on which hirers rate. */
export const RATING_DAY = DAYS - 1

const STARS = [5, 4, 5, 5, 3, 4, 5, 2, 5, 4]

/**
 * The hires of every agent, after its registration. The earliest agents have most hirers, and two of three
 * hires pay. Nothing is random.
 */
export const hires: readonly ExampleHire[] = OWNERS.flatMap((agents, owner) =>
  agents.flatMap((agent, index) =>
    Array.from({ length: hirersOf(agent, owner) }, (_, i): ExampleHire => {
      const number = owner * 7 + index * 3 + i
      const day = Math.min(inThrees(agent.day + 1 + i * 2), DAYS - 3)
      const budget = number % 3 === 2 ? 0 : 150 + (number % 5) * 50
      const paidDays = [day + 3, day + 12].filter((at) => at < DAYS - 2)
      const charges =
        budget === 0 ? [] : paidDays.map((at, k) => ({ day: at, amount: budget / (k === 0 ? 2 : 5) }))
      const stars = STARS[number % STARS.length] ?? 5
      const comments = COMMENTS[stars] ?? []
      const rated = { rating: stars, comment: comments[number % comments.length] ?? '' }
      return {
        ...{ hirer: (owner + index * 2 + i * 3) % HIRERS, owner, agent, day, budget, charges },
        ...(charges.length > 0 && { rated }),
      }
    }),
  ),
)

/** Rounds a day up to a multiple of three, since the acts of one day share their wallets' logins. */
function inThrees(day: number): number {
  return Math.ceil(day / 3) * 3
}

/** Returns an agent's number of hirers. The newest agents have one. */
function hirersOf({ day }: ExampleAgent, owner: number): number {
  if (day > 10) return 1
  return owner < 3 ? 3 : 2
}

export const stakes: readonly ExampleStake[] = [
  { hirer: 0, day: 2, amount: 2_500, lockDays: 30 },
  { hirer: 1, day: 5, amount: 800, lockDays: 90 },
  { hirer: 3, day: 9, amount: 4_000, lockDays: 180 },
  { hirer: 4, day: 13, amount: 1_200, lockDays: 7 },
  { hirer: 6, day: 19, amount: 650, lockDays: 30 },
  { hirer: 8, day: 24, amount: 3_000, lockDays: 365 },
]

/** The credentials of owners: the owner, the day, the credential. */
export const credentials = OWNERS.flatMap((_, owner) => [
  { owner, day: 1 + owner * 3, credentialType: 'certification', credentialId: `EXAMPLE-${owner}-1` },
  { owner, day: 8 + owner * 3, credentialType: 'audit', credentialId: `EXAMPLE-${owner}-2` },
])
