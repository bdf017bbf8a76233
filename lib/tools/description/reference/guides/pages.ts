import type { Guide } from './guide.ts'

/** Shows how to read a list to its end. */
export const pages: Guide = {
  id: 'guide-pages',
  title: 'Read long lists',
  lead: 'A list returns a page and, unless it is the last, `nextCursor`. For the next page send it as `cursor` with the same filters. A page may have fewer entries than `limit`, even none: continue until there is no `nextCursor`.',
  steps: [
    {
      words: 'The client reads the next page when it is needed.',
      language: 'ts',
      file: 'pages.ts',
      code: `import { createClient } from '@agentcred/client'

const client = createClient({ baseUrl: process.env.API! })
for await (const agent of client.list('GET /agents', { query: { limit: 10 } })) console.log(agent.name)`,
    },
    { words: 'Run it.', language: 'sh', code: 'node pages.ts' },
    {
      words: 'The same in Python.',
      language: 'py',
      file: 'pages.py',
      code: `import json, os
from urllib.parse import urlencode
from urllib.request import urlopen

query = {"limit": 10}
while True:
    page = json.load(urlopen(f"{os.environ['API']}/agents?{urlencode(query)}"))
    for agent in page["agents"]:
        print(agent["name"])
    if "nextCursor" not in page:
        break
    query["cursor"] = page["nextCursor"]`,
    },
    { words: 'Run it.', language: 'sh', code: 'python3 pages.py' },
    {
      words:
        'Your events are a log without cursors: keep the `id` of the last event that you handled, and read the events `after` it.',
      language: 'sh',
      code: `LAST=$(curl -s "$API/events?limit=5" -H "authorization: Bearer $TOKEN" |
  python3 -c 'import json,sys; print(json.load(sys.stdin)["events"][-1]["id"])')
curl "$API/events?after=$LAST&limit=5" -H "authorization: Bearer $TOKEN"`,
    },
  ],
}
