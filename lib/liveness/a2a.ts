import { type AskDeps, ask, MAX_BODY_BYTES } from './ask.ts'
import { cardStatusOf } from './card-signature.ts'
import { etagOf, isSuccess, NOT_MODIFIED, outcomeOf, unlessUnchanged } from './outcome.ts'
import { CARD_PATH, cardFor } from './own-card.ts'
import { NO_CARD, type Seen, type Served } from './probe-state.ts'

/** Longer cards are ignored, because a card is stored for each of its endpoints. */
const MAX_CARD_BYTES = 16 * 1024

/**
 * Probes an A2A endpoint by its host's agent card. If there is no card of the endpoint, by a GET, never a
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
    read: { maxBytes: MAX_CARD_BYTES },
  })
  const outcome = outcomeOf(answer, deps.clock())
  if (answer === undefined || outcome.kind === 'busy') return { outcome }
  const isUnchanged = answer.status === NOT_MODIFIED && known !== null
  const text = isUnchanged ? card : isSuccess(answer.status) ? answer.text : undefined
  const served = await readCard(deps, { url, cardUrl }, text ?? '')
  if (served !== undefined)
    return { outcome, served: { ...served, etag: isUnchanged ? known : etagOf(answer) } }
  const asksWhoCalls = outcome.kind === 'live' && outcome.isAuthRequired
  return {
    outcome: asksWhoCalls ? outcome : outcomeOf(await ask(deps, url), deps.clock()),
    served: NO_CARD,
  }
}

/**
 * Checks a text as the card of this endpoint; undefined for any other text. Reads the keys each time, because
 * the host may withdraw them without changing the card.
 */
async function readCard(
  deps: AskDeps,
  { url, cardUrl }: { url: string; cardUrl: string },
  text: string,
): Promise<Omit<Served, 'etag'> | undefined> {
  const card = cardFor(url, text)
  if (card === undefined) return undefined
  const readKeySet = async (keySetUrl: string) => {
    const keySet = await ask(deps, keySetUrl, { read: { maxBytes: MAX_BODY_BYTES } })
    return keySet !== undefined && isSuccess(keySet.status) ? keySet.text : undefined
  }
  return { cardStatus: await cardStatusOf(card, cardUrl, readKeySet), card: text }
}
