let playing: HTMLAudioElement | null = null
let lastAt = 0

/** Sounds closer together than this are one: a flood of alarms must not become a siren nobody can stop. */
const apartMs = 3_000

/**
 * Plays one of the console's own sounds. Browsers allow sound only after a person has touched the page; until then it stays silent, and
 * the pop-up alone must do.
 */
export function play(url: string): void {
  const now = performance.now()
  if (!navigator.userActivation.hasBeenActive || (lastAt !== 0 && now - lastAt < apartMs)) return
  lastAt = now
  playing?.pause()
  playing = new Audio(url)
  void playing.play().catch(() => {})
}
