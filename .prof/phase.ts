// phases of the platform's start
const c0 = process.cpuUsage(); const T=performance.now()
const lap=(l:string)=>{const c=process.cpuUsage(c0);console.log(l.padEnd(14),'cpu',(c.user+c.system)/1e3|0,'wall',performance.now()-T|0,'rss',process.memoryUsage().rss>>20, 'heap', process.memoryUsage().heapUsed>>20,'ext',process.memoryUsage().external>>20, 'ab', process.memoryUsage().arrayBuffers>>20)}
await import('../lib/local/platform.ts'); lap('imports')
const {openDatabase}=await import('../lib/local/database.ts'); const {openPglite}=await import('../lib/local/neon/pglite.ts')
const {buildWorkers}=await import('../lib/local/build.ts'); const {mkdtempSync}=await import('node:fs')
const dir=mkdtempSync('/tmp/plat/data-')
const e=await openPglite(dir+'/pg'); lap('pglite cold')
await e.migrate('migrations'); lap('migrate')
await e.close(); lap('close')
const e2=await openPglite(dir+'/pg'); lap('pglite again')
await e2.migrate('migrations'); lap('migrate again')
const {openEmbeddedSolana}=await import('../lib/local/solana.ts'); const {createClock}=await import('../lib/local/clock.ts')
const clock=createClock()
const s=await openEmbeddedSolana({clock,port:0}); lap('solana')
const workers=await buildWorkers(); lap('build')
const {startWorkers}=await import('../lib/local/workers.ts')
const {generateSessionKeys}=await import('../lib/keys/session.ts')
const bindings:Record<string,string>={...await generateSessionKeys(new Date()),...s.bindings}
for(const n of ['DATABASE_URL','WEBHOOK_SIGNING_KEYS','WEBHOOK_PUBLIC_KEYS'])bindings[n]='postgresql://test:test@db.agentcred.internal/test'
const w=await startWorkers({port:0,clock,onLog:()=>{},bindings,rateLimits:false,outbound:()=>undefined,workers}); lap('workers')
await w.stop(); await s.close(); await e2.close(); lap('stop')
process.exit(0)
