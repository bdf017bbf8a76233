import type { Db } from '../../db/connect.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import { CATALOG_KEY, catalogText } from './catalog.ts'
import { catalogRoutes } from './catalog-queries.ts'

type PublishDeps = {
  db: Db
  catalog: Pick<KVNamespace, 'put' | 'list'>
  /** The hash of the value that was last written. KV itself may answer an older one. */
  written: { get: () => Promise<string | undefined>; put: (hash: string) => Promise<void> }
}

/**
 * Writes the catalog to KV if it has changed since the last time, or KV has lost it. It is one statement.
 * While nothing was ever listed, it writes nothing.
 * @throws Error if the database or KV does not answer
 */
export async function publishCatalog({ db, catalog, written }: PublishDeps) {
  const { text, items } = catalogText(await catalogRoutes.run(db, {}))
  const hash = await sha256Hex(text)
  const before = await written.get()
  if (before === undefined && items === 0) return { items, isWritten: false }
  if (before === hash && (await hashIn(catalog)) === hash) return { items, isWritten: false }
  await catalog.put(CATALOG_KEY, text, { metadata: { hash } })
  await written.put(hash)
  return { items, isWritten: true }
}

/** Reads the hash of the value in KV, without the value. */
async function hashIn(catalog: PublishDeps['catalog']): Promise<string | undefined> {
  const { keys } = await catalog.list<{ hash: string }>({ prefix: CATALOG_KEY })
  return keys[0]?.metadata?.hash
}
