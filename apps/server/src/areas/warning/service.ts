import { every } from '../../lib/every.ts'
import { keptRules } from '../../store/warning/rule.ts'
import type { WarningDeps } from './deps.ts'
import { createDetails } from './details.ts'
import { DiagramDetectors } from './diagrams.ts'
import { createExport } from './export.ts'
import { FindingBook } from './finding-book.ts'
import { createFindings } from './findings.ts'
import { LiveDetectors } from './live.ts'
import { createLoadAgain } from './load-again.ts'
import { Nightly } from './nightly.ts'
import { createNormalChange } from './normal-change.ts'
import { createUndo } from './normal-change-undo.ts'
import { OccurrenceDetectors } from './occurrences.ts'
import { createOpenFindings } from './open-findings.ts'
import { createPreview } from './preview.ts'
import { createRules } from './rules.ts'
import { RulesInForce } from './rules-in-force.ts'

export type Warnings = Awaited<ReturnType<typeof createWarnings>>

/** Another server may have changed a rule, or a finding: that is known here after so long at most. */
const readEveryMs = 30_000

/** Early warning: what detectors find on lines, and by which rules. */
export async function createWarnings(deps: WarningDeps) {
  const { database, log } = deps
  const rules = new RulesInForce()
  const readRules = async () => rules.accept(await keptRules(database))
  await readRules()
  const loop = every(readEveryMs, readRules, {
    log,
    failed: 'the rules of early warning were not read; tried again in half a minute',
    level: 'warn',
    unref: true,
  })
  const openFindings = createOpenFindings(deps)
  const reading = every(readEveryMs, openFindings.read, {
    log,
    failed: 'open findings of early warning were not read; tried again in half a minute',
    level: 'warn',
    unref: true,
  })
  const findings = createFindings(deps)
  const nightly = new Nightly({ ...deps, rules })
  nightly.start()
  const book = new FindingBook({ ...deps, rules })
  const live = await LiveDetectors.start({ ...deps, rules }, book)
  const occurrences = new OccurrenceDetectors({ ...deps, rules }, book)
  occurrences.start()
  const diagrams = new DiagramDetectors({ ...deps, rules }, book)
  diagrams.start()
  return {
    rules,
    ...createRules(deps, readRules),
    ...findings,
    ...createDetails(deps, rules, findings),
    ...createLoadAgain(deps, rules),
    ...createPreview(deps),
    ...createNormalChange(deps, findings),
    ...createUndo(deps, rules, findings),
    ...createExport(deps, findings),
    openFindings,
    nightly,
    live,
    occurrences,
    diagrams,
    book,
    async close() {
      await Promise.all([loop.close(), reading.close(), nightly.close(), live.close(), occurrences.close(), diagrams.close()])
      await book.close()
    },
  }
}
