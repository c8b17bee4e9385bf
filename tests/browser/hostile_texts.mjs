// Texts that try to become markup, put into every field that takes one and into stored names: none runs.
import { run } from './check.mjs';
import { Client, newPage, password, settled, signIn } from './service.mjs';

const corpus = [
  '<script>window.hurt=1</script>',
  '<img src=x onerror="window.hurt=1">',
  '"><svg onload=window.hurt=1>',
  "'onfocus='window.hurt=1' autofocus='",
  'javascript:window.hurt=1',
  '{{constructor.constructor("window.hurt=1")()}}',
  '${window.hurt=1}',
  '</textarea><script>window.hurt=1</script>',
  '<iframe srcdoc="<script>parent.hurt=1</script>">',
  '<a href="javascript:window.hurt=1">x</a>',
  '\u202e<b onmouseover=window.hurt=1>',
];
const screens = ['lines', 'trends', 'runs', 'recipes', 'specs', 'specs/new', 'notices', 'segments', 'import', 'datasets', 'build', 'train', 'jobs', 'experiments', 'models', 'predict', 'advice', 'requests', 'users', 'tokens', 'audit', 'settings', 'environment'];

/** What can be stored under such a name is: what the service refuses by its rules of names is fine. */
async function store(client) {
  let kept = 0;
  for (const [i, text] of corpus.entries()) {
    const tries = [
      () => client.import({ line: 'hostile', period: '1s', run: `run-${i}` }, `"${text.replaceAll('"', '""')}",b\n1,2\n3,4\n5,6\n`),
      () => client.send('POST', '/lines', { id: `line-${i}`, description: text }),
      () => client.send('POST', '/products', { id: `p-${i}`, line: 'hostile', description: text }),
      () => client.send('POST', '/recipes', { id: `r-${i}`, line: 'hostile', product: `p-${i}`, description: text, reason: text }),
      () => client.send('POST', '/users', { id: `user-${i}`, displayName: text, password, right: ['view'] }),
      () => client.send('POST', '/tokens', { name: text, scope: ['view'] }),
    ];
    for (const one of tries) {
      try {
        await one();
        kept += 1;
      } catch (error) {
        if (!/: 4\d\d /.test(error.message)) throw error;
      }
    }
  }
  return kept;
}

await run('hostile_texts', async ({ service, browser, check }) => {
  const client = new Client(service.url);
  await client.claim(service.token, 'ada', password);
  check((await store(client)) > corpus.length, 'hostile texts are stored');
  const { page, wrong } = await newPage(browser);
  page.on('dialog', (dialog) => dialog.dismiss());
  await page.goto(service.url);
  await signIn(page, 'ada');
  const unhurt = async (where) => check((await page.evaluate(() => window.hurt)) === undefined, `${where}: nothing ran`);

  for (const name of screens) {
    for (const line of ['', 'hostile']) {
      await page.goto(`${service.url}/#/${name}?line=${line}`);
      await settled(page);
    }
    await unhurt(name);
    let fields = 0;
    for (const text of corpus) {
      const inputs = page.locator('main input:not([type=checkbox], [type=file], [type=number]):visible, main textarea:visible');
      const n = Math.min(await inputs.count(), 30);
      for (let i = 0; i < n; i += 1) {
        await inputs.nth(i).fill(text, { timeout: 2000 }).catch(() => undefined);
        fields += 1;
      }
    }
    await page.waitForTimeout(200);
    await unhurt(`${name}, ${fields} texts typed`);
    // The address is a field too.
    await page.goto(`${service.url}/#/${name}/${encodeURIComponent(corpus[1])}?line=${encodeURIComponent(corpus[0])}&tag=${encodeURIComponent(corpus[2])}&from=${encodeURIComponent(corpus[4])}`);
    await page.waitForTimeout(300);
    await unhurt(`${name}, by its address`);
  }
  check(!wrong.some((w) => /Content Security Policy/.test(w)), `the content policy had nothing to refuse ${wrong.filter((w) => /Policy/.test(w)).join('; ')}`);
});
