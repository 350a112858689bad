import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from './report.ts'

const targets = { refusedShare: 1, minutes: 5 }

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string; readonly title: string }[] }[]
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
  const refused = all.filter(({ status }) => status === 'passed').length
  for (const { status, title } of all) if (status !== 'passed') process.stderr.write(`not refused: ${title}\n`)
  report('authorisation', {
    attempts: all.length,
    refused,
    refusedShare: all.length === 0 ? 0 : refused / all.length,
    seconds,
    calibrator: { sha256PerSecond: calibrator },
    targets,
    verdict: all.length > 0 && refused === all.length && seconds < targets.minutes * 60,
  })
}

/** The calibrator: how many hashes of a small message this machine makes a second; a request is mostly signing and checking. */
function hashesPerSecond(): number {
  const began = performance.now()
  let made = 0
  for (; performance.now() - began < 500; made++) createHash('sha256').update(`message ${made}`).digest()
  return Math.round((made / (performance.now() - began)) * 1_000)
}
