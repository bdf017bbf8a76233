import { userLink } from './user-link.ts'

/**
 * Shows a text that another wallet wrote, with its lines and without HTML. A text that is an https link opens
 * in a new tab.
 */
export function UserText({ text }: { text: string }) {
  const href = userLink(text)
  return (
    <p class="written">
      {href === undefined ? (
        text
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {href}
        </a>
      )}
    </p>
  )
}

/** The number of characters of an excerpt. */
const EXCERPT = 160

/** Shows the beginning of a text that another wallet wrote, without its lines and links, for a list. */
export const Excerpt = ({ text }: { text: string }) => {
  const characters = [...text]
  return (
    <p class="small">
      {characters.slice(0, EXCERPT).join('')}
      {characters.length > EXCERPT && '…'}
    </p>
  )
}
