// A service on an empty folder of its own, and a browser that looks at it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const { chromium } = createRequire(join(root, 'ui/package.json'))('playwright-core');

/** Starts `program serve`; gives its address, the token of the first start, and how to end it. */
export async function startService(program) {
  const data = mkdtempSync(join(tmpdir(), 'flyball-browser-'));
  const child = spawn(program, ['--data', data, 'serve', '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const link = await new Promise((resolve, reject) => {
    const hear = (bytes) => {
      said += bytes;
      const found = /(http:\/\/[\d.:]+)\/#setup=([0-9a-f]+)/.exec(said);
      if (found) resolve({ url: found[1], token: found[2] });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`the service ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`the service said nothing: ${said}`)), 10_000).unref();
  });
  child.removeAllListeners('exit');
  const stop = async () => {
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(late);
    rmSync(data, { recursive: true, force: true });
  };
  return { ...link, data, stop };
}

export async function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
}

/** A page that remembers what went wrong in it: errors, and what the content policy refused. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: 'en', ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // A refused request is an answer that the page shows; the browser logs it too.
    if (message.type() === 'error' && !/Failed to load resource/.test(text)) wrong.push(text);
  });
  return { page, wrong };
}

/** The service without a browser, signed in by the cookie of a session. */
export class Client {
  constructor(url) {
    this.url = url;
    this.cookie = '';
    this.csrf = '';
  }
  async send(method, path, body, type = 'application/json') {
    const headers = { Cookie: this.cookie, 'X-CSRF-Token': this.csrf, Accept: 'application/json' };
    if (body !== undefined) headers['Content-Type'] = type;
    const text = body === undefined || type !== 'application/json' ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}/api/v1${path}`, { method, headers, body: text });
    const answer = response.status === 204 ? {} : await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.code} ${answer.detail} ${JSON.stringify(answer.errors)}`);
    const cookie = response.headers.get('set-cookie');
    if (cookie) this.cookie = cookie.split(';')[0];
    return answer;
  }
  async claim(token, user, password) {
    this.csrf = (await this.send('POST', '/setup', { token, user, password })).csrf;
  }
  async signIn(user, password) {
    this.csrf = (await this.send('POST', '/session', { user, password })).csrf;
  }
  import(query, text) {
    return this.send('POST', `/imports?${new URLSearchParams(query)}`, text, 'application/octet-stream');
  }
}

export const password = 'a sentence that only we know';

export async function signIn(page, user) {
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
}

/** Until nothing is loading any more. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main && !/Loading …|加载中/.test(main.textContent ?? '');
  }, undefined, { timeout: 15_000 });
  await page.waitForTimeout(250);
}

/** The box of an element once it is drawn and has stood still: a chart is drawn anew when its data come. */
export async function atRest(element) {
  let before = '';
  for (let i = 0; i < 100; i++) {
    const box = await element.boundingBox().catch(() => null);
    const now = JSON.stringify(box);
    if (box && now === before) return box;
    before = now;
    await element.page().waitForTimeout(100);
  }
  throw new Error(`an element that does not come to rest: ${element}`);
}
