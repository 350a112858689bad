import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { auditPages, auditTargets, reaches } from './lighthouse.ts'
import { report } from './report.ts'

const kib = 1_024
/** Brotli KiB of JavaScript: all that a cold login loads, and what a page behind it adds. */
const targets = { loginKib: 120, pageKib: 170, ...auditTargets }

interface Chunk {
  readonly file: string
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

/** How much JavaScript each page of the built console loads, and what Lighthouse (desktop) says about login and live page. */
export async function bundle(options: { rounds?: number }): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile('apps/console/dist/.vite/manifest.json', 'utf8'))
  const sizes = new Map<string, number>()
  for (const { file } of Object.values(manifest))
    if (file.endsWith('.js')) sizes.set(file, brotliCompressSync(await readFile(join('apps/console/dist', file))).length)
  const weightOf = (files: ReadonlySet<string>): number => {
    const bytes = [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
    return Math.round((bytes / kib) * 10) / 10
  }
  const login = new Set([...graphOf(manifest, 'index.html'), ...graphOf(manifest, 'src/areas/account/login-page.tsx')])
  const frame = new Set([...graphOf(manifest, 'src/frame/guard.tsx'), ...graphOf(manifest, 'src/frame/shell.tsx')])
  // A page counts with the frame around it; what a page loads on demand (charts) counts what it adds to that page.
  const pagesKib: Record<string, number> = {}
  const onDemandKib: Record<string, number> = {}
  for (const [source, { isDynamicEntry }] of Object.entries(manifest)) {
    if (!isDynamicEntry || !source.startsWith('src/areas/') || source.endsWith('login-page.tsx')) continue
    const isPage = source.endsWith('-page.tsx')
    const asker = Object.keys(manifest).find((each) => each !== 'index.html' && manifest[each]?.dynamicImports?.includes(source))
    const there = isPage || !asker ? login : new Set([...login, ...frame, ...graphOf(manifest, asker)])
    const asked = isPage ? [...frame, ...graphOf(manifest, source)] : [...graphOf(manifest, source)]
    const added = new Set(asked.filter((file) => !there.has(file)))
    const name = source.replace(/^src\/areas\/|\.tsx$/g, '')
    if (isPage) pagesKib[name] = weightOf(added)
    else onDemandKib[name] = weightOf(added)
  }
  const loginKib = weightOf(login)
  const heaviest = Math.max(...Object.values(pagesKib), ...Object.values(onDemandKib))
  const { audits, benchmarkIndex } = await auditPages(options.rounds ?? 3)
  report('bundle', {
    loginKib,
    pagesKib,
    onDemandKib,
    audits,
    benchmarkIndex,
    targets,
    verdict: loginKib <= targets.loginKib && heaviest <= targets.pageKib && Object.values(audits).every(reaches),
  })
}

/** The files of a chunk and of all it imports statically. */
function graphOf(manifest: Manifest, source: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[source]
  if (!chunk) throw new Error(`the build has no ${source}`)
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const each of chunk.imports ?? []) graphOf(manifest, each, files)
  return files
}
