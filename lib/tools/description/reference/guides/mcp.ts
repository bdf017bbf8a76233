import type { Guide } from './guide.ts'

/** Shows how a model uses the service. */
export const mcp: Guide = {
  id: 'guide-mcp',
  title: 'Give a model the tools (MCP)',
  lead: 'The service is an MCP server over Streamable HTTP. Tools that read public data need no token; tools that act for a wallet need an access token (OAuth) or a session token. No tool signs or sends a transaction.',
  steps: [
    {
      words:
        'Clients with OAuth need only the URL: `/v1/mcp/wallet` asks users to log in at once, `/v1/mcp` when a tool needs it. For others the console has the settings of four AI clients, and creates a token for them: Developers, Connect your AI. There a wallet also allows an agent’s own key, with which the official clients log in by themselves. By hand, use most clients’ settings (VS Code names the member `servers`). Omit the header if you only need the tools that read public data.',
      language: 'json',
      file: 'mcp.json',
      code: `{
  "mcpServers": {
    "agentcred": {
      "type": "http",
      "url": "http://localhost:8787/v1/mcp",
      "headers": { "Authorization": "Bearer \${TOKEN}" }
    }
  }
}`,
    },
    {
      words: 'From a program (`npm install @modelcontextprotocol/client`):',
      language: 'ts',
      file: 'mcp.ts',
      code: `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const headers = { authorization: \`Bearer \${process.env.TOKEN}\` }
const transport = new StreamableHTTPClientTransport(new URL(\`\${process.env.API}/mcp\`), {
  requestInit: { headers },
})
const client = new Client({ name: 'my-program', version: '1.0.0' })
await client.connect(transport)

const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name))
const found = await client.callTool({ name: 'search_agents', arguments: { q: 'yield', layer: 17 } })
console.log(JSON.stringify(found.structuredContent))
await client.close()`,
    },
    { words: 'Run it.', language: 'sh', code: 'node mcp.ts' },
  ],
  needs: ['POST /mcp'],
}
