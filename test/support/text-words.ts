import { readMigrations } from '../../lib/migrations/migration-files.ts'
import { MIGRATIONS } from '../../lib/migrations/migrations.ts'

/** The statement that makes text_words, which splits texts and searches, on any database. */
export function textWordsSql(): string {
  const statements = readMigrations(MIGRATIONS).flatMap(({ sql }) => sql.split('--> statement-breakpoint'))
  const made = statements.findLast((one) => /^CREATE (OR REPLACE )?FUNCTION "text_words"/m.test(one))
  if (!made) throw new Error('No migration makes text_words')
  return made
}

/** A text with characters that databases of another locale take for other things. */
export const MIXED_TEXT = 'ÉMI’s ΑΣ—Ünïts №5 今月の売上 AI案内 หนังสือก่ हिन्दी ①②🦓 ｶﾞｲﾄﾞ İzmir'

/** Its words, the same on every server. */
export const MIXED_WORDS =
  'emi s ασ units no5 今月 月の の売 売上 上 ai 案内 内 หนั นัง งสื สือ อก่ ก่ हिन्दी 12 ガイ イド ド izmir'
