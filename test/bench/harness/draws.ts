import { type KeyWallet, walletFromSecretKey } from '../../../lib/cli/wallet.ts'
import { drawBytes } from '../../support/random.ts'

/** Makes a wallet whose key is drawn: the same ones in each run. */
export const drawWallet = (): KeyWallet => walletFromSecretKey(drawBytes(32))
