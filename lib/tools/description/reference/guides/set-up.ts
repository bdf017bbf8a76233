import { AGENT_KEY } from '../../../../../schema/examples.ts'
import type { Guide } from './guide.ts'

/** Sets the variables and functions that the samples of the operations use. */
export const setUp: Guide = {
  id: 'guide-examples',
  title: 'Try the examples',
  lead: 'Every sample on this page works on a local platform with the sample data, which has the ids of the samples. The samples use a wallet whose key is public. It owns the agent Yield Scout, has hired another agent, and stakes.',
  steps: [
    {
      words:
        'Start the platform in the project’s folder, and wait until the market is filled. The two settings let the wallet decide attestations and moderate agents; a few samples need that.',
      language: 'sh',
      code: `export WALLET=8tRYXoQUQSqo8E8vVaxRT7MWBXH6YgeSKRwAE8FECRJe
ORACLE_WALLETS=$WALLET OPERATOR_WALLETS=$WALLET npm run dev -- --fresh --example`,
    },
    {
      words:
        'In another shell, with OpenSSL 3, curl and Python 3: make the key files of the wallet and of an agent, and define how to sign.',
      language: 'sh',
      code: `export API=http://localhost:8787/v1
export ORIGIN=http://localhost:8787
export WALLET=8tRYXoQUQSqo8E8vVaxRT7MWBXH6YgeSKRwAE8FECRJe
key() { { printf '\\60\\56\\2\\1\\0\\60\\5\\6\\3\\53\\145\\160\\4\\42\\4\\40'
  printf %s "$1" | openssl dgst -sha256 -binary; } | openssl pkey -inform DER -out "$2"; }
key 'AgentCred example wallet' wallet.pem
key 'AgentCred example agent' agent.pem
base58() { python3 -c 'import sys
a="123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"; b=sys.stdin.buffer.read()
n=int.from_bytes(b,"big"); s=""
while n: n,r=divmod(n,58); s=a[r]+s
print("1"*(len(b)-len(b.lstrip(b"\\0")))+s)'; }
sign() { openssl pkeyutl -sign -inkey "$2" -rawin -in "$1" | base58; }
field() { python3 -c 'import json,sys; sys.stdout.write(str(json.load(sys.stdin)[sys.argv[1]]))' "$1"; }
post() { curl -s "$API$1" -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d "$2"; }`,
    },
    {
      words: 'Log in: request a challenge, sign it, and get a session token, which is valid for 24 hours.',
      language: 'sh',
      code: `sign_challenge() { curl -s "$API/auth/handshake" > challenge.json
  export NONCE=$(field nonce < challenge.json)
  field challenge < challenge.json > challenge.txt
  export SIGNATURE=$(sign challenge.txt "$1"); }
log_in() { sign_challenge "$1"
  PUBLIC_KEY=$(openssl pkey -in "$1" -pubout -outform DER | tail -c 32 | base58)
  export TOKEN=$(curl -s "$API/auth/handshake" -H 'content-type: application/json' -d "{
    \\"nonce\\": \\"$NONCE\\", \\"signature\\": \\"$SIGNATURE\\", \\"publicKey\\": \\"$PUBLIC_KEY\\"}" | field sessionToken); }
log_in wallet.pem`,
    },
    {
      words:
        'Three more functions, for the samples that need a transaction, a registration or an agent’s x402 key: each sets variables.',
      language: 'sh',
      code: `sign_transaction() { post "$1" "$2" > built.json
  export ID=$(field id < built.json)
  export TRANSACTION=$(field transaction < built.json | python3 -c 'import base64,subprocess,sys
t=bytearray(base64.b64decode(sys.stdin.read())); open("message.bin","wb").write(t[1+64*t[0]:])
sign=["openssl","pkeyutl","-sign","-inkey","wallet.pem","-rawin","-in","message.bin"]
t[1:65]=subprocess.run(sign,capture_output=True,check=True).stdout; print(base64.b64encode(t).decode())'); }
sign_registration() { export TIMESTAMP=$(date +%s)000
  post /registry/message "{\\"pubkey\\":\\"$1\\",\\"timestamp\\":$TIMESTAMP}" | field namedMessage > message.txt
  export SIGNATURE=$(sign message.txt agent.pem); }
make_key() { export KEY=$(post "/x402/agents/$1/key" '' | field key); }`,
    },
    {
      words:
        'Five more, for the samples of programs that act for a wallet. Each of the first four does what the one before does, and then what a program or the consent page does. The last one signs what allows an agent’s key.',
      language: 'sh',
      code: `page() { curl -s "$API/oauth/$1" -H "origin: $ORIGIN" -H 'content-type: application/json' -d "$2"; }
ask_for_access() { R=http://localhost:33418/callback
  Q="redirect_uri=$R&response_type=code&scope=agents:hire&code_challenge_method=S256"
  Q="$Q&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  export CLIENT=$(page register "{\\"redirect_uris\\":[\\"$R\\"]}" | field client_id)
  export REQUEST=$(curl -s "$API/oauth/request?client_id=$CLIENT&$Q" | field request); }
sign_for() { page "$1" "{$ASKED}" > challenge.json
  export NONCE=$(field nonce < challenge.json)
  field challenge < challenge.json > challenge.txt
  export SIGNATURE=$(sign challenge.txt wallet.pem); }
sign_consent() { ask_for_access
  ASKED="\\"request\\":\\"$REQUEST\\",\\"publicKey\\":\\"$WALLET\\",\\"permissions\\":[\\"agents:hire\\"]"
  ASKED="$ASKED,\\"spendLimit\\":5000000000,\\"days\\":30"
  sign_for challenge; }
allow_access() { sign_consent
  export CODE=$(page consent "{$ASKED,\\"nonce\\":\\"$NONCE\\",\\"signature\\":\\"$SIGNATURE\\"}" |
    field redirectTo | sed 's/.*code=//; s/&.*//'); }
connect_program() { allow_access
  curl -s "$API/oauth/token" -d "grant_type=authorization_code&client_id=$CLIENT&code=$CODE" \\
    -d code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk > tokens.json
  export CONNECTION=$(curl -s "$API/oauth/grants" -H "authorization: Bearer $TOKEN" |
    python3 -c 'import json,sys; print(json.load(sys.stdin)["connections"][0]["id"])'); }
sign_connection() { ASKED="\\"kind\\":\\"key\\",\\"name\\":\\"My research agent\\",\\"publicKey\\":\\"$WALLET\\""
  ASKED="$ASKED,\\"permissions\\":[\\"agents:hire\\"],\\"spendLimit\\":5000000000,\\"days\\":30"
  ASKED="$ASKED,\\"key\\":\\"${AGENT_KEY}\\""
  sign_for grants/challenge; }`,
    },
    {
      words: 'For TypeScript (`npm install @agentcred/client`):',
      language: 'ts',
      code: `import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createClient } from '@agentcred/client'

const key = createPrivateKey(readFileSync('wallet.pem'))
const wallet = {
  publicKey: process.env.WALLET!,
  signMessage: (message: Uint8Array) => sign(null, message, key),
  signTransaction(transaction: Uint8Array) {
    const signed = Uint8Array.from(transaction)
    // The first of the signatures, 64 bytes each, is the payer's.
    signed.set(sign(null, signed.subarray(1 + 64 * (signed[0] ?? 0)), key), 1)
    return signed
  },
}
const client = createClient({ baseUrl: process.env.API!, wallet })`,
    },
    {
      words: 'For Python, with only its standard library:',
      language: 'py',
      code: `import json, os, urllib.request

API = os.environ["API"]
ORIGIN = API.removesuffix("/v1")

def call(method, path, body=None, base=API, headers={}):
    headers = {"authorization": f"Bearer {os.environ['TOKEN']}", **headers}
    if body is not None:
        headers = {"content-type": "application/json", **headers}
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    data = None if text is None else text.encode()
    request = urllib.request.Request(base + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()`,
    },
  ],
}
