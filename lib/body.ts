/**
 * Reads the text of an answer of at most so many bytes, as they arrive decompressed: an answer may be
 * endless.
 * @returns undefined where the answer is longer, and no more of it is read then
 * @throws what the connection failed by
 */
export async function textWithin({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    left -= chunk.length
    if (left < 0) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
