import { credentials, json, send } from './api.ts';
import { operations, type Operation } from './api-types.ts';

export interface User {
  user: string;
  kind: string;
  rights: string[];
  lines: Record<string, string>;
  allLines: string;
  fresh: boolean;
}

class Session {
  state = $state<'unknown' | 'setup' | 'out' | 'in'>('unknown');
  user = $state.raw<User>();
  ended = $state(false);

  constructor() {
    credentials.over = () => {
      if (this.state !== 'in') return;
      this.ended = true;
      this.leave();
    };
  }

  async start(): Promise<void> {
    const setup = (await (await send('GET', '/setup')).json()) as { needed: boolean };
    if (setup.needed) {
      this.state = 'setup';
      return;
    }
    try {
      await this.read();
    } catch {
      this.leave();
    }
  }

  async claim(token: string, user: string, displayName: string, password: string): Promise<void> {
    await this.enter('/setup', { token, user, displayName, password });
  }
  async signIn(user: string, password: string): Promise<void> {
    await this.enter('/session', { user, password });
  }
  /** Approvals want a sign-in that is fresh. */
  async confirm(password: string): Promise<void> {
    await send('POST', '/session/confirm', json({ password }));
    await this.read();
  }
  async signOut(): Promise<void> {
    await send('DELETE', '/session').catch(() => undefined);
    this.ended = false;
    this.leave();
  }

  may(operation: Operation): boolean {
    return this.user?.rights.includes(operations[operation][2]) ?? false;
  }

  private async enter(url: string, body: unknown): Promise<void> {
    const answer = (await (await send('POST', url, json(body))).json()) as { csrf: string };
    credentials.csrf = answer.csrf;
    this.ended = false;
    await this.read();
  }
  private async read(): Promise<void> {
    const answer = (await (await send('GET', '/session')).json()) as User & { csrf?: string };
    if (answer.csrf) credentials.csrf = answer.csrf;
    this.user = answer;
    this.state = 'in';
  }
  private leave(): void {
    credentials.csrf = '';
    this.user = undefined;
    this.state = 'out';
  }
}

export const session = new Session();
