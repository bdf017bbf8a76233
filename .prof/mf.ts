import { buildWorkers } from '../lib/local/build.ts'
import { startWorkers } from '../lib/local/workers.ts'
import { createClock } from '../lib/local/clock.ts'
import { generateSessionKeys } from '../lib/keys/session.ts'
const cpu=(label:string,c0=process.cpuUsage(),t0=performance.now())=>()=>{const c=process.cpuUsage(c0);console.log(label.padEnd(12),'cpu',(c.user+c.system)/1e3|0,'wall',performance.now()-t0|0,'rss',process.memoryUsage().rss>>20)}
console.log('rss',process.memoryUsage().rss>>20, process.cpuUsage())
let e=cpu('build');const workers=await buildWorkers();e()
e=cpu('build');await buildWorkers();e()
console.log(workers.map(v=>v.group+' '+v.script.length).join(', '))
const bindings:Record<string,string>={...await generateSessionKeys(new Date())}
for(const n of ['DATABASE_URL','SOLANA_RPC_URL','VAULT_AUTHORITY_KEYS','WEBHOOK_SIGNING_KEYS','WEBHOOK_PUBLIC_KEYS','VAULT_MINT'])bindings[n]='postgresql://test:test@db.agentcred.internal/test'
for(let i=0;i<3;i++){
e=cpu('start');const clock=createClock();const w=await startWorkers({port:0,clock,onLog:console.log,bindings,rateLimits:false,outbound:()=>undefined,workers});e()
if(i==0){const {execSync}=await import('node:child_process');console.log(execSync(`for p in $(pgrep -P ${process.pid} workerd); do cat /proc/$p/stat | cut -d' ' -f14,15; done`).toString())}
e=cpu('travel');await clock.travelTo(Date.now()+86400000);e()
e=cpu('travel');for(let i=0;i<50;i++)await clock.travelTo(clock.now()+86400000);e()
const r=await fetch(w.url.origin+'/v1/auth/handshake');console.log(r.status,(await r.text()).slice(0,200))
e=cpu('stop');await w.stop();e()}
