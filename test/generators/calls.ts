/**
 * One call by the code of each generator: the list of agents, which has one. Each prints its name. The
 * programs take the base address as their last argument.
 */

const BASE = 'process.argv[2] ?? ""'
const PRINT = 'console.log(name)'

export const typescriptCalls = {
  'openapi-typescript': `import createClient from 'openapi-fetch'
import type { paths } from './generated'
const client = createClient<paths>({ baseUrl: ${BASE} })
client.GET('/agents', { params: { query: { limit: 1 } } }).then(({ data }) => {
  const name: string | undefined = data?.agents[0]?.name
  ${PRINT}
})
`,
  'hey-api': `import { createClient } from './generated/client'
import { listAgents } from './generated'
listAgents({ client: createClient({ baseUrl: ${BASE} }), query: { limit: 1 } }).then(({ data }) => {
  const name: string | undefined = data?.agents[0]?.name
  ${PRINT}
})
`,
  // Its code asks for paths: programs give it the base address by a fetch of their own.
  orval: `import { listAgents } from './generated'
const base = ${BASE}
const { fetch } = globalThis
globalThis.fetch = (path, init) => fetch(base + path, init)
listAgents({ limit: 1 }).then((answer) => {
  if (answer.status !== 200) throw new Error(String(answer.status))
  const name: string | undefined = answer.data.agents[0]?.name
  ${PRINT}
})
`,
  'typescript-fetch': `import { Configuration, MarketplaceApi } from './generated'
const api = new MarketplaceApi(new Configuration({ basePath: ${BASE} }))
api.listAgents({ limit: 1 }).then(({ agents }) => {
  const name: string | undefined = agents[0]?.name
  ${PRINT}
})
`,
}

export const pythonCalls = {
  'openapi-python-client': `import sys
from agent_cred_client import Client
from agent_cred_client.api.marketplace import list_agents
from agent_cred_client.models import AgentList
answer = list_agents.sync(client=Client(base_url=sys.argv[-1]), limit=1)
assert isinstance(answer, AgentList)
print(answer.agents[0].name)
`,
  python: `import sys
import openapi_client
configuration = openapi_client.Configuration(host=sys.argv[-1])
with openapi_client.ApiClient(configuration) as client:
    print(openapi_client.MarketplaceApi(client).list_agents(limit=1).agents[0].name)
`,
  fastmcp: `import asyncio, json, sys
import httpx2
from fastmcp import Client, FastMCP
with open(sys.argv[1]) as file:
    document = json.load(file)
async def main():
    server = FastMCP.from_openapi(document, httpx2.AsyncClient(base_url=sys.argv[-1]))
    async with Client(server) as client:
        answer = await client.call_tool('listAgents', {'limit': 1})
        print(answer.structured_content['agents'][0]['name'])
asyncio.run(main())
`,
}

export const goCalls = {
  'oapi-codegen': `package main

import (
	"context"
	"fmt"
	"os"

	"generators/oapicodegen"
)

func main() {
	client, err := oapicodegen.NewClientWithResponses(os.Args[1])
	if err != nil {
		panic(err)
	}
	limit := 1
	answer, err := client.ListAgentsWithResponse(context.Background(), &oapicodegen.ListAgentsParams{Limit: &limit})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.JSON200.Agents[0].Name)
}
`,
  go: `package main

import (
	"context"
	"fmt"
	"os"

	"generators/openapigenerator"
)

func main() {
	configuration := openapigenerator.NewConfiguration()
	configuration.Servers = openapigenerator.ServerConfigurations{{URL: os.Args[1]}}
	api := openapigenerator.NewAPIClient(configuration).MarketplaceAPI
	answer, _, err := api.ListAgents(context.Background()).Limit(1).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Agents[0].Name)
}
`,
}
