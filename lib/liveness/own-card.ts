/** Where a host serves its card (A2A 1.0, section 8.2). */
export const CARD_PATH = '/.well-known/agent-card.json'

/** An agent card as far as it is looked at: a JSON object of any other members. */
export type ForeignCard = Record<string, unknown>

/**
 * Reads the A2A 1.0 card of a host if it is a card of this endpoint: a host may have many agents, and
 * another's card says nothing of this one.
 * @returns undefined when the text is no such card
 */
export function cardFor(endpoint: string, text: string): ForeignCard | undefined {
  const card = objectIn(text)
  if (card === undefined || !REQUIRED_TEXTS.every((member) => isText(card[member]))) return undefined
  if (!REQUIRED_LISTS.every((member) => Array.isArray(card[member])) || !isObject(card.capabilities))
    return undefined
  const interfaces = card.supportedInterfaces as unknown[]
  const isEndpoint = sameAs(endpoint)
  return interfaces.some((one) => isObject(one) && isText(one.url) && isEndpoint(one.url)) ? card : undefined
}

const REQUIRED_TEXTS = ['name', 'description', 'version']
const REQUIRED_LISTS = ['supportedInterfaces', 'defaultInputModes', 'defaultOutputModes', 'skills']

export const isObject = (value: unknown): value is ForeignCard =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Compares URLs with one of ours, however they are spelled. Ours is parsed once: a stranger's list may have
 * thousands.
 */
export function sameAs(url: string): (other: string) => boolean {
  const href = URL.parse(url)?.href
  return (other) => URL.parse(other)?.href === href
}

/** The JSON object that a text is. */
export function objectIn(text: string): ForeignCard | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
