import type { KeyWallet } from '../wallet.ts'
import { show } from './output.ts'

/** A consent's operations below /v1/oauth: one makes the text to sign, the other takes the signature. */
type Paths = { challenge: string; submit: string }

/**
 * Sends what a page of the console sends: gets the text of these choices, has the wallet sign it, and submits
 * both.
 * @param origin of the service, whose own pages alone may do this
 * @throws Error with the code and the text of a refusal
 */
export async function signChoices(
  origin: string,
  wallet: KeyWallet,
  paths: Paths,
  choices: object,
): Promise<Record<string, unknown>> {
  const { publicKey } = wallet
  const post = (path: string, proof: object) =>
    json(
      fetch(`${origin}/v1/oauth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ ...choices, publicKey, ...proof }),
      }),
    )
  const { nonce, challenge } = await post(paths.challenge, {})
  show({ 'what it signs': String(challenge).split('\n')[3] })
  return post(paths.submit, { nonce, signature: wallet.sign(String(challenge)) })
}

/**
 * Reads a JSON answer.
 * @throws Error with the code and the text of a refusal
 */
export async function json(answer: Promise<Response>): Promise<Record<string, unknown>> {
  const response = await answer
  const body = Object(await response.json())
  if (!response.ok) throw new Error(`${body.code}: ${body.detail}`)
  return body
}
