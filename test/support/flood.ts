import { parseAddress } from '../../lib/solana/address.ts'
import { compileMessage } from '../../lib/solana/message.ts'
import { memo } from '../../lib/solana/programs/memo.ts'
import { transfer } from '../../lib/solana/programs/system.ts'
import { encodeTransaction } from '../../lib/solana/transaction.ts'
import { createSigner } from './keys.ts'
import type { Service } from './service.ts'
import { connectionOf, ONE, rpc } from './staker.ts'

/** What the chain takes in one batch. */
const MAX_BATCH = 100

/**
 * Names an address in so many transactions, as anybody can for a network fee each: transfers of nothing.
 * @param text stands in the memo of each
 */
export async function flood(service: Service, to: string, count: number, text = 'flood'): Promise<void> {
  const stranger = await createSigner()
  await rpc(service, 'requestAirdrop', [stranger.address, ONE])
  const { blockhash } = await connectionOf(service).getLatestBlockhash()
  for (let sent = 0; sent < count; sent += MAX_BATCH) {
    const batch = Array.from({ length: Math.min(MAX_BATCH, count - sent) }, async (_, index) => {
      const instructions = [
        transfer(stranger.address, parseAddress(to), 0n),
        memo(`${text} ${sent + index}`, stranger.address),
      ]
      const { bytes } = compileMessage(stranger.address, instructions, blockhash)
      const transaction = encodeTransaction({ message: bytes, signatures: [await stranger.sign(bytes)] })
      const options = { encoding: 'base64', skipPreflight: true }
      return { jsonrpc: '2.0', id: index, method: 'sendTransaction', params: [transaction, options] }
    })
    const body = JSON.stringify(await Promise.all(batch))
    await (await fetch(service.solana.url, { method: 'POST', body })).text()
  }
}
