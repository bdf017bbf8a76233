/* The numbers of payments for requests. Functions of Postgres have some of them, too: a test holds both. */

/** Lamports of the fee payer below which the operator is told: a thousand payments at the highest fee. */
export const FEE_PAYER_LOW = 20_000_000n

/** How long a former price holds: clients were told of it. */
export const FORMER_PRICE_MS = 10 * 60_000
/**
 * How long a former one is known: a payment that was recorded while it held may be asked about once more. A
 * new payment by it is refused by the ledger.
 */
export const KNOWN_PRICE_MS = FORMER_PRICE_MS + 2 * 60_000
/** Former prices that hold: a change that would make more of them is refused. */
export const MOST_FORMER_PRICES = 200

/** How many payments of a payer may be in flight: three, one more for each that settled, at most fifty. */
export const MOST_AT_FIRST = 3
export const MOST_IN_FLIGHT = 50

/** So many owners can use up the fees of a day together: one of them has a tenth. */
export const OWNERS_OF_A_DAY = 10

/** So many failures by the payer's fault within BAR_MS bar it at an agent, so many bars bar it everywhere. */
export const MOST_FAILURES = 3
export const MOST_AGENTS = 3
export const BAR_MS = 3_600_000

/** Of how many payments that failed or expired an owner is told in a day: they may cost nobody anything. */
export const MOST_FAILURES_TOLD = 100

/** Credit is low below a fifth of what it was after the last purchase, as a budget is. */
export const LOW_CREDIT_PART = 5

/** How many blocks a payment's blockhash must still be valid for, so that it can land before it expires. */
export const MIN_BLOCKS_LEFT = 40

/**
 * When the rounds first ask about a payment: by then its blockhash has expired, and stock servers have asked
 * for the last time.
 */
export const LOOK_AFTER_MS = 90_000

/**
 * How long a call holds a payment: longer than it waits for the network (20 s), so that nobody else answers
 * for it meanwhile, and shorter than a stock server takes to ask again (90 s).
 */
export const LEASE_MS = 30_000

/**
 * Computes what a payment takes from its owner's credit, in CRED's smallest units: its network fee at the
 * set rate, and X402_FEE at least. Both coins have nine decimals, so the rate needs no scale.
 * @param networkFee lamports of SOL
 */
export const debitOf = (
  networkFee: bigint,
  { fee, credPerSol }: { fee: bigint; credPerSol: bigint },
): bigint => {
  const cost = networkFee * credPerSol
  return cost > fee ? cost : fee
}
