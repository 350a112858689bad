const key = 'linewarden.signon'

/** What this tab goes to the organisation's provider with, and comes back to: a ticket that was begun elsewhere opens nothing here. */
export function signOnBind(): string {
  const kept = sessionStorage.getItem(key)
  if (kept !== null) return kept
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const made = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  sessionStorage.setItem(key, made)
  return made
}

/** Takes it out, because it is good for one way there and back; null when this tab did not go. */
export function takeSignOnBind(): string | null {
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return kept
}
