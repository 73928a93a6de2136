/**
 * The page's script: the pointer and arrow keys select lines and highlight the matching lines of the other text; strips
 * are drawn when they are unfolded, with a cursor for both.
 */
export const script = `
const all=(what,where=document)=>[...where.querySelectorAll(what)];
const panes=all('.code');
for(const pane of panes){
  const read=pane.parentNode.querySelector('.read');
  let at;
  const choose=row=>{
    for(const other of all('.on,.same'))other.classList.remove('on','same'),other.removeAttribute('aria-selected');
    at=row;row.classList.add('on');row.setAttribute('aria-selected','true');row.id||(row.id='l'+Math.random().toString(36).slice(2));
    pane.setAttribute('aria-activedescendant',row.id);
    row.scrollIntoView({block:'nearest'});
    read.textContent=row.title||'not executed';
    if(!row.dataset.s)return;
    for(const other of panes){
      const same=all('.l[data-s="'+row.dataset.s+'"]',other).filter(each=>each!==row);
      for(const each of same)each.classList.add('same');
      if(other!==pane&&same[0])other.scrollTop=same[0].offsetTop-other.clientHeight/3;
    }
  };
  pane.onclick=event=>{const row=event.target.closest('.l');if(row)choose(row)};
  pane.onkeydown=event=>{
    const rows=all('.x',pane).filter(row=>row.offsetParent);
    const now=rows.indexOf(at);
    const next={ArrowDown:now+1,ArrowUp:Math.max(0,now-1),Home:0,End:rows.length-1,PageDown:now+15,PageUp:Math.max(0,now-15)}[event.key];
    if(next===undefined||rows.length===0)return;
    event.preventDefault();
    choose(rows[Math.min(next,rows.length-1)]);
  };
}
const data=JSON.parse(document.getElementById('data').textContent);
const places=new Map(data.places.map(([pc,text,barrier])=>[pc,{text,barrier}]));
const LANE=4,ROW=9,GAP=5,HIGH=32*LANE+2*(ROW+GAP);
const dark=matchMedia('(prefers-color-scheme: dark)');
const ranges=mask=>{
  const found=[];
  for(let lane=0;lane<32;lane++){
    if(!(mask>>>lane&1))continue;
    const from=lane;
    while(lane<31&&mask>>>(lane+1)&1)lane++;
    found.push(from===lane?from:from+'-'+lane);
  }
  return found.join(',')||'none';
};
const draw=(canvas,cursor)=>{
  const steps=data.strips[canvas.dataset.w];
  const room=canvas.parentNode.clientWidth;
  const wide=Math.max(4,Math.min(14,Math.floor(room/steps.length)));
  const ratio=Math.min(2,devicePixelRatio||1);
  canvas.wide=wide;
  canvas.width=steps.length*wide*ratio;canvas.height=HIGH*ratio;
  canvas.style.width=steps.length*wide+'px';canvas.style.height=HIGH+'px';
  const pen=canvas.getContext('2d');
  pen.scale(ratio,ratio);
  const css=getComputedStyle(document.documentElement);
  const colour=name=>css.getPropertyValue('--'+name).trim();
  const kinds=[colour('good'),colour('warn'),colour('bad')];
  const kind=(took,least)=>kinds[took<=least?0:took<4*least?1:2];
  steps.forEach(([pc,active,taken,touched=0,fewest=0,parts=0,passes=0],step)=>{
    const x=step*wide,width=Math.max(1,wide-1);
    pen.fillStyle='hsl('+(190+170*pc/data.size)+' 65% '+(dark.matches?62:46)+'%)';
    for(let lane=0;lane<32;lane++){
      if(!(active>>>lane&1))continue;
      pen.globalAlpha=taken>>>lane&1?1:.25;
      pen.fillRect(x,lane*LANE,width,LANE-.5);
    }
    pen.globalAlpha=1;
    if(touched){pen.fillStyle=kind(touched,fewest);pen.fillRect(x,32*LANE+GAP,width,ROW)}
    if(parts){pen.fillStyle=kind(passes,parts);pen.fillRect(x,32*LANE+2*GAP+ROW,width,ROW)}
    if(places.get(pc).barrier){pen.fillStyle=colour('fg');pen.fillRect(x+width/2-1,0,2,HIGH)}
  });
  if(cursor>=0){pen.strokeStyle=colour('fg');pen.lineWidth=1.5;pen.strokeRect(cursor*wide-.5,.5,wide,HIGH-1)}
};
const show=(canvas,step)=>{
  const steps=data.strips[canvas.dataset.w];
  const at=Math.max(0,Math.min(steps.length-1,step));
  if(canvas.at===at)return;
  canvas.at=at;
  draw(canvas,at);
  const [pc,active,taken,touched=0,fewest=0,parts=0,passes=0]=steps[at];
  let text='step '+(at+1)+', '+places.get(pc).text+' \\u2014 lanes '+ranges(active);
  if(taken!==active)text+=', past the guard '+ranges(taken);
  if(touched)text+='; '+touched+' sectors, '+fewest+' would do';
  if(parts)text+='; '+passes+(passes===1?' pass':' passes')+' through the banks, '+parts+' would do';
  canvas.closest('.w').querySelector('.read').textContent=text;
  canvas.setAttribute('aria-valuenow',at+1);
  canvas.setAttribute('aria-valuetext',text);
};
const keep=(canvas)=>{const box=canvas.parentNode,x=canvas.at*canvas.wide;if(x<box.scrollLeft||x>box.scrollLeft+box.clientWidth-20)box.scrollLeft=x-box.clientWidth/2};
for(const canvas of all('canvas')){
  const strip=canvas.closest('.w');
  const first=()=>strip.open&&draw(canvas,canvas.at??-1);
  strip.ontoggle=first;
  canvas.onpointermove=canvas.onpointerdown=event=>show(canvas,Math.floor(event.offsetX/canvas.wide));
  canvas.onkeydown=event=>{
    const now=canvas.at??-1;
    const next={ArrowRight:now+1,ArrowLeft:now-1,Home:0,End:1e9,PageDown:now+25,PageUp:now-25}[event.key];
    if(next===undefined)return;
    event.preventDefault();
    show(canvas,next);
    keep(canvas);
  };
  addEventListener('resize',first);
  dark.addEventListener('change',first);
  first();
}
`;
