import { readFileSync, writeFileSync } from 'node:fs';
import { launchChromium } from '/tmp/w/s3/scripts/chromium.ts';
import { pdfOf, onePagePdf } from '/tmp/w/s3/scripts/pdf.ts';
const demo = JSON.parse(readFileSync('/tmp/w/s3/.wrangler/demo.json','utf8'));
const text = readFileSync('/tmp/w/s3-start.log','utf8');
const key = /Integration key\s+(\S+)/.exec(text)![1];
import { post } from '/tmp/w/s3/scripts/http.ts';
const submit = async (ref: string, pdf: Buffer, name='Erika Mustermann') => {
  const r = await post('http://loewen.localhost:8931/api/v1/external-order', { apikey: key, 'Content-Type':'application/json' }, JSON.stringify({ external_reference: ref, source:'telemed.example', payload: { customer_name: name, customer_email:'e@example.com', address_street:'Heidestraße 17', address_postal_code:'51147', address_city:'Köln', shipping_option:'Abholung', payment_status:'cash_on_pickup', items:[{name:'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id:'P1-10001', quantity:2, price:4.95}, {name:'Amoxicillin', p1_id:'P1-10057', quantity:1, price: 12}], prescription_pdf_base64: pdf.toString('base64') } }));
  const j = JSON.parse((r as any).text ?? (r as any).body) as any; if (!j.id) console.log(ref, JSON.stringify(j)); return j.id as string;
};
const HEX='a5'.repeat(32);
const locked = Buffer.from(onePagePdf('x').toString('latin1').replace('trailer<<', `trailer<</Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -44/O<${HEX}>/U<${HEX}>>>/ID[<${HEX}><${HEX}>]`),'latin1');
const run = Date.now();
const S='/work/shared/signed-pdfs/';
const arg = process.argv[2] ?? '';
const sample = (n: string) => readFileSync(S+n);
const ids: Record<string,string> = {};
ids.three = await submit(`t3-${run}`, pdfOf([['Seite eins'],['Seite zwei'],['Seite drei']]));
ids.locked = await submit(`lk-${run}`, locked);
ids.damaged = await submit(`dm-${run}`, Buffer.from('%PDF-1.7\nhello nothing /Type/Page\n%%EOF\n'));
ids.sample = await submit(`sm-${run}`, sample(process.argv[3] ?? 'dss-DSS-1983.pdf'));
ids.again = await submit(`sm2-${run}`, sample(process.argv[3] ?? 'dss-DSS-1983.pdf'), 'Max Zweiter');
ids.forty = await submit(`40-${run}`, pdfOf(Array.from({length:40},(_, i)=>[`Seite ${i+1}`])));
console.log(ids); if (!ids.three) process.exit(1);
const browser = await launchChromium();
for (const [w,h,scheme] of [[1440,900,'light'],[1024,640,'dark'],[360,740,'light']] as const) {
  const context = await browser.newContext({ viewport:{width:w,height:h}, colorScheme: scheme, deviceScaleFactor: w===360?2:1, hasTouch: w===360 });
  const page = await context.newPage(); page.setDefaultTimeout(8000);
  page.on('console', m => console.log('console', w, m.type(), m.text().slice(0,200)));
  page.on('pageerror', e => console.log('pageerror', e.message));
  page.on('download', () => console.log('DOWNLOAD!'));
  page.on('requestfailed', r => console.log('failed', r.url(), r.failure()?.errorText));
  await page.goto('http://localhost:8931/manage');
  await page.fill('[name=email]', 'apotheker@loewen.example'); await page.fill('[name=password]', 'loewen-am-markt'); await page.keyboard.press('Enter');
  await page.waitForURL(/manage\/(?!sign)/).catch(()=>{});
  for (const name of ['three','locked','damaged','sample','again','forty']) {
    if (arg && arg !== 'all' && !arg.split(',').includes(name)) continue;
    const t=Date.now();
    await page.goto(`http://localhost:8931/manage/requests/${ids[name]}`);
    await page.waitForTimeout(1800);
    if (w === 360) { await page.locator('.rx-pane').scrollIntoViewIfNeeded().catch(()=>{}); await page.evaluate(() => document.querySelector('.rx-pane')?.scrollIntoView()); await page.waitForTimeout(1800); }
    await page.screenshot({ path: `/tmp/w/s3-shot-${name}-${w}.png` });
    console.log(name, w, await page.locator('.pdf iframe').evaluate((f: any)=>f.dataset.viewed + ' h=' + f.offsetHeight).catch(e=>String(e).slice(0,100)));
  }
  await context.close();
}
await browser.close();
