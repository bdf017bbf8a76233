import { createHash } from 'node:crypto'

type Texts = Record<string, string>

/** A fingerprint of a secret, and which command last changed the secret, when and on which machine. */
type Print = { print: string; at: string; by: string; machine: string }

export type Prints = Record<string, Print>

/**
 * Secrets that operators bring along, and that have no fingerprint: one may hold a password that somebody
 * chose, and a reader of the database could try guesses. All others have 128 random bits or more, or are
 * public; their fingerprints say only whether two are the same.
 */
export const BROUGHT = ['DATABASE_URL', 'SOLANA_RPC_URL']

const DIGITS = 16

/** Of a URL without its parameters: Neon adds some in the course of time, and the login stays the same. */
const fingerprint = (secret: string): string =>
  createHash('sha256')
    .update(/^postgres(ql)?:/.test(secret) ? secret.replace(/\?.*$/, '') : secret)
    .digest('hex')
    .slice(0, DIGITS)

/** The fingerprints of secrets by name. */
export const printsOf = (secrets: Texts): Texts =>
  Object.fromEntries(
    Object.entries(secrets)
      .filter(([name, secret]) => !BROUGHT.includes(name) && secret !== '')
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, secret]) => [name, fingerprint(secret)]),
  )

/** Notes of each secret that has changed which command changed it. */
export const notedIn = (before: Prints, secrets: Texts, change: Omit<Print, 'print'>): Prints =>
  Object.fromEntries(
    Object.entries(printsOf(secrets)).map(([name, print]) => {
      const known = before[name]
      return [name, known?.print === print ? known : { print, ...change }]
    }),
  )

/** The names of secrets that are missing or have another fingerprint than is known. */
export function differingFrom(known: Prints, secrets: Texts): string[] {
  const prints = printsOf(secrets)
  return Object.keys(known)
    .filter((name) => prints[name] !== known[name]?.print)
    .toSorted()
}

/** Which change of these secrets was the last. */
export const lastChange = (known: Prints, names: string[]): Print | undefined =>
  names
    .flatMap((name) => known[name] ?? [])
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .at(-1)

/** The names of secrets that would have another fingerprint. */
export function changedSecrets(before: Texts, changes: Texts): string[] {
  const known = printsOf(before)
  return Object.entries(printsOf(changes)).flatMap(([name, print]) => (known[name] === print ? [] : [name]))
}
