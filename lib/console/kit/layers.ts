import { LAYER_NAMES } from '../../client/generated/layers.ts'

/** The layers of the marketplace, by number. */
export const LAYERS: readonly number[] = Array.from({ length: 22 }, (_, index) => index + 1)

/** Names that are not spelled as their identifiers are. */
const SPELLED: Readonly<Record<string, string>> = {
  depin: 'DePIN',
  knowledge_api: 'Knowledge API',
  sub_agent: 'Sub-agents',
}

/** Returns the name of a layer, or the number of a layer that this page does not know yet. */
export function layerName(layer: number): string {
  const id = LAYER_NAMES[layer]
  if (id === undefined) return `Layer ${layer}`
  return SPELLED[id] ?? id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ')
}
