import { formatCred, type Summary } from '../../client/index.ts'

/** Writes what a verified transaction does and costs, for a visitor who signs it. */
export const summaryWords = (summary: Summary): string =>
  `${EFFECTS[summary.flow](summary)} ${costsOf(summary)}`

const EFFECTS: Record<Summary['flow'], (summary: Summary) => string> = {
  fund: ({ paid, approved, payee }) =>
    `Signing puts ${formatCred(paid)} CRED into your hire budget. The agent’s owner, ${payee}, and the service together can then collect up to ${formatCred(approved)} CRED from it. You can take back the rest at any time.`,
  withdraw: ({ received }) =>
    `Signing takes back ${formatCred(received)} CRED from your hire budget. Nothing more can be collected from it.`,
  collect: ({ received, protocolFee }) =>
    `Signing pays ${formatCred(received)} CRED to your wallet, after a protocol fee of ${formatCred(protocolFee)} CRED.`,
  openPayoutAccount: () => 'Signing opens your payout account. It moves no CRED.',
  openVault: () =>
    'Signing opens your vault, which holds your stakes. It moves no CRED: you stake in a second transaction.',
  stake: ({ paid, lockDays, yield: earned }) =>
    `Signing locks ${formatCred(paid)} CRED for ${lockDays} days, for a yield of ${formatCred(earned)} CRED.`,
  unstake: ({ received }) => `Signing withdraws ${formatCred(received)} CRED to your wallet.`,
  claim: ({ received }) => `Signing pays ${formatCred(received)} CRED of yield to your wallet.`,
  closeAccount: ({ received }) =>
    `Signing closes the account. The ${formatCred(received)} CRED in it and its rent go to your wallet.`,
  buyCredit: ({ paid }) =>
    `Signing pays ${formatCred(paid)} CRED to the service for the same amount of credit, which is not refundable.`,
  openRefundAccount: () =>
    'Signing opens your refund account, which owns the escrows of your jobs. It moves no CRED.',
  fundJob: ({ paid, payee }) =>
    `Signing pays ${formatCred(paid)} CRED into the escrow of this job. When the job ends, it goes to the agent’s owner, ${payee}, or back to you.`,
  refundJob: ({ received }) => `Signing pays ${formatCred(received)} CRED of this job back to your wallet.`,
  collectJobs: ({ received, protocolFee }) =>
    `Signing pays ${formatCred(received)} CRED for jobs to your wallet, after a protocol fee of ${formatCred(protocolFee)} CRED.`,
  closeEscrows: () => 'Signing closes empty escrows of your jobs. Their rent goes to your wallet.',
}

/** Writes what a confirmed transaction has done. */
export const doneWords = (summary: Summary | undefined): string =>
  (summary && DONE[summary.flow]?.(summary)) ?? 'Transaction confirmed.'

const DONE: Partial<Record<Summary['flow'], (summary: Summary) => string>> = {
  fund: ({ paid }) => `${formatCred(paid)} CRED added.`,
  withdraw: ({ received }) => `${formatCred(received)} CRED returned.`,
  fundJob: ({ paid }) => `${formatCred(paid)} CRED paid into the escrow.`,
  refundJob: ({ received }) => `${formatCred(received)} CRED returned.`,
  collectJobs: ({ received }) => `${formatCred(received)} CRED collected.`,
  closeEscrows: () => 'The escrow is closed, and its rent is back in your wallet.',
}

/** SOL has nine decimals, too. */
const costsOf = ({ fee, rents }: Summary): string =>
  `The network fee is ${formatCred(fee)} SOL.${rents > 0n ? ` New accounts cost at most ${formatCred(rents)} SOL of rent.` : ''}`
