import { isPublicHttpsUrl } from '../../../schema/urls.ts'

/** Reads metadata documents of clients, in a Worker that holds no key. */
export type ClientDocumentReader = { read(url: string): Promise<string | undefined> }

const TIMEOUT_MS = 5_000
const MAX_BYTES = 5 * 1024

/**
 * Reads a client's metadata document: https on port 443 of a public name, without a redirect, for at most five
 * seconds and five kilobytes.
 * @returns undefined unless the answer is 200 with JSON
 */
export async function readClientDocument(url: string): Promise<string | undefined> {
  if (!isPublicHttpsUrl(url)) return undefined
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (response.status === 200 && /^application\/(.+\+)?json$/.test(type)) return await textOf(response)
    await response.body?.cancel()
  } catch {
    // No answer in time, or not in UTF-8.
  }
  return undefined
}

async function textOf({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let left = MAX_BYTES
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    left -= chunk.length
    if (left < 0) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
