const inFragment = /^#k=([0-9A-HJKMNP-TV-Z]{26})$/i

/** The key that an address carries behind its `#`; null: it has none. */
export const keyOf = (hash: string): string | null => inFragment.exec(hash)?.[1]?.toUpperCase() ?? null

/** Takes the key out of the address, where somebody who passes by would read it and the history of the browser would keep it. */
export function takeKey(): string | null {
  const key = keyOf(location.hash)
  if (location.hash.startsWith('#k=')) history.replaceState(history.state, '', location.pathname + location.search)
  return key
}
