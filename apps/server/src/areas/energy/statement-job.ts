import { dayMs } from '@linewarden/equipment'
import type { Job } from '../../jobs/jobs.ts'
import { noteCheck, statementsToCheck, statementToCheck } from '../../store/energy/statement-check.ts'
import { isAsIssued } from './statement-freeze.ts'

/** So many of the newest statements, and as many of the others at random, are reckoned again each night. */
const checkedStatements = 20

export const statementJob: Job = {
  task: 'statements.check',
  match: '17 19 * * *',
  backfillMs: dayMs,
  async run({ database, clock, log }) {
    for (const id of await statementsToCheck(database, checkedStatements, checkedStatements)) {
      const row = await statementToCheck(database, id)
      if (!row) continue
      const isEqual = await isAsIssued(database, row)
      await noteCheck(database, id, isEqual, clock())
      if (!isEqual) log.error({ statement: row.number, id }, 'a statement is not what it was issued as')
    }
  },
}
