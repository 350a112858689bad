import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transformWithOxc } from 'vite'

/** Writes the service worker into a finished build, with the list of files to keep and a version that changes when any of them does. */
export async function writeWorker(source: string, folder: string): Promise<void> {
  const all = (await readdir(folder, { recursive: true })).map((each) => each.replaceAll('\\', '/')).sort()
  const files = all.filter((each) => /^(assets\/.+|logo\.svg)$/.test(each)).map((each) => `/${each}`)
  const version = createHash('sha256')
  for (const each of ['index.html', ...files]) version.update(each).update(await readFile(join(folder, each)))
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source, { sourcemap: false })
  const head = `const version = '${version.digest('hex').slice(0, 16)}'\nconst files = ${JSON.stringify(files)}\n`
  await writeFile(join(folder, 'sw.js'), head + code)
}
