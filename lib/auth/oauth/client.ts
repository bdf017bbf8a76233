import * as v from 'valibot'
import { hasMisplacedInvisible } from '../../../schema/hidden.ts'
import { hostOf, isOnHost, isPublicHttpsUrl } from '../../../schema/urls.ts'
import { ApiError } from '../../api-error.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import { findKept, keepDocument } from './kept-documents.ts'
import { destinationOf } from './redirects.ts'
import { readToken, type SigningDeps, secondsOf, signToken } from './tokens.ts'

/** A program that asks to act for a wallet. Only the host of a metadata document is proven. */
type Client = { name: string; host?: string | undefined; redirectUris: string[] }

/** Reads metadata documents of clients, in a Worker that holds no key. */
export type ClientDocumentReader = { read(url: string): Promise<string | undefined> }

export type ClientDeps = SigningDeps & {
  /** Reads a client's metadata document as text; undefined if it can't be read. */
  readClientDocument: (url: string) => Promise<string | undefined>
  /** Counts a read of a stranger's host. @throws ApiError rate_limited */
  countDocument: (host: string) => Promise<void>
  /** Keeps documents that were read. */
  nonces: KVNamespace
} & OwnHosts

/** The service's own hosts, the current one and former ones, comma separated. No client is there. */
type OwnHosts = { apiHost: string }

type Registration = { name: string; uris: string[] }

const MAX_NAME = 60

/**
 * Registers a client: the id itself holds the registration, signed. Drops redirect URIs that can't be used,
 * because some clients send a mixture.
 * @returns the client's id and what it holds
 * @throws ApiError invalid_redirect_uri if none can be used
 */
export async function registerClient(
  deps: SigningDeps & OwnHosts,
  metadata: { redirect_uris: string[]; client_name?: string | undefined },
) {
  const uris = metadata.redirect_uris.filter((uri) => isUsable(deps, uri))
  if (uris.length === 0) {
    throw new ApiError(
      'invalid_redirect_uri',
      'redirect_uris has none that can be used: https, http on localhost, or an app’s scheme, written in its normal form.',
      { errors: [{ path: 'redirect_uris', message: 'has none that can be used' }] },
    )
  }
  const name = shownName(metadata.client_name)
  const issuedAt = secondsOf(deps.now)
  const clientId = await signToken(deps, 'client', { name, uris } satisfies Registration, { issuedAt })
  return { clientId, issuedAt, name, redirectUris: uris }
}

/**
 * Finds a client by its id: a registration, or the URL of a metadata document, which is read.
 * @throws ApiError invalid_client, rate_limited
 */
export async function findClient(deps: ClientDeps, id: string): Promise<Client> {
  if (id.startsWith('https://')) return documentedClient(deps, id)
  const registered = await readToken<Registration>(deps, 'client', id)
  if (!registered) throw unknownClient()
  return { name: registered.name, redirectUris: registered.uris.filter((uri) => isUsable(deps, uri)) }
}

/** Returns whether a client's id is the URL of a document, or a registration that is still valid. */
export const isKnownClient = async (deps: SigningDeps, id: string): Promise<boolean> =>
  id.startsWith('https://') || (await readToken(deps, 'client', id)) !== undefined

/** The error for an id that is no registration of this service, or no longer. */
export const unknownClient = (): ApiError => invalid('The client’s id is unknown. Register the client again.')

/** Returns what grants and tokens name a client by: its URL, or the hash of its registration. */
export const clientKeyOf = async (id: string): Promise<string> =>
  id.startsWith('https://') ? id : `sha256:${await sha256Hex(id)}`

const Document = v.object({
  client_id: v.string(),
  client_name: v.optional(v.string()),
  redirect_uris: v.pipe(v.array(v.string()), v.maxLength(100)),
  token_endpoint_auth_method: v.optional(v.string()),
})

/** Reads a client ID metadata document (draft-ietf-oauth-client-id-metadata-document). */
async function documentedClient(deps: ClientDeps, url: string): Promise<Client> {
  if (!isDocumentUrl(url) || isOnHost(url, deps.apiHost))
    throw invalid('The client’s id is not a URL that can be read: https, port 443, a public name and a path.')
  const host = hostOf(url)
  const kept = await findKept(deps.nonces, url)
  const text = kept ?? (await readAtHost(deps, url))
  const document = readDocument(text)
  if (!document) throw invalid(`The metadata document at ${host} can’t be read, or is not one.`)
  if (document.client_id !== url) throw invalid(`The metadata document at ${host} has another client_id.`)
  if ((document.token_endpoint_auth_method ?? 'none') !== 'none')
    throw invalid('The client must be public: token_endpoint_auth_method none.')
  if (kept === undefined && text !== undefined) await keepDocument(deps.nonces, url, text)
  return {
    host,
    name: shownName(document.client_name),
    redirectUris: document.redirect_uris.filter((uri) => isUsable(deps, uri) && isOfDocument(uri, host)),
  }
}

/** Returns whether a redirect URI leads to a program, and not to this service. */
const isUsable = ({ apiHost }: OwnHosts, uri: string): boolean =>
  destinationOf(uri) !== undefined && !isOnHost(uri, apiHost)

/** Reads a document from its host, which counts. */
async function readAtHost(deps: ClientDeps, url: string): Promise<string | undefined> {
  await deps.countDocument(hostOf(url))
  return deps.readClientDocument(url)
}

/** A site may only be redirected to itself. */
function isOfDocument(uri: string, host: string): boolean {
  const destination = destinationOf(uri)
  return destination !== undefined && (destination.kind !== 'web' || destination.host === host)
}

const isDocumentUrl = (url: string): boolean =>
  isPublicHttpsUrl(url) &&
  URL.parse(url)?.href === url &&
  URL.parse(url)?.pathname !== '/' &&
  !url.includes('#')

function readDocument(text: string | undefined): v.InferOutput<typeof Document> | undefined {
  try {
    const read = v.safeParse(Document, JSON.parse(text ?? ''))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** Returns a client's name as users see it: one line of at most 60 characters, all visible. */
function shownName(name: string | undefined): string {
  const text = name?.replaceAll(/\s+/g, ' ').trim() ?? ''
  if (text === '' || DIRECTIONS.test(text) || hasMisplacedInvisible(text)) return 'Unnamed program'
  return [...text].slice(0, MAX_NAME).join('').trim()
}

/** Control characters, and those that change the direction of a text. */
const DIRECTIONS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const invalid = (detail: string) =>
  new ApiError('invalid_client', detail, {
    errors: [{ path: 'client_id', message: 'is not a known client' }],
  })
