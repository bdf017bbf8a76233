# starts the platform on given data dir, measures until ready, cpu of node, rss
cd /work/w/plat
python3 - "$@" <<'P'
import subprocess,time,os,sys,signal
env=dict(os.environ,PORT='23187',NEON_PORT='23188',SOLANA_RPC_PORT='23190',DATA_DIR='/tmp/plat/dd')
args=['npm','run','--silent','dev','--',*sys.argv[1:]]
t=time.time();p=subprocess.Popen(args,env=env,stdout=subprocess.PIPE,stderr=subprocess.STDOUT,text=True)
for l in p.stdout:
    if 'rate limits' in l: break
    if "can't" in l or 'Error' in l: print(l)
w=time.time()-t
def tree(pid):
    r=[pid]
    for d in os.listdir('/proc'):
        if d.isdigit():
            try:f=open(f'/proc/{d}/stat').read()
            except OSError:continue
            if int(f[f.rindex(')')+2:].split()[1])==pid:r+=tree(int(d))
    return r
tot=0
for q in tree(p.pid):
    s=open(f'/proc/{q}/stat').read();f=s[s.rindex(')')+2:].split()
    cpu=(int(f[11])+int(f[12]))/100;cc=(int(f[13])+int(f[14]))/100;tot+=cpu+cc
    print(q,s[s.index('(')+1:s.rindex(')')],'cpu',cpu,'children',cc,'rss',int(f[21])*4096//2**20)
print('ready after',round(w,2),'cpu',round(tot,2))
time.sleep(3)
for q in tree(p.pid):
    s=open(f'/proc/{q}/stat').read();f=s[s.rindex(')')+2:].split();print('later',s[s.index('(')+1:s.rindex(')')],'rss',int(f[21])*4096//2**20)
p.send_signal(15);p.wait()
P
