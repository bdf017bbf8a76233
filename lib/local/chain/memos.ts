import type { Message } from './transaction.ts'

const MEMO_PROGRAMS = new Set([
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
])

/** The memos of a message in the form of getSignaturesForAddress: `[bytes] text`, joined by `; `. */
export function memoOf(message: Message): string | null {
  const memos = message.instructions
    .filter(({ programIndex }) => MEMO_PROGRAMS.has(message.staticKeys[programIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${new TextDecoder().decode(data)}`)
  return memos.length ? memos.join('; ') : null
}
