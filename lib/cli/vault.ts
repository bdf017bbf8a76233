import { type Cred, cred, formatAmount } from '../../schema/amounts.ts'
import { parseAddress } from '../solana/address.ts'
import {
  announcePosition,
  pauseKeyVersion,
  readKeyVersionState,
  resumeKeyVersion,
} from '../vault/breaker/switch-queries.ts'
import { yieldDayOf } from '../vault/stacking/admission.ts'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { withDatabase } from './database.ts'
import { environmentOf } from './deploy/stage.ts'
import { keyVersionOf } from './key-version.ts'

type Options = { generation?: string; position?: string; reason?: string }

/** The environment of the process, or of the stage of `--stage`. */
let env: NodeJS.ProcessEnv = process.env

/** `npm run vault`: stops and resumes new stakes of a key version, and prints the vault's status. */
async function main() {
  const { values, positionals } = readCommandLine('vault')
  env = environmentOf(process.env, values)
  const [command, ...others] = positionals
  if (others.length > 0) throw new UsageError('too many arguments')
  if (command === 'status') return status()
  if (command === 'pause') return pause(values)
  if (command === 'resume') return resume(values)
  return announce(values)
}

async function pause(options: Options) {
  const keyVersion = keyVersionOf(options)
  const reason = options.reason ?? 'stopped by an operator'
  await withDatabase(env, ({ db, now }) =>
    pauseKeyVersion(db, { keyVersion, now, reason, isPublished: false }),
  )
  console.log(`key version ${keyVersion}: new stakes are stopped. Claims and withdrawals still work.`)
}

async function resume(options: Options) {
  const keyVersion = keyVersionOf(options)
  const isResumed = await withDatabase(env, ({ db }) => resumeKeyVersion(db, keyVersion))
  if (!isResumed) throw new Error('it is not paused, or its recovery key was announced as public')
  console.log(`key version ${keyVersion}: new stakes are accepted again.`)
}

async function announce(options: Options) {
  const { position } = options
  if (position === undefined) {
    const keyVersion = keyVersionOf(options)
    const reason = 'its recovery key is public'
    await withDatabase(env, ({ db, now }) =>
      pauseKeyVersion(db, { keyVersion, now, reason, isPublished: true }),
    )
    return console.log(
      `key version ${keyVersion}: new stakes are stopped permanently. You may publish its recovery key.`,
    )
  }
  const address = addressOf(position)
  const isKnown = await withDatabase(env, ({ db }) => announcePosition(db, address))
  if (!isKnown) throw new Error('no position has this address')
  console.log(`${address}: its early withdrawal will not stop new stakes.`)
}

function addressOf(text: string) {
  try {
    return parseAddress(text)
  } catch {
    throw new UsageError('--position must be an address')
  }
}

/** Prints a line for each known key version, and one for the yield of the present day. */
async function status() {
  await withDatabase(env, async ({ db, now }) => {
    const day = yieldDayOf(now)
    const { rows, held, open, taken } = await readKeyVersionState(db, day)
    const known = [...rows, ...held].map(({ keyVersion }) => keyVersion)
    for (const keyVersion of [...new Set([...known, ...open])].toSorted((a, b) => a - b)) {
      const row = rows.find((one) => one.keyVersion === keyVersion)
      const { positions = '0', principal = '0' } = held.find((one) => one.keyVersion === keyVersion) ?? {}
      console.log(
        [
          `key version ${keyVersion}`,
          stateOf(row),
          `${positions} positions`,
          `${formatAmount(principalOf(principal))} CRED`,
        ].join('\t'),
      )
    }
    const { landed = cred(0n), reserved = cred(0n) } = taken ?? {}
    console.log(
      `yield of ${day}\t${formatAmount(landed)} CRED taken\t${formatAmount(reserved)} CRED reserved`,
    )
  })
}

const principalOf = (text: string): Cred => cred(BigInt(text))

function stateOf(row?: { pausedAt: Date | null; pauseReason: string | null; publishedAt: Date | null }) {
  if (row?.publishedAt) return `recovery key public since ${row.publishedAt.toISOString()}`
  return row?.pausedAt ? `paused since ${row.pausedAt.toISOString()}: ${row.pauseReason}` : 'open'
}

await runMain('vault', main)
