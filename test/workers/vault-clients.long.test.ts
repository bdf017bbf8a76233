import {
  createKeyPairFromBytes,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit'
import { type Keypair, Transaction, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fateOf } from '../support/chain.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, travel } from '../support/staker.ts'

/* Unmodified clients sign the transactions that the service built, in either order of signers. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

type Sign = (transaction: string, keypair: Keypair) => Promise<string> | string

const clients: [string, Sign][] = [
  [
    'web3.js, Transaction',
    (text, keypair) => {
      const transaction = Transaction.from(Buffer.from(text, 'base64'))
      transaction.partialSign(keypair)
      return transaction.serialize({ requireAllSignatures: false }).toString('base64')
    },
  ],
  [
    'web3.js, VersionedTransaction',
    (text, keypair) => {
      const transaction = VersionedTransaction.deserialize(Buffer.from(text, 'base64'))
      transaction.sign([keypair])
      return Buffer.from(transaction.serialize()).toString('base64')
    },
  ],
  [
    'kit',
    async (text, keypair) => {
      const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(text))
      const key = await createKeyPairFromBytes(keypair.secretKey)
      return getBase64EncodedWireTransaction(await partiallySignTransaction([key], transaction))
    },
  ],
]

it.each(clients.flatMap(([name, sign]) => [true, false].map((first) => [name, first, sign] as const)))(
  '%s runs the whole cycle, the wallet first: %s',
  async (_, first, sign) => {
    const staker = await createStaker(service)
    const ways = first ? staker.first : staker
    const land = async (answer: Answer) => {
      expect(answer.body).toMatchObject({ signing: first ? 'wallet_first' : 'service_first' })
      const signed = await sign(String(answer.body.transaction), staker.keypair)
      expect((await staker.relaySigned(answer, signed)).status).toBe(200)
      expect(await fateOf(service, staker, answer)).toMatchObject({ status: 'landed' })
    }
    if (first) await land(await ways.stack(ONE, 7))
    await land(await ways.stack(ONE, 7))
    await land(await ways.stack(2 * ONE, 7))
    await travel(service, DAY)
    await staker.signInAgain()
    await land(await ways.claim(0))
    await travel(service, DAY)
    await staker.signInAgain()
    await land(await ways.claim())
    await travel(service, 6 * DAY)
    await staker.signInAgain()
    await land(await ways.unstack(0))
    await land(await ways.unstack(1))
    const yielded = (3_000_000_000n * 800n * 7n) / (10_000n * 365n)
    expect(await staker.cred()).toBeGreaterThanOrEqual(1000n * BigInt(ONE) + yielded - 1n)
  },
)
