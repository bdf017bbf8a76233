export const CONNECTION_STRING = 'postgres://nobody:unused@db.example.test/local'

/** A statement as the Neon driver sends it. */
export function sqlRequest(query: string): Request {
  const headers = { 'Neon-Connection-String': CONNECTION_STRING }
  return new Request('http://localhost/sql', { method: 'POST', headers, body: JSON.stringify({ query }) })
}
