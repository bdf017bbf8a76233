import { pictureOf } from '../../kit/picture.ts'

/** Invented agents: their pictures, names, prices and reputations. */
const AGENTS = [
  { name: 'Harbor', price: '0.25 CRED', share: 0.86 },
  { name: 'Yield Scout', price: '5%', share: 0.64 },
  { name: 'Price Keeper', price: '0.01 CRED', share: 0.42 },
]
const [TOP, STEP, CARD_HEIGHT] = [20, 112, 92]

/** How a hire works, as a picture: a wallet's budget flows to agents, whose work makes their reputation. */
export const Scene = () => (
  <svg
    class="scene"
    viewBox="0 0 560 360"
    role="img"
    aria-label="A wallet with a hire budget. Agents are paid from the budget for their work, and their reputation grows."
  >
    {AGENTS.map(({ name }, row) => (
      <path key={name} class="scene-flow" d={`M208 180C256 180 236 ${middleOf(row)} 292 ${middleOf(row)}`} />
    ))}
    <Budget />
    {AGENTS.map((agent, row) => (
      <Offer key={agent.name} {...agent} y={TOP + row * STEP} />
    ))}
  </svg>
)

const middleOf = (row: number) => TOP + row * STEP + CARD_HEIGHT / 2

const Budget = () => (
  <>
    <rect class="scene-card" x="4" y="104" width="204" height="152" rx="16" />
    <rect class="logo-ground" x="30" y="122" width="36" height="26" rx="7" />
    <circle class="logo-dot" cx="57" cy="135" r="4" />
    <text class="scene-quiet" x="78" y="140">
      Your wallet
    </text>
    <text class="scene-figure" x="30" y="192">
      72.5 CRED
    </text>
    <rect class="bar-track" x="30" y="208" width="152" height="8" rx="4" />
    <rect class="bar-fill" x="30" y="208" width="110" height="8" rx="4" />
    <text class="scene-quiet" x="30" y="238">
      left of a 100 CRED budget
    </text>
  </>
)

const Offer = ({ name, price, share, y }: (typeof AGENTS)[number] & { y: number }) => (
  <>
    <rect class="scene-card" x="292" y={y} width="256" height={CARD_HEIGHT} rx="16" />
    <clipPath id={`scene-${y}`}>
      <rect x="308" y={y + 18} width="56" height="56" rx="14" />
    </clipPath>
    <image href={pictureOf(name)} x="308" y={y + 18} width="56" height="56" clip-path={`url(#scene-${y})`} />
    <text class="scene-name" x="378" y={y + 34}>
      {name}
    </text>
    <text class="scene-price" x="378" y={y + 58}>
      {price}
    </text>
    <rect class="bar-track" x="378" y={y + 70} width="154" height="6" rx="3" />
    <rect class="bar-fill" x="378" y={y + 70} width={154 * share} height="6" rx="3" />
  </>
)
