import { sha256Hex } from '../../keys/bytes.ts'
import { logError } from '../../runtime/log.ts'
import { within } from '../../time.ts'
import { KV_TIMEOUT_MS } from '../nonces.ts'
import { DOCUMENT_SECONDS } from './rules.ts'

/*
 * Metadata documents of clients in KV, by their exact URL: a client that is known connects users also while
 * strangers use up the reads of its host.
 */

const keyOf = async (url: string): Promise<string> => `client:${await sha256Hex(url)}`

/** Finds a document that was read a short time ago; undefined also if KV does not answer. */
export async function findKept(documents: KVNamespace, url: string): Promise<string | undefined> {
  try {
    return (await within(KV_TIMEOUT_MS, documents.get(await keyOf(url)))) ?? undefined
  } catch {
    logError({ kv: 'documents', reason: 'not read' })
    return undefined
  }
}

/** Keeps a document for {@link DOCUMENT_SECONDS}. A failure is only logged. */
export async function keepDocument(documents: KVNamespace, url: string, text: string): Promise<void> {
  try {
    await within(KV_TIMEOUT_MS, documents.put(await keyOf(url), text, { expirationTtl: DOCUMENT_SECONDS }))
  } catch {
    logError({ kv: 'documents', reason: 'not stored' })
  }
}
