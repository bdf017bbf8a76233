import { PGlite } from '@electric-sql/pglite'
const c0 = process.cpuUsage(); const T=performance.now()
const lap=(l:string)=>{const c=process.cpuUsage(c0);console.log(l.padEnd(14),'cpu',(c.user+c.system)/1e3|0,'wall',performance.now()-T|0,'rss',process.memoryUsage().rss>>20, 'heap', process.memoryUsage().heapUsed>>20,'ext',process.memoryUsage().external>>20)}
lap('0')
const d=PGlite.defaultStartParams
const v:any={base:{}, sb:{startParams:[...d,'-c','shared_buffers=16MB']}, sbim:{initialMemory:64<<20,startParams:[...d,'-c','shared_buffers=16MB','-c','max_connections=10']}}
const db=await PGlite.create('/tmp/plat/data-0Ukn68/pg',v[process.argv[2]!]); lap(process.argv[2]!)
for(let i=0;i<200;i++) await db.query('select $1::int, count(*) from pg_class join pg_attribute on attrelid=pg_class.oid',[i])
lap('queries')
process.exit(0)
