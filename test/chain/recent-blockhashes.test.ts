import { SYSVAR_RECENT_BLOCKHASHES_PUBKEY } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { addressOf } from '../../lib/solana/address.ts'
import {
  blockhashAge,
  RECENT_BLOCKHASHES_BYTES,
  RECENT_BLOCKHASHES_SYSVAR,
} from '../../lib/solana/recent-blockhashes.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { startChain } from './support.ts'

const SLOT_MS = 400

test('the sysvar lists the newest 150 blockhashes, and so their ages', async () => {
  const { clock, connection, server } = await startChain()
  clock.pass(200 * SLOT_MS)
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const read = async () => {
    const whole = { maxBytes: RECENT_BLOCKHASHES_BYTES }
    return (await createRpc(server.url).accounts([RECENT_BLOCKHASHES_SYSVAR], whole)).accounts[0]
  }
  for (const age of [0, 1, 149]) {
    clock.pass((age === 149 ? 148 : age) * SLOT_MS)
    expect(blockhashAge(await read(), blockhash)).toBe(age)
    expect(lastValidBlockHeight - (await connection.getBlockHeight())).toBe(150 - age)
  }
  // The address that web3.js knows, and the size that validators write.
  const account = await connection.getAccountInfo(SYSVAR_RECENT_BLOCKHASHES_PUBKEY)
  expect(account?.data).toHaveLength(RECENT_BLOCKHASHES_BYTES)
  expect(account?.data.readBigUInt64LE()).toBe(150n)
  clock.pass(SLOT_MS)
  expect(blockhashAge(await read(), blockhash)).toBeUndefined()
})

test('knows nothing of a missing account or an unknown blockhash', () => {
  const unknown = addressOf(new Uint8Array(32).fill(9))
  expect(blockhashAge(undefined, unknown)).toBeUndefined()
  for (const length of [0, 7, 8, 47]) {
    const sysvar = { owner: unknown, lamports: 1n, data: new Uint8Array(length) }
    expect(blockhashAge(sysvar, addressOf(new Uint8Array(32)))).toBeUndefined()
  }
})
