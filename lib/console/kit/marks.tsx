import { layerName } from './layers.ts'
import { pictureOf } from './picture.ts'

/** The service's logo. index.html has the same one as the page's icon. */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect class="logo-ground" width="32" height="32" rx="9" />
    <path class="logo-line" d="M8.5 23 16 8l7.5 15M12 18.5h8" />
    <circle class="logo-dot" cx="24.5" cy="8" r="2.5" />
  </svg>
)

/** Shows an agent's generated picture, with its name next to it. */
export const Picture = ({ id, size = 44 }: { id: string; size?: number }) => (
  <img class="picture" src={pictureOf(id)} alt="" width={size} height={size} />
)

/** Five stars in a row, each 20 wide. */
const FIVE = [0, 20, 40, 60, 80]
  .map((x) => `M${x + 10} 1.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z`)
  .join('')

/** Shows a rating in stars, to a tenth of a star. */
export const Stars = ({ rating }: { rating: number }) => (
  <svg
    class="stars"
    viewBox="0 0 100 20"
    width="85"
    height="17"
    role="img"
    aria-label={`${trimmed(rating)} of 5 stars`}
  >
    <path class="star-off" d={FIVE} />
    {/* A picture inside shows no more than its own width. */}
    <svg width={rating * 20} height="20" aria-hidden="true">
      <path class="star-on" d={FIVE} />
    </svg>
  </svg>
)

const trimmed = (rating: number): string => rating.toFixed(1).replace('.0', '')

/** Shows a share of a whole as a bar, 0 to 1. Show its content as text next to it. */
export const Bar = ({ share }: { share: number }) => (
  <svg class="bar" width="100%" height="6" aria-hidden="true">
    <rect class="bar-track" width="100%" height="6" rx="3" />
    <rect class="bar-fill" width={`${share * 100}%`} height="6" rx="3" />
  </svg>
)

/**
 * Lists capture layers by name: the categories of an agent.
 * @param maxShown the most layers to show; for the others, their number is shown
 */
export const Layers = ({
  layers,
  maxShown = Number.POSITIVE_INFINITY,
}: {
  layers: readonly number[]
  maxShown?: number
}) => (
  <ul class="chips" aria-label="Categories">
    {layers.slice(0, maxShown).map((layer) => (
      <li key={layer}>{layerName(layer)}</li>
    ))}
    {layers.length > maxShown && (
      <li title={layers.slice(maxShown).map(layerName).join(', ')}>
        {layers.length - maxShown} more
        <span class="visually-hidden">: {layers.slice(maxShown).map(layerName).join(', ')}</span>
      </li>
    )}
  </ul>
)
