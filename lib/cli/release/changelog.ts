const UNRELEASED = '## Unreleased'

/**
 * Turns the section "Unreleased" into the version's section, and begins an empty one.
 * @param date as in 2026-11-23
 * @returns the whole changelog, and the section's text
 * @throws Error if the section is empty
 */
export function released(changelog: string, version: string, date: string): { text: string; notes: string } {
  const [before, after, ...others] = changelog.split(`${UNRELEASED}\n`)
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`CHANGELOG.md must have exactly one section "${UNRELEASED}"`)
  const end = after.search(/^## /m)
  const notes = (end === -1 ? after : after.slice(0, end)).trim()
  if (notes === '') throw new Error(`CHANGELOG.md has nothing under "${UNRELEASED}": add what is new`)
  return { text: `${before}${UNRELEASED}\n\n## ${version} (${date})\n${after}`, notes }
}
