import type { Address } from '../../schema/wallet.ts'
import { readAddress } from '../keys/key-versions.ts'
import { readFeeBps, readFeeStep } from '../reputation/counterparties/settings.ts'
import { NETWORKS } from '../solana/chains.ts'
import { readCoins } from './coins.ts'
import type { FacilitatorSettings } from './facilitator/deps.ts'
import { OWNERS_OF_A_DAY } from './rules.ts'

/** The settings as variables of wrangler.toml. */
export type X402Vars = Record<
  | 'VAULT_MINT'
  | 'PROTOCOL_FEE_BPS'
  | 'FEE_STEP'
  | 'X402_NETWORK'
  | 'X402_ASSETS'
  | 'X402_MAX_FEE'
  | 'X402_FEE'
  | 'X402_CRED_PER_SOL'
  | 'X402_SOL_PER_DAY',
  string
>

export type X402Settings = FacilitatorSettings & {
  /** CRED's mint. */
  mint: Address
  /** The mints that prices may use, CRED's first. */
  assets: Address[]
}

/** The cost of two signatures, in lamports: no payment costs less. */
const LEAST_FEE = 10_000n
/** The highest allowed X402_MAX_FEE, in lamports: more than a tenth of a SOL is a mistake in decimals. */
const MAX_FEE = 100_000_000n
const MAX_CRED_PER_SOL = 1_000_000_000n

/**
 * Parses the settings of wrangler.toml.
 * @throws TypeError with the name of the invalid setting
 */
export function x402Settings(vars: X402Vars): X402Settings {
  const mint = readAddress('VAULT_MINT', vars.VAULT_MINT)
  const { X402_ASSETS: list, X402_NETWORK: network } = vars
  const others = list === '' ? [] : list.split(',').map((one) => readAddress('X402_ASSETS', one.trim()))
  if (!NETWORKS.includes(network))
    throw new TypeError(`X402_NETWORK must be the CAIP-2 id of a cluster: ${NETWORKS.join(', ')}`)
  const settings = {
    mint,
    assets: [...new Set([mint, ...others])],
    network,
    maxFee: wholeOf(vars, 'X402_MAX_FEE', LEAST_FEE, MAX_FEE),
    fee: readCoins('X402_FEE', vars.X402_FEE),
    credPerSol: wholeOf(vars, 'X402_CRED_PER_SOL', 0n, MAX_CRED_PER_SOL),
    feesPerDay: readCoins('X402_SOL_PER_DAY', vars.X402_SOL_PER_DAY),
    feeBps: readFeeBps(vars.PROTOCOL_FEE_BPS),
    feeStep: readFeeStep(vars.FEE_STEP),
  }
  if (settings.feesPerDay < settings.maxFee * BigInt(OWNERS_OF_A_DAY))
    throw new TypeError(
      `X402_SOL_PER_DAY must be at least ${OWNERS_OF_A_DAY} times X402_MAX_FEE: one owner may use a tenth of it`,
    )
  return settings
}

function wholeOf(
  vars: X402Vars,
  name: 'X402_MAX_FEE' | 'X402_CRED_PER_SOL',
  min: bigint,
  max: bigint,
): bigint {
  const text = vars[name]
  const value = /^\d{1,12}$/.test(text) ? BigInt(text) : -1n
  if (value < min || value > max) throw new TypeError(`${name} must be a whole number from ${min} to ${max}`)
  return value
}
