/** The path of a host's card (A2A 1.0, section 8.2). */
export const CARD_PATH = '/.well-known/agent-card.json'

/** A host's agent card: a JSON object that may have any members. */
export type ForeignCard = Record<string, unknown>

/**
 * Parses the A2A 1.0 card of a host. It must be a card of this endpoint, because a host may have many agents.
 * @returns undefined for any other text
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
 * Makes a function that compares URLs with `url`, in any spelling. It parses `url` once, because a card may
 * list thousands.
 */
export function sameAs(url: string): (other: string) => boolean {
  const href = URL.parse(url)?.href
  return (other) => URL.parse(other)?.href === href
}

/** Parses a text as a JSON object; undefined for any other text. */
export function objectIn(text: string): ForeignCard | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
