import { existsSync } from 'node:fs'
import { type Cred, cred, formatAmount, lamports } from '../../schema/amounts.ts'
import { type Address, parseAddress } from '../solana/address.ts'
import { parseKey, type SecretKey } from '../tools/keys/solana.ts'
import { readCommandLine, required, runMain, UsageError } from './arguments.ts'
import { type Cluster, connectCluster } from './solana/cluster.ts'
import { findHeld, type HeldAccount, type Holder } from './solana/held-accounts.ts'
import { readKeyFile, signerOf } from './solana/key-files.ts'
import { findRefundAccount } from './solana/refund-holder.ts'
import { findVault } from './solana/vault-holder.ts'
import { type Leaver, type Withdrawal, withdraw } from './solana/withdrawal.ts'

/**
 * `npm run exit`: withdraws an owner's positions, locked or not, if the service is gone; with --jobs, what
 * the escrows of a hirer's jobs hold. It only needs an RPC node, the owner's key and the recovery key. A
 * repeated run goes on where the last one stopped.
 */
async function main() {
  const options = readSettings()
  const { areJobs, cluster, keyVersion, mint, only } = options
  const owner = await signerOf('--owner', options.ownerKey)
  const recovery = await signerOf('--recovery', options.recoveryKey)
  const wanted = { owner: owner.address, recovery, mint, keyVersion }
  const holder = await (areJobs ? findRefundAccount(cluster, wanted) : findVault(cluster, wanted))
  const { address, name, noun } = holder
  console.log(
    `owner     ${owner.address}\n${name.padEnd(9)} ${address} (key version ${keyVersion}, on ${cluster.name})`,
  )
  const held = await findHeld(cluster, holder, only)
  if (held.length === 0) console.log(`The ${name} holds no ${noun}: there is nothing to withdraw.`)
  else if (options.isDryRun) list(holder, held)
  else await withdrawAll(cluster, { ...options, holder, owner }, held)
}

function list({ noun }: Holder, held: HeldAccount[]) {
  for (const { address, amount, obstacle } of held) {
    console.log(
      `${noun.padEnd(9)} ${address}  ${credText(amount)}${obstacle ? `  (not now: ${obstacle})` : ''}`,
    )
  }
  const free = held.filter(({ obstacle }) => !obstacle)
  console.log(
    `Dry run: ${total(free)} from ${counted(free.length, noun)} would be withdrawn. Nothing was moved.`,
  )
}

async function withdrawAll(cluster: Cluster, leaver: Leaver, held: HeldAccount[]) {
  const { noun } = leaver.holder
  const done: Withdrawal[] = []
  let failures = 0
  for (const { address, amount } of held) {
    try {
      const withdrawal = await withdraw(cluster, leaver, address)
      if (!withdrawal) {
        console.log(`gone      ${address}  already withdrawn`)
        continue
      }
      done.push(withdrawal)
      const { destination, signature } = withdrawal
      console.log(`withdrawn ${address}  ${credText(withdrawal.amount)} to ${destination}, ${signature}`)
    } catch (error) {
      failures += 1
      console.error(`FAILED    ${address}  ${credText(amount)}: ${reasonOf(error)}`)
    }
  }
  const rent = done.reduce((sum, one) => sum + one.rent, 0n)
  console.log(
    `${total(done)} withdrawn from ${counted(done.length, noun)}; ${formatAmount(lamports(rent))} SOL of rent returned.`,
  )
  if (failures === 0) return
  console.error(
    `${counted(failures, noun)} could not be withdrawn: run this again. Earlier withdrawals are complete.`,
  )
  process.exitCode = 1
}

function readSettings() {
  const { values } = readCommandLine('exit')
  const rpc = required('--rpc', values.rpc)
  const mint = required('--mint', values.mint)
  const owner = required('--owner', values.owner)
  const recovery = required('--recovery', values.recovery)
  return {
    cluster: connectCluster(rpc),
    mint: addressIn('--mint', mint),
    ownerKey: ownerKey(owner),
    recoveryKey: recoveryKey(recovery),
    keyVersion: Number(wholeNumber('--generation', values.generation)),
    only: values.position === undefined ? undefined : addressIn('--position', values.position),
    computeUnitPrice: wholeNumber('--compute-unit-price', values['compute-unit-price']),
    isDryRun: values['dry-run'],
    areJobs: values.jobs,
  }
}

/**
 * Reads the owner's key from a file only. The shell's history would keep a key on the command line, and npm
 * would print it.
 */
function ownerKey(path: string): SecretKey {
  if (!existsSync(path) && parseKey(path)) throw new UsageError('--owner must be a file, not the key itself')
  return readKeyFile('--owner', path)
}

/** Reads the recovery key from a file or from the text itself. It is no secret once it is published. */
const recoveryKey = (text: string): SecretKey =>
  (existsSync(text) ? undefined : parseKey(text)) ?? readKeyFile('--recovery', text)

function addressIn(flag: string, text: string): Address {
  try {
    return parseAddress(text)
  } catch {
    throw new UsageError(`${flag} must be an address: Base58 of 32 bytes`)
  }
}

function wholeNumber(flag: string, text: string): bigint {
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  throw new UsageError(`${flag} must be a whole number`)
}

const credText = (amount: bigint): string => `${formatAmount(cred(amount))} CRED`
const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)
const total = (parts: { amount: bigint }[]): string =>
  credText(parts.reduce<bigint>((sum, { amount }) => sum + amount, 0n) as Cred)
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

await runMain('exit', main)
