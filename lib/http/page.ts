import type { GenericSchema, InferOutput } from 'valibot'
import type { Wire } from '../../schema/wire/common.ts'
import { answer, type RowFor } from '../answer.ts'
import { type JsonResponse, json } from './json.ts'
import { nextPageLink } from './paging.ts'

/**
 * Makes the answer of a list: one page, and the Link header to the next one.
 * @param schema made by pageOf of schema/wire/body.ts
 * @param key the member with the entries
 * @param rows what the entries are made of
 * @param more further fields of the page
 */
export function pageAnswer<Schema extends GenericSchema, Key extends keyof InferOutput<Schema> & string>(
  schema: Schema,
  key: Key,
  rows: RowFor<InferOutput<Schema>[Key]> & readonly unknown[],
  { url, nextCursor }: { url: string; nextCursor?: string | undefined },
  more: Partial<InferOutput<Schema>> = {},
): JsonResponse<200, Wire<Schema>> {
  const page = { [key]: rows, count: rows.length, nextCursor, ...more } as unknown as RowFor<
    InferOutput<Schema>
  >
  return json(answer(schema, page), 200, nextPageLink(url, nextCursor))
}
