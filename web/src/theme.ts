// SPDX-License-Identifier: MIT
// Light or dark: as the system says, or as the user chose.
import { keep, kept } from './storage';

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
  keep('theme', theme);
  listeners.forEach(listener => listener());
}

const before = kept('theme');
if (before) document.documentElement.dataset.theme = before;
system.addEventListener('change', () => listeners.forEach(listener => listener()));

// A colour of the style sheet, as it is now.
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
