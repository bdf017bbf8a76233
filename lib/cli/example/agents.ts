import type { AgentRegister } from '../../client/index.ts'

/** An agent of the example market, the day of its registration, and whether its endpoint answers. */
export type ExampleAgent = AgentRegister & {
  day: number
  /** An endpoint with a program behind it, or one that answers no more. */
  endpoint?: 'live' | 'down'
}

/** The length of the example market's history, in days. */
export const DAYS = 33

/** The end of every description, so that nobody takes an example for a real offer. */
export const MARK = 'An example of the local platform.'

/** The name of the agent that works by itself once the market is filled (worker.ts). */
export const WORKING = 'Glossary'

const ONE = 1_000_000_000

/** Makes an agent of the example market; `fee` is in CRED a unit, or in percent of the captured value. */
function agent(
  day: number,
  name: string,
  agentType: AgentRegister['agentType'],
  supportedLayers: number[],
  fee: number | `${number}%` | `${number}+`,
  description: string,
  endpoint?: ExampleAgent['endpoint'],
): ExampleAgent {
  const amount = Number.parseFloat(String(fee))
  return {
    ...{ day, name, agentType, supportedLayers, description: `${description} ${MARK}` },
    ...(String(fee).endsWith('%')
      ? { feeModel: 'percentage', feeAmount: Math.round(amount * 100) }
      : { feeModel: String(fee).endsWith('+') ? 'hybrid' : 'flat', feeAmount: Math.round(amount * ONE) }),
    ...(endpoint && { endpoint }),
  }
}

/** The agents of each owner. */
export const OWNERS: readonly (readonly ExampleAgent[])[] = [
  [
    agent(0, 'Yield Scout', 'autonomous', [10, 17], '5%', 'Finds staking yield and moves into it.', 'live'),
    agent(0, 'Harbor Rebalancer', 'autonomous', [17, 19], '8%', 'Keeps a portfolio at its weights, daily.'),
    agent(9, 'Drift Watch', 'oracle', [17, 21], 6, 'Tells when collateral comes near its limit.'),
  ],
  [
    agent(0, 'Price Keeper', 'oracle', [15, 17], 4, 'Signed prices of 300 markets, every minute.', 'down'),
    agent(1, 'Night Courier', 'semi-autonomous', [1, 7], 12, 'Orders, tracks and returns parcels.'),
    agent(14, 'Basket', 'autonomous', [1, 19], '2.5%', 'Buys groceries within a list and a budget.'),
  ],
  [
    agent(1, 'Ledger Clerk', 'semi-autonomous', [4, 12], 9, 'Books receipts, and asks where one is unclear.'),
    agent(2, 'Tax Lantern', 'semi-autonomous', [1, 4], 45, 'Finds losses to harvest before the year ends.'),
    agent(17, 'Audit Trail', 'oracle', [12, 15], 20, 'Checks the books of others by their transactions.'),
  ],
  [
    agent(2, 'Cold Storage', 'autonomous', [11], 3, 'Keeps sealed backups in five places.'),
    agent(3, 'Grid Broker', 'autonomous', [8, 9], '6%', 'Sells the surplus of solar roofs by the hour.'),
    agent(11, 'Spare Cycles', 'autonomous', [6, 10], 7, 'Rents idle graphics cards by the minute.'),
  ],
  [
    agent(3, 'Model Tailor', 'semi-autonomous', [10, 16], '30+', 'Tunes small models to your documents.'),
    agent(5, 'Second Reader', 'semi-autonomous', [13, 15], 11, 'Reads contracts, and marks odd clauses.'),
    agent(
      20,
      WORKING,
      'autonomous',
      [15],
      2,
      'Translates English sentences into German. It charges for a page as soon as you hire it, and takes jobs.',
    ),
  ],
  [
    agent(4, 'Quiet Feed', 'autonomous', [3, 14], 5, 'Summaries of what you follow, a short text a day.'),
    agent(6, 'Curator North', 'semi-autonomous', [13, 14], 8, 'Picks music and pictures for shops.'),
    agent(23, 'Guild Scout', 'autonomous', [2, 14], '4%', 'Finds people for open work, for a referral.'),
  ],
  [
    agent(5, 'Claims Desk', 'semi-autonomous', [5], '12%', 'Files insurance claims, and follows them up.'),
    agent(7, 'Storm Oracle', 'oracle', [5, 9], 10, 'Measured rain and wind, to settle policies.'),
    agent(26, 'Quorum', 'autonomous', [18], 15, 'Reads proposals, and votes as you once decided.'),
  ],
  [
    agent(
      8,
      'Swarm Foreman',
      'autonomous',
      [20, 22],
      '25+',
      'Splits a job among other agents, and checks it.',
    ),
    agent(12, 'Relay Runner', 'autonomous', [7], 1.5, 'Routes traffic over the cheapest links.'),
    agent(28, 'Skill Bench', 'oracle', [12], 18, 'Tests what an agent says that it can do.'),
  ],
]

/** Comments of hirers, by the number of stars. */
export const COMMENTS: Record<number, readonly string[]> = {
  5: ['Does what it says, every week.', 'Paid for itself in ten days.', 'We have stopped checking it.'],
  4: ['Good work, a little slow on Mondays.', 'Asked before it spent. We like that.'],
  3: ['Useful, but its reports are long.'],
  2: ['Twice late, and nobody answered.'],
}
