/* The constants of payments for requests. A test compares them with the ones in functions of Postgres. */

/**
 * The balance of the fee payer, in lamports, below which the operator is alerted: a thousand payments at the
 * highest fee.
 */
export const FEE_PAYER_LOW = 20_000_000n

/** How long a superseded price is accepted, since clients have received it. */
export const SUPERSEDED_PRICE_MS = 10 * 60_000
/**
 * How long a superseded price is readable: a call may ask again about a payment recorded while the price was
 * accepted. The ledger rejects a new payment at that price.
 */
export const KNOWN_PRICE_MS = SUPERSEDED_PRICE_MS + 2 * 60_000
/** The most superseded prices that are still accepted. A change that would make more is rejected. */
export const MAX_SUPERSEDED_PRICES = 200

/** The most payments of a payer in flight: three, one more for each settled payment, at most fifty. */
export const MAX_AT_FIRST = 3
export const MAX_IN_FLIGHT = 50

/** The number of owners who together can use up a day's fees: one owner may use a tenth. */
export const OWNERS_OF_A_DAY = 10

/** How long a payer's identifier of a purchase stops a second payment to the same agent. */
export const IDENTIFIER_MS = 30 * 86_400_000

/** Failures caused by the payer within BAR_MS that bar it at an agent, and bars that bar it everywhere. */
export const MAX_FAILURES = 3
export const MAX_AGENTS = 3
export const BAR_MS = 3_600_000

/**
 * The most failed, expired or refused payments a day that are published to an owner, since they may be free
 * to cause.
 */
export const MAX_FAILURE_EVENTS = 100

/** The least time between two records of refused payments to an agent for the same reason. */
export const REFUSAL_PAUSE_MS = 3_600_000
/** The least time between two events about them. */
export const REFUSAL_EVENT_MS = 24 * REFUSAL_PAUSE_MS

/** The least time between two probes of a route that nobody asks for. */
export const RESOURCE_PAUSE_MS = 3_600_000
/** Probes of routes that an owner may ask for in an hour. */
export const RESOURCE_PROBES_PER_HOUR = 10
/** How long after a payment a route is probed at each scheduled run, and not once a day. */
export const USED_RESOURCE_MS = 7 * 86_400_000
/** How long a route out of the catalog is kept. */
export const UNLISTED_RESOURCE_MS = 30 * 86_400_000

/** The longest header PAYMENT-REQUIRED that is read, and the largest document stored from it, as JSON. */
export const MAX_HEADER_BYTES = 16 * 1024
export const MAX_DOCUMENT_BYTES = 8 * 1024
/** The longest `extra.memo` that the scheme's specification allows. */
export const MAX_MEMO_BYTES = 256

const CATALOG_AFTER_MS = 60_000

/** Returns when the catalog is written after a change, so that changes within a minute share a run. */
export const catalogAt = (now: Date): Date => new Date(now.getTime() + CATALOG_AFTER_MS)

/** Credit is low below this part of its balance after the last purchase: a fifth, as for a budget. */
export const LOW_CREDIT_PART = 5

/** The least number of blocks that a payment's blockhash must still be valid, so that it can be confirmed. */
export const MIN_BLOCKS_LEFT = 40

/** When the settlement job first asks about a payment. By then its blockhash has expired. */
export const RECHECK_AFTER_MS = 90_000

/**
 * The lease of a call on a payment. It is longer than the wait for the network (20 s), so no other call
 * answers for the payment meanwhile. It is shorter than a stock server's pause before it asks again (90 s).
 */
export const LEASE_MS = 30_000

/**
 * The network fee of a payment by the published client, in lamports: two signatures, and the least price for
 * 20,000 compute units.
 */
export const USUAL_NETWORK_FEE = 10_001n

/**
 * Computes the debit of an owner's credit for a payment, in CRED's smallest units. It is the network fee at
 * the set rate, and at least X402_FEE. Both coins have nine decimals, so the rate needs no scale.
 * @param networkFee lamports of SOL
 */
export const debitOf = (
  networkFee: bigint,
  { fee, credPerSol }: { fee: bigint; credPerSol: bigint },
): bigint => {
  const cost = networkFee * credPerSol
  return cost > fee ? cost : fee
}
