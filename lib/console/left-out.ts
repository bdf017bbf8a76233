/**
 * The parts that this deployment runs without: names of views, and `live` where it has no live events
 * (lib/tools/description/console.ts).
 */
export const LEFT_OUT: readonly string[] =
  document.querySelector<HTMLMetaElement>('meta[name="left-out"]')?.content.split(' ') ?? []
