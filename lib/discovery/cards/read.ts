import { Refusal } from '../../refusal.ts'
import type { CardAnswer, CardRequest } from './publish.ts'

/** What the entrypoint Cards of the protocols Worker answers: it alone holds the key that signs cards. */
export type CardService = { card(request: CardRequest): Promise<CardAnswer> }

const RETRY_AFTER_SECONDS = 2

/**
 * Reads a card as the protocols Worker writes it.
 * @returns its JSON
 * @throws Refusal no_agent_card, dependency_unavailable, or what `notFound` makes for an unknown agent
 */
export async function readCard(
  deps: { cards: CardService },
  request: CardRequest,
  notFound: () => Refusal,
): Promise<string> {
  const answer = await deps.cards.card(request).catch(() => {
    // Not the error itself, whose message may be a driver's.
    throw new Refusal('dependency_unavailable', 'The card could not be made; please try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: new Error('the protocols Worker failed'),
    })
  })
  if ('card' in answer) return answer.card
  if (answer.missing === 'agent') throw notFound()
  throw new Refusal('no_agent_card', 'The agent has no card of this kind.')
}
