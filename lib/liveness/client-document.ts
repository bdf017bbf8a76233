import { ask } from './ask.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 5 * 1024

/**
 * Reads the metadata document of an OAuth client, as a probe is sent: to public https hosts alone, and never
 * along a redirect. Waits five seconds and reads five kilobytes at most.
 * @param deps.apiHost the service's own hosts, which are not asked
 * @returns undefined unless the answer is 200 with JSON in UTF-8
 */
export async function readClientDocument(
  { clock, apiHost }: { clock: () => Date; apiHost: string },
  url: string,
): Promise<string | undefined> {
  const until = new Date(clock().getTime() + TIMEOUT_MS)
  const answer = await ask({ clock, apiHost, until }, url, {
    headers: { accept: 'application/json' },
    read: { maxBytes: MAX_BYTES },
  })
  const type = answer?.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return answer?.status === 200 && /^application\/(.+\+)?json$/.test(type) ? answer.text : undefined
}
