/** What the shell does before an operation's example, by the functions of the guide that sets them up. */
export const BEFORE: Readonly<Record<string, { words: string; code: string }>> = {}
