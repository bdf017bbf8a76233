/**
 * What this deployment does without: views, and `live` where nobody can listen
 * (lib/tools/description/console.ts).
 */
export const LEFT_OUT: readonly string[] =
  document.querySelector<HTMLMetaElement>('meta[name="left-out"]')?.content.split(' ') ?? []
