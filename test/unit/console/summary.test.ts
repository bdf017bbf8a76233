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
    `puts 5 CRED into your hire budget. The agent’s owner, ${agentOwner}, and the service can then collect up to 5.000000007 CRED`,
  ],
  ['withdraw 12345', 'takes back 0.000012345 CRED'],
  [
    'collect five',
    'collects 6.930990197 CRED. The protocol fee of 0.070010004 CRED is deducted. It costs 0.0000102 SOL network fee.',
  ],
  [
    'open payout account with 0',
    'opens your payout account. It moves no CRED. It costs 0.0000052 SOL network fee and at most 0.00336168 SOL rent',
  ],
  ['open vault with 0', 'opens your vault. It moves no CRED.'],
  ['stake, wallet_first', 'locks 1.5 CRED until the lock period ends, for a yield of 0.012328767 CRED.'],
  ['unstake', 'withdraws 1.512 CRED to your wallet.'],
  ['claim, wallet_first', 'pays 0.000000213 CRED of yield to your wallet.'],
  ['close account of 9', 'The 0.000000009 CRED in it and its rent go to your wallet.'],
  ['buy credit', 'pays 3.5 CRED for the same amount of credit, which is not refundable.'],
])('says what a verified transaction does and costs: %s', (name, words) => {
  expect(wordsFor(name)).toContain(words)
  expect(wordsFor(name)).toMatch(
    /^Signing .* It costs 0\.[\d.]+ SOL network fee( and at most [\d.]+ SOL rent for new accounts)?\.$/,
  )
})
