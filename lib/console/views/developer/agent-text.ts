/** Languages in which an official MCP client logs in with a key. */
export const AGENT_LANGUAGES = { javaScript: 'JavaScript (Node.js)', python: 'Python' } as const

export type AgentLanguage = keyof typeof AGENT_LANGUAGES

/** Where an agent logs in, and as which client. */
type Login = {
  /** Of this service's MCP server. */
  url: string
  issuer: string
  clientId: string
}

/** A program, with the commands that install its package and start it. */
type Program = { file: string; install: string; start: string; text: string }

/**
 * Writes a program that logs in with the key in agent-key.json and calls a tool. It has no secret. A test
 * runs the one in JavaScript. The one in Python ran by hand with mcp 2.3.0 in November 2026.
 */
export const agentProgramOf = (language: AgentLanguage, login: Login): Program => WRITERS[language](login)

const WRITERS: Record<AgentLanguage, (login: Login) => Program> = {
  javaScript: ({ url, issuer, clientId }) => ({
    file: 'agent.mjs',
    install: 'npm install @modelcontextprotocol/client@2',
    start: 'node agent.mjs',
    text: `import { readFileSync } from 'node:fs'
import { Client, PrivateKeyJwtProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const authProvider = new PrivateKeyJwtProvider({
  clientId: '${clientId}',
  privateKey: JSON.parse(readFileSync('agent-key.json', 'utf8')),
  algorithm: 'EdDSA',
  expectedIssuer: '${issuer}',
})
const client = new Client({ name: 'my-agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL('${url}'), { authProvider }))
const { structuredContent } = await client.callTool({ name: 'list_events', arguments: {} })
console.log(JSON.stringify(structuredContent))
await client.close()
`,
  }),
  python: ({ url, issuer, clientId }) => ({
    file: 'agent.py',
    install: 'pip install "mcp>=2.3,<3"',
    start: 'python agent.py',
    text: `import asyncio
import json

import httpx2
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jwt.algorithms import OKPAlgorithm
from mcp import Client
from mcp.client.auth.extensions.client_credentials import PrivateKeyJWTOAuthProvider, SignedJWTParameters
from mcp.client.streamable_http import streamable_http_client


class Memory:
    """Has the tokens as long as the program runs."""

    tokens = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return None

    async def set_client_info(self, client_info):
        pass


with open("agent-key.json") as file:
    key = OKPAlgorithm.from_jwk(file.read())
signed = SignedJWTParameters(
    issuer="${clientId}",
    subject="${clientId}",
    signing_key=key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
    signing_algorithm="EdDSA",
)
auth = PrivateKeyJWTOAuthProvider(
    server_url="${url}",
    storage=Memory(),
    client_id=signed.issuer,
    assertion_provider=signed.create_assertion_provider(),
    issuer="${issuer}",
)


async def main():
    async with (
        httpx2.AsyncClient(auth=auth) as http,
        Client(streamable_http_client("${url}", http_client=http)) as client,
    ):
        result = await client.call_tool("list_events", {})
        print(json.dumps(result.structured_content))


asyncio.run(main())
`,
  }),
}
