// The service worker: the console opens without the server and says so. It keeps the page and its built files, nothing that the server
// answers: a value from a cache would look live and not be. The build puts `version` and `files` before this text.
declare const self: ServiceWorkerGlobalScope
declare const version: string
declare const files: readonly string[]

const prefix = 'linewarden-'
const present = prefix + version
/** A server that does not answer by then is not there: the page itself says so and keeps trying. */
const maxWaitMs = 4_000

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(present).then((cache) => cache.addAll(['/index.html', ...files])))
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(forgetOld().then(() => self.clients.claim())))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(builtFile(request))
  else if (files.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)))
})

/** The server's page, so that an update is there with the next navigation; without a server the kept one. */
async function page(request: Request): Promise<Response> {
  try {
    const reply = await fetch(request, { signal: AbortSignal.timeout(maxWaitMs) })
    return reply.status < 500 ? reply : await kept('/index.html')
  } catch {
    return kept('/index.html')
  }
}

/** Built files carry their content's hash in their name: the kept one is the right one, of whatever version the page is. */
const builtFile = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request)

async function kept(pathname: string): Promise<Response> {
  const cache = await caches.open(present)
  return (await cache.match(pathname)) ?? Response.error()
}

/** Pages that are open still ask for files of the version before: that one stays, older ones go. Keys are in the order of their making. */
async function forgetOld(): Promise<void> {
  const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== present)
  await Promise.all(others.slice(0, -1).map((key) => caches.delete(key)))
}
