import { createHash } from 'node:crypto'

type Texts = Record<string, string>

/** A secret's fingerprint, and the command, time and machine of its last change. */
type Print = { print: string; at: string; by: string; machine: string }

export type Prints = Record<string, Print>

/**
 * The secrets without a fingerprint, which operators supply. Such a secret may hold a password that somebody
 * chose, and a reader of the database could try guesses. All others have at least 128 random bits or are
 * public; their fingerprints only show whether two are equal.
 */
export const BROUGHT = ['DATABASE_URL', 'SOLANA_RPC_URL']

const DIGITS = 16

/** Hashes a secret. The query of a database URL is left out: Neon adds parameters over time. */
const fingerprint = (secret: string): string =>
  createHash('sha256')
    .update(/^postgres(ql)?:/.test(secret) ? secret.replace(/\?.*$/, '') : secret)
    .digest('hex')
    .slice(0, DIGITS)

/** Returns the fingerprints of secrets by name. */
export const printsOf = (secrets: Texts): Texts =>
  Object.fromEntries(
    Object.entries(secrets)
      .filter(([name, secret]) => !BROUGHT.includes(name) && secret !== '')
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, secret]) => [name, fingerprint(secret)]),
  )

/** Returns the fingerprints, and records for each changed secret which command changed it. */
export const notedIn = (before: Prints, secrets: Texts, change: Omit<Print, 'print'>): Prints =>
  Object.fromEntries(
    Object.entries(printsOf(secrets)).map(([name, print]) => {
      const known = before[name]
      return [name, known?.print === print ? known : { print, ...change }]
    }),
  )

/** Returns the names of secrets that are missing, or whose fingerprint differs from the recorded one. */
export function differingFrom(known: Prints, secrets: Texts): string[] {
  const prints = printsOf(secrets)
  return Object.keys(known)
    .filter((name) => prints[name] !== known[name]?.print)
    .toSorted()
}

/** Returns the last change of these secrets. */
export const lastChange = (known: Prints, names: string[]): Print | undefined =>
  names
    .flatMap((name) => known[name] ?? [])
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .at(-1)

/** Returns the names of secrets whose fingerprint these changes would alter. */
export function changedSecrets(before: Texts, changes: Texts): string[] {
  const known = printsOf(before)
  return Object.entries(printsOf(changes)).flatMap(([name, print]) => (known[name] === print ? [] : [name]))
}
