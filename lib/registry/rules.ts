import { type Capability, capabilityLayers } from '../../schema/registry.ts'

/** How far a registration's timestamp may lie from the server's time, either way. */
export const TIMESTAMP_TOLERANCE_MS = 5 * 60_000

/** Computes how far the timestamp lies ahead of the server's time; negative when behind. */
export const skewMs = (timestamp: number, now: Date): number => timestamp - now.getTime()

export const isTimely = (timestamp: number, now: Date): boolean =>
  Math.abs(skewMs(timestamp, now)) <= TIMESTAMP_TOLERANCE_MS

/** Lists the capture layers that the capabilities stand for, each once, ascending. */
export const layersOf = (capabilities: readonly Capability[]): number[] =>
  [...new Set(capabilities.flatMap((id): readonly number[] => capabilityLayers[id]))].sort((a, b) => a - b)
