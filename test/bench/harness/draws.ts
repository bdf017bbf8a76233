import { createHash } from 'node:crypto'
import { type KeyWallet, walletFromSecretKey } from '../../../lib/cli/wallet.ts'

/** How many values this process has drawn. */
let drawn = 0

/** Draws 32 bytes: the same ones in each run. */
export const drawSeed = (): Buffer => createHash('sha256').update(`bench ${drawn++}`).digest()

/** Makes a wallet whose key is drawn. */
export const drawWallet = (): KeyWallet => walletFromSecretKey(drawSeed())

/** Draws a UUID of version 4. */
export function drawUuid(): string {
  const bytes = drawSeed().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
