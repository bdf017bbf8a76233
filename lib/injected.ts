/**
 * Returns undefined, so `injected('POLLS') ?? 40` is 40. Local bundles have lib/local/injected.ts instead, by
 * which tests change constants. esbuild drops calls of an empty function: a deployed bundle has no such name.
 */
export function injected(_name: string): number | undefined {
  return undefined
}
