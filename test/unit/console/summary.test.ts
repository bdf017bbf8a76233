import { expect, it } from 'vitest'
import { verify } from '../../../lib/client/verify/verify.ts'
import { summaryWords } from '../../../lib/console/kit/summary.ts'
import { agentOwner, buildAll, factsOf, wallet } from '../../support/built-transactions.ts'

const all = await buildAll(1)

/** The words for a transaction of this name. */
function wordsFor(name: string): string {
  const built = all.find((one) => one.name.startsWith(name))
  if (!built) throw new Error(`no transaction is named ${name}`)
  const bytes = new Uint8Array(Buffer.from(built.transaction, 'base64'))
  return summaryWords(verify(built.order, bytes, wallet, factsOf(1)))
}

it.each([
  [
    'fund, top-up',
    `puts 5 CRED into your hire budget. The agent’s owner, ${agentOwner}, and the service together can then collect up to 5.000000007 CRED from it.`,
  ],
  ['withdraw 12345', 'takes back 0.000012345 CRED'],
  [
    'collect five',
    'pays 6.930990197 CRED to your wallet, after a protocol fee of 0.070010004 CRED. The network fee is 0.0000102 SOL.',
  ],
  [
    'open payout account with 0',
    'opens your payout account. It moves no CRED. The network fee is 0.0000052 SOL. New accounts cost at most 0.00336168 SOL of rent.',
  ],
  [
    'open vault with 0',
    'opens your vault, which holds your stakes. It moves no CRED: you stake in a second transaction.',
  ],
  ['stake, wallet_first', 'locks 1.5 CRED for 30 days, for a yield of 0.012328767 CRED.'],
  ['unstake', 'withdraws 1.512 CRED to your wallet.'],
  ['claim, wallet_first', 'pays 0.000000213 CRED of yield to your wallet.'],
  ['close account of 9', 'The 0.000000009 CRED in it and its rent go to your wallet.'],
  ['buy credit', 'pays 3.5 CRED to the service for the same amount of credit, which is not refundable.'],
  ['open refund account with 0', 'opens your refund account, which owns the escrows of your jobs.'],
  [
    'fund job',
    `pays 5 CRED into the escrow of this job. When the job ends, it goes to the agent’s owner, ${agentOwner},`,
  ],
  ['refund job, all', 'pays 2 CRED of this job back to your wallet.'],
  ['collect jobs, one', 'pays 79.2 CRED for jobs to your wallet, after a protocol fee of 0.8 CRED.'],
  ['close escrows: 2', 'closes empty escrows of your jobs.'],
])('says what a verified transaction does and costs: %s', (name, words) => {
  expect(wordsFor(name)).toContain(words)
  expect(wordsFor(name)).toMatch(
    /^Signing .* The network fee is 0\.[\d.]+ SOL\.( New accounts cost at most 0\.[\d.]+ SOL of rent\.)?$/,
  )
})
