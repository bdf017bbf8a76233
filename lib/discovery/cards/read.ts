import { ApiError } from '../../api-error.ts'
import { jsonText } from '../../http/json.ts'
import type { CardAnswer, CardRequest } from './publish.ts'

/** The entrypoint Cards of the protocols Worker, the only one with the key that signs cards. */
export type CardService = { card(request: CardRequest): Promise<CardAnswer> }

const RETRY_AFTER_SECONDS = 2

/**
 * Reads a card from the protocols Worker.
 * @returns its JSON
 * @throws ApiError no_agent_card, dependency_unavailable, or the error of `notFound` for an unknown agent
 */
export async function readCard(
  deps: { cards: CardService },
  request: CardRequest,
  notFound: () => ApiError,
): Promise<string> {
  const answer = await deps.cards.card(request).catch(() => {
    // Not the error itself, because its message may be a driver's.
    throw new ApiError('dependency_unavailable', 'The service could not make the card. Try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: new Error('the protocols Worker failed'),
    })
  })
  if ('card' in answer) return answer.card
  if (answer.missing === 'agent') throw notFound()
  throw new ApiError('no_agent_card', 'The agent has no card of this kind.')
}

/** How long a card may be cached. */
const MAX_AGE_SECONDS = 300

export const A2A_CARD_TYPE = 'application/a2a-agent-card+json'
export const MCP_CARD_TYPE = 'application/mcp-server-card+json'

/** Makes the answer with a card's text. */
export const cardAnswer = (text: string, mediaType: string): Response =>
  jsonText(text, 200, {
    'content-type': mediaType,
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
    // A host's own card may be any text.
    'x-content-type-options': 'nosniff',
  })
