import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from './report.ts'

const targets = { refusedShare: 1, minutes: 5 }

/** One test of the sweep, which says how many calls it made; one that is no sweep made none. */
interface Swept {
  readonly title: string
  readonly meta: { readonly attempts?: number; readonly wrong?: number }
  readonly failureMessages: readonly string[]
}

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly Swept[] }[]
}

/** The walk over every call of the contract by everybody who may not make it, as the tests make it, timed. Each fact is one refusal. */
export async function authorisation(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'linewarden-authorisation-'))
  const file = join(scratch, 'results.json')
  const calibrator = hashesPerSecond()
  const began = performance.now()
  spawnSync('vitest', ['run', 'tests/stack/http/sweep.test.ts', '--reporter=json', `--outputFile=${file}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results
  rmSync(scratch, { recursive: true })
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const attempts = all.reduce((sum, { meta }) => sum + (meta.attempts ?? 0), 0)
  const refused = attempts - all.reduce((sum, { meta }) => sum + (meta.wrong ?? 0), 0)
  for (const { title, failureMessages } of all)
    if (failureMessages.length > 0) process.stderr.write(`not refused: ${title}: ${failureMessages.join(' ')}\n`)
  report('authorisation', {
    attempts,
    refused,
    refusedShare: attempts === 0 ? 0 : refused / attempts,
    seconds,
    calibrator: { sha256PerSecond: calibrator },
    targets,
    verdict: attempts > 0 && refused === attempts && seconds < targets.minutes * 60,
  })
}

/** The calibrator: how many hashes of a small message this machine makes a second; a request is mostly signing and checking. */
function hashesPerSecond(): number {
  const began = performance.now()
  let made = 0
  for (; performance.now() - began < 500; made++) createHash('sha256').update(`message ${made}`).digest()
  return Math.round((made / (performance.now() - began)) * 1_000)
}
