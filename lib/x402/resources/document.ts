import { utf8 } from '../../keys/bytes.ts'
import { MAX_DOCUMENT_BYTES } from '../rules.ts'
import { isObject, type JsonObject, textError } from './json.ts'
import { ANYTHING, checkSchema } from './schema-check.ts'

/** What a route's 402 answer says of it. Untrusted: its owner's server wrote all of it. */
export type ResourceDocument = {
  /** Up to 500 characters. A longer one is cut. */
  description?: string
  mimeType?: string
  /** Up to 32 printable ASCII characters, as published facilitators take it. */
  serviceName?: string
  /** Up to five, of up to 32 printable ASCII characters each. */
  tags?: string[]
  /** The example of a request and its answer, in the form of the extension `bazaar`. */
  info?: Record<string, unknown>
  /** Its JSON Schema, if its keywords could be checked or ignored; `info` fits it. */
  schema?: Record<string, unknown>
}

const MAX_DESCRIPTION = 500
const MAX_TAGS = 5

const SHORT = /^[\x20-\x7e]{1,32}$/
const MIME_TYPE = /^[\w.+-]{1,64}\/[\w.+*-]{1,64}$/

/**
 * Makes the document of a route from its decoded PAYMENT-REQUIRED.
 * @param method of the route, which the declaration must not contradict
 * @returns the document, as JSON, or the finding
 */
export function documentOf(
  { resource, extensions }: JsonObject,
  method: string,
): { document: string } | 'not_declared' | 'too_large' | 'unsafe_text' {
  const bazaar = isObject(extensions) ? extensions.bazaar : undefined
  if (!isObject(bazaar) || !isObject(bazaar.info) || !isObject(bazaar.info.input)) return 'not_declared'
  const { info, schema } = bazaar
  const { input } = bazaar.info
  if (input.type !== 'http' || (input.method !== undefined && input.method !== method)) return 'not_declared'
  const error = textError([resource, info, schema])
  if (error) return error
  const checked = schema === undefined ? 'undecided' : checkSchema(schema, withoutParameters(bazaar.info))
  if (checked === 'invalid') return 'not_declared'
  const document: ResourceDocument = {
    ...describedBy(isObject(resource) ? resource : {}),
    info: bazaar.info,
    ...(checked === 'valid' && isObject(schema) && { schema }),
  }
  const text = JSON.stringify(document)
  return utf8(text).length > MAX_DOCUMENT_BYTES ? 'too_large' : { document: text }
}

/** The probe asks for the literal path, so the declared parts of the path are names such as `:city`. */
function withoutParameters(info: JsonObject): JsonObject {
  const { input } = info
  if (!isObject(input) || !isObject(input.pathParams)) return info
  const pathParams = Object.fromEntries(Object.keys(input.pathParams).map((name) => [name, ANYTHING]))
  return { ...info, input: { ...input, pathParams } }
}

function describedBy({ description, mimeType, serviceName, tags }: JsonObject): ResourceDocument {
  const short = Array.isArray(tags) ? tags.filter(isShort) : []
  const different = [...new Map(short.map((tag) => [tag.toLowerCase(), tag])).values()]
  return {
    ...(typeof description === 'string' && description !== '' && { description: cut(description) }),
    ...(typeof mimeType === 'string' && MIME_TYPE.test(mimeType) && { mimeType }),
    ...(isShort(serviceName) && { serviceName }),
    ...(different.length > 0 && { tags: different.slice(0, MAX_TAGS) }),
  }
}

const isShort = (text: unknown): text is string => typeof text === 'string' && SHORT.test(text)

/** Cuts between characters as people see them, so that no hidden joiner is left at the end. */
function cut(text: string): string {
  if ([...text].length <= MAX_DESCRIPTION) return text
  let shown = ''
  let left = MAX_DESCRIPTION
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    left -= [...segment].length
    if (left < 0) break
    shown += segment
  }
  return shown
}
