import { createHash } from 'node:crypto'
import { parseAddress } from '../../solana/address.ts'
import { DAY_MS } from '../../time.ts'
import { addFeePayer, addKeySecret, newestFeePayer } from '../../tools/keys/x402.ts'
import { CommandError } from '../setup/errors.ts'
import { connectCluster } from '../solana/cluster.ts'
import { lastOf, type Rotation, type Texts } from './rotation.ts'

const countOf = (list = '') => list.split(',').length

/** How long owners of agents have to make new keys. */
const OWNERS_MS = 30 * DAY_MS
/** How long resource servers may advertise the fee payer that they read when they started. */
const SERVERS_MS = 30 * DAY_MS

/** The secret from which agents' facilitator keys are derived. */
export const agentKeys: Rotation = {
  names: ['X402_KEY_SECRET'],
  newest: (keys) => createHash('sha256').update(lastOf(keys.X402_KEY_SECRET)).digest('hex').slice(0, 16),
  add: (keys) => addKeySecret(keys.X402_KEY_SECRET),
  replace: () => addKeySecret(),
  end: {
    afterMs: OWNERS_MS,
    why: 'owners of agents need time to make new keys (POST /x402/agents/{id}/key)',
    count: (keys) => countOf(keys.X402_KEY_SECRET),
    drop: (keys) => ({ X402_KEY_SECRET: lastOf(keys.X402_KEY_SECRET) }),
  },
}

/** The lamports that a fee payer needs before it is advertised: 0.1 SOL, some thousand payments. */
const LEAST_LAMPORTS = 100_000_000n

/** Keeps the keys of former fee payers in secrets.json: their SOL would be lost otherwise. */
const stored = ({ X402_FEE_PAYER_KEY = '', X402_FORMER_FEE_PAYER_KEYS: former }: Texts, newest?: string) => {
  const ended = X402_FEE_PAYER_KEY.split(',').filter((key) => key !== newest)
  return { X402_FORMER_FEE_PAYER_KEYS: [...(former ? [former] : []), ...ended].join(',') }
}

/** The fee payer of payments for requests. It is funded before it is advertised. */
export const feePayer: Rotation = {
  names: ['X402_FEE_PAYER_KEY'],
  newest: (keys) => newestFeePayer(keys.X402_FEE_PAYER_KEY ?? ''),
  add: (keys) => addFeePayer(keys.X402_FEE_PAYER_KEY),
  replace: (keys) => ({ ...addFeePayer(), ...stored(keys) }),
  async beforeDeploy(keys: Texts) {
    const address = parseAddress(newestFeePayer(keys.X402_FEE_PAYER_KEY ?? ''))
    const { accounts } = await connectCluster(keys.SOLANA_RPC_URL ?? '').rpc.accounts([address])
    if ((accounts[0]?.lamports ?? 0n) < LEAST_LAMPORTS)
      throw new CommandError(
        `Send ${address}, the new fee payer, 0.1 SOL or more, then run npm run rotate -- fee-payer again. Nothing is deployed yet.`,
      )
  },
  end: {
    afterMs: SERVERS_MS,
    why: 'servers advertise the fee payer that they read when they started',
    count: (keys) => countOf(keys.X402_FEE_PAYER_KEY),
    drop(keys) {
      const newest = lastOf(keys.X402_FEE_PAYER_KEY)
      return { X402_FEE_PAYER_KEY: newest, ...stored(keys, newest) }
    },
  },
}
