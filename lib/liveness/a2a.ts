import { type Answer, type AskDeps, ask, MAX_BODY_BYTES } from './ask.ts'
import { cardStatusOf } from './card-signature.ts'
import { isSuccess, outcomeOf } from './outcome.ts'
import { CARD_PATH, cardFor } from './own-card.ts'
import { etagOf, NO_CARD, unlessUnchanged } from './served.ts'
import type { Seen, Served } from './sight.ts'

const NOT_MODIFIED = 304

/**
 * Looks at an A2A endpoint: by its host's agent card, and where that has none of it by a GET, never a
 * message.
 */
export async function probeA2a(
  deps: AskDeps,
  { url, etag, card }: { url: string; etag: string | null; card: string | null },
): Promise<Seen> {
  const cardUrl = new URL(CARD_PATH, url).href
  const known = card === null ? null : etag
  const answer = await ask(deps, cardUrl, {
    headers: { accept: 'application/json', ...unlessUnchanged(known) },
    read: { maxBytes: MAX_BODY_BYTES },
  })
  const outcome = outcomeOf(answer, deps.clock())
  if (answer === undefined || outcome.kind === 'busy') return { outcome }
  if (answer.status === NOT_MODIFIED && known !== null) return { outcome }
  const served = await readCard(deps, { url, cardUrl }, answer)
  if (served !== undefined) return { outcome, served }
  const asksWhoCalls = outcome.kind === 'live' && outcome.isAuthRequired
  return {
    outcome: asksWhoCalls ? outcome : outcomeOf(await ask(deps, url), deps.clock()),
    served: NO_CARD,
  }
}

/** What the host serves as the card of this endpoint; undefined when that is none. */
async function readCard(
  deps: AskDeps,
  { url, cardUrl }: { url: string; cardUrl: string },
  answer: Answer,
): Promise<Served | undefined> {
  const { status, text } = answer
  const card = isSuccess(status) && text !== undefined ? cardFor(url, text) : undefined
  if (card === undefined || text === undefined) return undefined
  const readKeySet = async (keySetUrl: string) => {
    const keySet = await ask(deps, keySetUrl, { read: { maxBytes: MAX_BODY_BYTES } })
    return keySet !== undefined && isSuccess(keySet.status) ? keySet.text : undefined
  }
  return { etag: etagOf(answer), cardStatus: await cardStatusOf(card, cardUrl, readKeySet), card: text }
}
