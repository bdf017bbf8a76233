const c0 = process.cpuUsage(); const T=performance.now()
const lap=(l:string)=>{const c=process.cpuUsage(c0);console.log(l.padEnd(14),'cpu',(c.user+c.system)/1e3|0,'wall',performance.now()-T|0,'rss',process.memoryUsage().rss>>20, 'heap', process.memoryUsage().heapUsed>>20,'ext',process.memoryUsage().external>>20)}
lap('0');const {openPglite}=await import('../lib/local/neon/pglite.ts');lap('import')
const e=await openPglite('/tmp/plat/data-0Ukn68/pg'); lap('pglite again'); await e.run([{query:'select count(*) from agents',params:[]}]);lap('query'); await e.migrate('migrations'); lap('migrate')
process.exit(0)
