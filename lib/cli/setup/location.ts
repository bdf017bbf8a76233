/** Patterns of Neon's regions, with the location hint of Durable Objects near them. */
const LOCATIONS: [RegExp, string][] = [
  [/us-west|westus/, 'wnam'],
  [/us-|northcentral|eastus/, 'enam'],
  [/eu-|europe|germany|gwc|uksouth/, 'weur'],
  [/sa-/, 'sam'],
  [/southeast-2/, 'oc'],
  [/ap-/, 'apac'],
]

/** Returns the location hint of Durable Objects near a region of Neon; empty: near the first caller. */
export const placeNear = (region: string): string =>
  LOCATIONS.find(([pattern]) => pattern.test(region))?.[1] ?? ''
