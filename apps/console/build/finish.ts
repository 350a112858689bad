import { join } from 'node:path'
import type { Plugin } from 'vite'
import { precompress } from './precompress.ts'
import { writeWorker } from './write-worker.ts'

/** What is done to the finished build: the service worker that knows its files, then compressed copies of everything. */
export function finish(): Plugin {
  let root = ''
  let folder = ''
  return {
    name: 'linewarden:finish',
    apply: 'build',
    configResolved(config) {
      root = config.root
      folder = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      await writeWorker(join(root, 'worker/sw.ts'), folder)
      await precompress(folder)
    },
  }
}
