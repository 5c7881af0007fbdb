// SPDX-License-Identifier: MIT
// What the page remembers from one visit to the next. Private windows have no storage: there nothing is remembered.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    /* nothing is remembered */
  }
}
