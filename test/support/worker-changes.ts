import type { BuiltWorker } from '../../lib/local/build.ts'

/**
 * Makes Workers' code with other values of some of its constants, which a bundle declares by their names.
 * @throws Error for a constant that the Worker has not, or has twice
 */
export function withConstants(script: string, constants: Record<string, number> = {}): string {
  return Object.entries(constants).reduce((text, [name, value]) => {
    const declaration = new RegExp(`\\b${name}=(?!=)[^,;]+`, 'g')
    const found = text.match(declaration)?.length ?? 0
    if (found !== 1) throw new Error(`the Worker declares the constant ${name} ${found} times`)
    return text.replace(declaration, `${name}=${value}`)
  }, script)
}

/** Makes a Worker's options with other limits for some of its rate limits, by binding. */
export function withLimits(
  options: BuiltWorker['options'],
  limits: Record<string, number> = {},
): BuiltWorker['options'] {
  const ratelimits = Object.entries(options.ratelimits ?? {}).map(([name, { simple, ...rest }]) => [
    name,
    { ...rest, simple: { ...simple, limit: limits[name] ?? simple.limit } },
  ])
  return { ...options, ratelimits: Object.fromEntries(ratelimits) }
}
