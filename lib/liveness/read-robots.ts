import { type AskDeps, ask } from './ask.ts'
import { isSuccess } from './outcome.ts'

/** The most bytes read of a robots.txt; matching costs at most its length times the URL's. */
const MAX_ROBOTS_BYTES = 16 * 1024

/**
 * Reads the robots.txt of a URL's host.
 * @returns its text, empty if the host has none; undefined if it could not be read
 */
export async function readRobotsText(deps: AskDeps, url: string): Promise<string | undefined> {
  const answer = await ask(deps, new URL('/robots.txt', url).href, {
    read: { maxBytes: MAX_ROBOTS_BYTES, cut: true },
  })
  if (answer === undefined || answer.status >= 500 || answer.status === 429) return undefined
  return isSuccess(answer.status) ? (answer.text ?? '') : ''
}
