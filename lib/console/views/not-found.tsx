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

/**
 * Says that the thing of the address does not exist, with a link to another view.
 * @param to the view, and its words after "go to"
 */
export const NotThere = ({
  title,
  to: [view, words] = ['market', 'the market'],
}: {
  title: string
  to?: readonly [view: string, words: string]
}) => (
  <Empty title={title}>
    <p>
      Check the address, or <Link to={view}>go to {words}</Link>.
    </p>
  </Empty>
)
