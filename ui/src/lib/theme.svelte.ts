export type Theme = 'system' | 'light' | 'dark';

function kept(): Theme {
  const value = localStorage.getItem('flyball.theme');
  return value === 'light' || value === 'dark' ? value : 'system';
}

const dark = matchMedia('(prefers-color-scheme: dark)');

class Look {
  theme = $state<Theme>(kept());
  /** Changes whenever the colours do: what draws on a canvas draws anew. */
  version = $state(0);

  constructor() {
    dark.addEventListener('change', () => this.apply());
    this.apply();
  }
  set(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem('flyball.theme', theme);
    this.apply();
  }
  private apply(): void {
    const shown = this.theme === 'system' ? (dark.matches ? 'dark' : 'light') : this.theme;
    document.documentElement.dataset.theme = shown;
    this.version += 1;
  }
}

export const look = new Look();

/** A colour of the sheet, for a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
