import type { exportStatements, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Downloads } from '../../http/downloads.ts'
import { issueLogged } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { findStatements, namesOfStatements } from '../../store/energy/statement.ts'
import { zipBytes } from '../../tables/zip.ts'
import type { StatementDeps } from './statement-draft.ts'

/** Statements in memory at once. */
const atOnce = 10

export type StatementExport = ReturnType<typeof createStatementExport>

/** Statements as one file: of each the bytes that its hash is of. */
export function createStatementExport(deps: StatementDeps & { readonly downloads: Downloads }) {
  const { database, clock } = deps
  return {
    async prepare(
      actor: Actor,
      project: PlantProject,
      { StatementIDs }: Request<typeof exportStatements>['body'],
    ): Promise<Reply<typeof exportStatements>> {
      // What was frozen names whoever issued it, which a guest is told nowhere.
      if (actor.shared) throw new Refusal('access denied')
      const ids = [...new Set(StatementIDs)].sort((one, other) => one - other)
      const names = await withRowSecurity(database, actor.scope, ({ general }) => namesOfStatements(general, project.id, ids))
      if (names.length < ids.length) throw new Refusal('statement not exists')
      const file = {
        fileName: `${project.name}-${names[0]?.number ?? ''}${names.length > 1 ? `-${names.length}` : ''}.zip`,
        type: 'application/zip',
        bytes: (onProgress: (progress: { rows: number; share: number }) => void) =>
          zipBytes(filesOf(actor, project, ids, onProgress)),
      }
      return issueLogged(deps, actor, file, {
        ...by(actor, clock(), 'statement.export', project.ownerId),
        ...{ subject: aboutNothing, target: project.name },
        after: { count: names.length, first: names[0]?.number ?? null, last: names.at(-1)?.number ?? null },
      })
    },
  }

  async function* filesOf(
    actor: Actor,
    project: PlantProject,
    ids: readonly number[],
    onProgress: (progress: { rows: number; share: number }) => void,
  ) {
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce)
      const rows = await withRowSecurity(database, actor.scope, ({ general }) => findStatements(general, project.id, some))
      for (const row of rows) {
        yield { name: `${row.number}.json`, text: row.canonical }
        yield { name: `${row.number}.sha256`, text: `${row.sha256}  ${row.number}.json\n` }
      }
      onProgress({ rows: from + rows.length, share: Math.min(1, (from + atOnce) / ids.length) })
    }
  }
}
