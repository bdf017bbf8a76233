import type { ComponentChildren, ComponentType } from 'preact'
import type { ViewProps } from '../view-props.ts'
import { NeedsWallet, Page } from './pages.tsx'
import { Link } from './text.tsx'

/** A section of a view: its title and its content. */
type Section = { title: string; Body: ComponentType<ViewProps> }

/**
 * Makes the content of a section that needs a wallet.
 * @param why asks a visitor without a wallet to connect one
 */
export const ofWallet =
  (why: string, Body: ComponentType<ViewProps & { wallet: string }>): ComponentType<ViewProps> =>
  (props) => <NeedsWallet why={why}>{(wallet) => <Body wallet={wallet} {...props} />}</NeedsWallet>

/**
 * A view of several sections. It shows the one that the address names, with links to the others.
 * @param view the view's address
 * @param sections by the part of the address after the view's; the first one is at the view's own address
 * @param opens whether the view's own address opens any of them, so that the first has an address, too
 * @param props the view's
 */
export function Sections({
  title,
  lead,
  view,
  sections,
  opens = false,
  props,
}: {
  title: string
  lead: ComponentChildren
  view: string
  sections: Record<string, Section>
  opens?: boolean
  props: ViewProps
}) {
  const all = Object.entries(sections)
  const [name, section] = all.find(([name]) => name === props.id) ?? all[0] ?? []
  if (!section) return null
  const { Body } = section
  return (
    <Page title={title} tab={section.title} lead={lead}>
      <nav aria-label={title} class="tabs">
        {all.map(([path, { title }], index) => (
          <Link key={path} to={index === 0 && !opens ? view : `${view}/${path}`} isCurrent={path === name}>
            {title}
          </Link>
        ))}
      </nav>
      <section aria-labelledby="section">
        <h2 id="section">{section.title}</h2>
        <Body {...props} />
      </section>
    </Page>
  )
}
