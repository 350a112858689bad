import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/**
 * Serves the built console; any address that is no file is the console's own and gets its page. One that ends as the name of a file does is
 * the console's own where a browser goes there, which asks for a page: it says that there is none.
 */
export async function mountConsole(
  app: FastifyInstance,
  folder: string,
): Promise<(path: string, accept: string | undefined) => boolean> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send('The console is not built yet. Run: npm run build\n控制台尚未构建，请运行：npm run build\n'),
    )
    return () => false
  }
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: ['index.html'],
    // The build lays brotli and gzip copies beside its files.
    preCompressed: true,
    cacheControl: false,
    setHeaders(response, path) {
      // Built files carry a hash in their name; the page itself must be asked for anew, or an update would never arrive.
      response.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (path, accept) => !path.startsWith('/api/') && (!/\.[a-z0-9]+$/i.test(path) || accept?.includes('text/html') === true)
}
