/**
 * So long after somebody last touched the page they count as being at it: longer than its polls take to come round, so that one of them tells
 * the server, and short against the time after which a session ends.
 */
const activeForMs = 60_000

let touchedAt = Number.NEGATIVE_INFINITY

for (const touch of ['pointerdown', 'keydown', 'wheel', 'click', 'input'] as const)
  addEventListener(
    touch,
    ({ isTrusted }) => {
      if (isTrusted) touchedAt = performance.now()
    },
    { capture: true, passive: true },
  )

let lastSeen = ''

// Browsers also report a movement where the page moved under a pointer that lies still: its place on the screen tells.
addEventListener(
  'pointermove',
  ({ isTrusted, screenX, screenY }) => {
    const seen = `${screenX} ${screenY}`
    if (isTrusted && lastSeen !== '' && seen !== lastSeen) touchedAt = performance.now()
    lastSeen = seen
  },
  { capture: true, passive: true },
)

/** Whether somebody is at this page, or it only asks by itself. */
export const isUserActive = (): boolean => performance.now() - touchedAt < activeForMs

/** What somebody started goes on by itself, and takes its time: it counts as their being here. */
export function keepUserActive(): void {
  touchedAt = performance.now()
}
