/** Neon's regions by where Durable Objects can be near them. */
const LOCATIONS: [RegExp, string][] = [
  [/us-west|westus/, 'wnam'],
  [/us-|northcentral|eastus/, 'enam'],
  [/eu-|europe|germany|gwc|uksouth/, 'weur'],
  [/sa-/, 'sam'],
  [/southeast-2/, 'oc'],
  [/ap-/, 'apac'],
]

/** Returns the location hint of Durable Objects near a region of Neon; empty: near who asks first. */
export const placeNear = (region: string): string =>
  LOCATIONS.find(([pattern]) => pattern.test(region))?.[1] ?? ''
