import { Empty } from '../kit/loaded.tsx'
import { Page } from '../kit/pages.tsx'
import { Link } from '../kit/text.tsx'

/** Says that an address of the console names no view. */
export default function NotFound() {
  return (
    <Page title="Not found">
      <NotThere title="This page does not exist." />
    </Page>
  )
}

/** Says that the thing of the address does not exist, with a link to another view. */
export const NotThere = ({ title }: { title: string }) => (
  <Empty title={title}>
    <p>
      Check the address, or <Link to="market">go to the market</Link>.
    </p>
  </Empty>
)
