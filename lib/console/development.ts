import { fetchText } from './kit/query.ts'

/** What the local platform tells its console (lib/local/console.ts). */
type Development = {
  /** Of the embedded chain: where it answers, and its token. A real cluster has no such thing. */
  chain?: { rpcUrl: string; mint: string }
  /** Where webhooks can be sent that nobody else receives; absent where none may be on this machine. */
  inboxUrl?: string
  /** Where to ask for an example market; absent where a setting names the database or the chain. */
  exampleUrl?: string
}

/**
 * Asks for it. Nothing of this is in a deployment's build.
 * @throws AgentCredError
 */
export async function development(signal?: AbortSignal): Promise<Development> {
  const text = await fetchText(`${import.meta.env.BASE_URL}development.json`, signal)
  // A service that a test has started tells nothing.
  return text === undefined ? {} : JSON.parse(text)
}
