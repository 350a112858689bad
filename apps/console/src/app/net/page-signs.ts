interface Listener {
  /** Seen again, or the machine says that there is a network. */
  readonly wake: () => void
  /** The machine says that there is none. */
  readonly lose: () => void
}

/** Tells what the browser says of the page and of the network, until what is returned is called. */
export function watchPage({ wake, lose }: Listener): () => void {
  const wakeIfSeen = () => {
    if (!document.hidden) wake()
  }
  document.addEventListener('visibilitychange', wakeIfSeen)
  addEventListener('online', wake)
  addEventListener('offline', lose)
  return () => {
    document.removeEventListener('visibilitychange', wakeIfSeen)
    removeEventListener('online', wake)
    removeEventListener('offline', lose)
  }
}
