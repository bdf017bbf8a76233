/** Returns the address of a text that is an https link and nothing else, with its host in ASCII. */
export function userLink(text: string): string | undefined {
  if (!/^https:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined
  const { href, username, password } = new URL(text)
  // Before an @, a link could show the host of another site.
  return username || password ? undefined : href
}
