import { type Capability, capabilityLayers } from '../../schema/registry.ts'

/** The greatest difference between a registration's timestamp and the server's time. */
export const TIMESTAMP_TOLERANCE_MS = 5 * 60_000

/** Computes how far the timestamp is ahead of the server's time; negative if behind. */
export const skewMs = (timestamp: number, now: Date): number => timestamp - now.getTime()

export const isTimely = (timestamp: number, now: Date): boolean =>
  Math.abs(skewMs(timestamp, now)) <= TIMESTAMP_TOLERANCE_MS

/** Lists the capture layers of the capabilities, each once, ascending. */
export const layersOf = (capabilities: readonly Capability[]): number[] =>
  [...new Set(capabilities.flatMap((id): readonly number[] => capabilityLayers[id]))].sort((a, b) => a - b)
