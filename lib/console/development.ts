import { fetchText } from './kit/query.ts'

/** The settings that the local platform gives to its console (lib/local/console.ts). */
type Development = {
  /** The embedded chain's address, with its token, and its mint. Absent where the chain is a real cluster. */
  chain?: { rpcUrl: string; mint: string }
  /** The platform's private inbox for webhooks. Absent where none may be on this machine. */
  inboxUrl?: string
  /** The address that fills an example market. Absent where a setting names the database or the chain. */
  exampleUrl?: string
  /** The keys of the development wallet. Absent where the chain is a real cluster. */
  accounts?: JsonWebKey[]
}

/**
 * Asks for it. Nothing of this is in a deployment's build.
 * @throws AgentCredError
 */
export async function development(signal?: AbortSignal): Promise<Development> {
  const text = await fetchText(`${import.meta.env.BASE_URL}development.json`, signal)
  // A service that a test has started writes no settings into the page.
  return text === undefined ? {} : JSON.parse(text)
}
