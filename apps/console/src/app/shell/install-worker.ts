/**
 * Installs the service worker of a built console, once the page has loaded: first what the person waits for. Browsers have none on plain
 * HTTP away from localhost; the console then works as before, but does not open without the server.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  })
}
