// SPDX-License-Identifier: MIT
// Light or dark: as the system says, or as the user chose.

type Listener = () => void;
const listeners = new Set<Listener>();
const system = matchMedia('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : system.matches;
}

export function onTheme(listener: Listener): void {
  listeners.add(listener);
  listener();
}

export function toggleTheme(): void {
  choose(isDark() ? 'light' : 'dark');
}

function choose(theme: string): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem('theme', theme);
  } catch { /* private windows have no storage */ }
  listeners.forEach(listener => listener());
}

try {
  const kept = localStorage.getItem('theme');
  if (kept) document.documentElement.dataset.theme = kept;
} catch { /* private windows have no storage */ }
system.addEventListener('change', () => listeners.forEach(listener => listener()));

// A colour of the style sheet, as it is now.
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
