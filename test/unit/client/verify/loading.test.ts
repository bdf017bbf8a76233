import { expect, it, vi } from 'vitest'
import { createClient } from '../../../../lib/client/index.ts'
import { answerOf, buildAll, wallet as publicKey } from '../../../support/built-transactions.ts'
import { createFakeService, loginReplies } from '../../../support/fake-service.ts'

vi.mock('../../../../lib/client/verify/check.ts', () => {
  throw new Error('404')
})

it('signs nothing when the check can’t be loaded', async () => {
  const all = await buildAll(1)
  const replies: Parameters<typeof createFakeService>[0] = {}
  const service = createFakeService(replies)
  const answer = answerOf(all, 'claim, wallet_first', { id: 't' })
  Object.assign(replies, loginReplies(service.clock), { 'POST /vault/claim': answer })
  const signTransaction = vi.fn(async (bytes: Uint8Array) => bytes)
  const wallet = { publicKey, signMessage: () => new Uint8Array(64), signTransaction }
  const claimed = createClient({ ...service.options, wallet }).claim()
  await expect(claimed).rejects.toMatchObject({ code: 'unreachable', step: 'build', transactionId: 't' })
  expect(signTransaction).not.toHaveBeenCalled()
})
