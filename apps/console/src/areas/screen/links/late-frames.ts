const stepMs = 1_000
const maxLateMs = 600_000

/** How late this page is at most: a timer that is due each second and comes later says that something held it up. */
export function lateFrames(now: () => number = () => performance.now()) {
  let due = now() + stepMs
  let worst = 0
  const timer = setInterval(() => {
    // A hidden page is slowed down by its browser, and that is nothing wrong.
    if (document.visibilityState === 'visible') worst = Math.max(worst, now() - due)
    due = now() + stepMs
  }, stepMs)
  return {
    /** The worst since it was asked last, in milliseconds. */
    take(): number {
      const was = Math.min(maxLateMs, Math.max(0, Math.round(worst)))
      worst = 0
      return was
    },
    stop: () => clearInterval(timer),
  }
}
