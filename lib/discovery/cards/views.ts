import { jsonText } from '../../http/json.ts'

/** For so long a card may be shown without asking again. */
const MAX_AGE_SECONDS = 300

export const A2A_CARD_TYPE = 'application/a2a-agent-card+json'
export const MCP_CARD_TYPE = 'application/mcp-server-card+json'

/** The answer that is a card's text. */
export const cardAnswer = (text: string, mediaType: string): Response =>
  jsonText(text, 200, {
    'content-type': mediaType,
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
    // A host's own card is whatever that host wrote.
    'x-content-type-options': 'nosniff',
  })
