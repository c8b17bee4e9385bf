// What happens at the service, told as it happens (server-sent events).
const kTypes = ['job', 'change', 'dataset.built', 'model', 'env', 'recommendation', 'notice', 'gap'];

export interface Happened {
  type: string;
  operation?: string;
  line?: string;
  id?: string;
  [field: string]: unknown;
}

type Listener = (event: Happened) => void;

class Events {
  connected = $state(false);
  private source: EventSource | undefined;
  private readonly listeners = new Set<Listener>();

  open(): void {
    if (this.source) return;
    const source = new EventSource('/api/v1/events');
    this.source = source;
    source.onopen = () => {
      this.connected = true;
    };
    source.onerror = () => {
      this.connected = false;
    };
    for (const type of kTypes) {
      source.addEventListener(type, (e) => this.tell(type, (e as MessageEvent<string>).data));
    }
  }
  close(): void {
    this.source?.close();
    this.source = undefined;
    this.connected = false;
  }
  /** Until the function it gives back is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  private tell(type: string, data: string): void {
    let said: object = {};
    try {
      said = JSON.parse(data) as object;
    } catch {
      // an event without readable data still says that something happened
    }
    for (const listener of this.listeners) listener({ ...said, type });
  }
}

export const events = new Events();
