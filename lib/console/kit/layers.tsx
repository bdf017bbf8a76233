import { LAYER_NAMES } from '../../client/generated/layers.ts'

/** The layers of the marketplace, by number. */
export const LAYERS: readonly number[] = Array.from({ length: 22 }, (_, index) => index + 1)

/** Names that are not spelled as their identifiers are. */
const SPELLED: Readonly<Record<string, string>> = {
  depin: 'DePIN',
  knowledge_api: 'Knowledge API',
  sub_agent: 'Sub-agents',
}

/** A layer by its name; one that this page does not know yet by its number. */
export function layerName(layer: number): string {
  const id = LAYER_NAMES[layer]
  if (id === undefined) return `Layer ${layer}`
  return SPELLED[id] ?? id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ')
}

/** A layer by name and number, where there is no room for more than text. */
export const layerWords = (layer: number): string => `${layerName(layer)} (${layer})`

/**
 * Layers by name, their numbers beside.
 * @param most so many are shown; how many more there are is said
 */
export const Layers = ({ of, most = Number.POSITIVE_INFINITY }: { of: readonly number[]; most?: number }) => (
  <ul class="chips" aria-label="Layers">
    {of.slice(0, most).map((layer) => (
      <li key={layer}>
        {layerName(layer)} <span class="number">{layer}</span>
      </li>
    ))}
    {of.length > most && (
      <li title={of.slice(most).map(layerWords).join(', ')}>
        {of.length - most} more
        <span class="visually-hidden">: {of.slice(most).map(layerWords).join(', ')}</span>
      </li>
    )}
  </ul>
)
