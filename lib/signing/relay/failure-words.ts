/* Why the network refuses a transaction, in words; pure. */

/**
 * The error numbers of the Token program that an owner or a hirer can do something about. What we build calls
 * the System program, too, whose 0 and 1 mean much the same.
 * Source: `TokenError` of spl-token, `SystemError` of solana-system-interface.
 */
const BY_NUMBER: Record<number, string> = {
  0: 'an account holds too little for its rent, or exists already',
  1: 'an account holds less than is taken from it, or lets less be taken',
  4: 'a signer is neither the owner of an account nor whom that owner lets take from it now',
  17: 'the mint’s freeze authority has frozen an account',
}

/** Errors that the runtime names. */
const BY_NAME: [RegExp, string][] = [
  [/missing ?required ?signature/i, 'a signature is missing'],
  [/insufficient ?funds ?for ?fee|AccountNotFound/i, 'the wallet can not pay the network fee'],
  [/insufficient ?funds ?for ?rent/i, 'an account would hold too little for its rent'],
]

const NUMBER = /"Custom":(?<decimal>\d+)|custom program error: 0x(?<hex>[0-9a-f]+)/

/**
 * Puts into words why a transaction fails, as a node says it: an error as JSON, or the text of a refusal.
 * What has no words is left as it is.
 */
export function failureWords(failure: string): string {
  const { decimal, hex } = NUMBER.exec(failure)?.groups ?? {}
  const number = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const words = BY_NUMBER[number] ?? BY_NAME.find(([pattern]) => pattern.test(failure))?.[1]
  return words === undefined ? failure : `${words} (${failure})`
}
