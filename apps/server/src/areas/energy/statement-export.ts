import type { exportStatements, printStatement, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Downloads } from '../../http/downloads.ts'
import { issueLogged } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { namesOfStatements } from '../../store/energy/statement.ts'
import { zipBytes } from '../../tables/zip.ts'
import type { StatementDeps } from './statement-draft.ts'
import { statementPdf } from './statement-pdf.ts'
import type { PrintDeps } from './statement-prints.ts'
import { addressIn, pdfFile } from './statement-prints.ts'
import { readStatements } from './statement-read.ts'

/** Statements in memory at once. */
const atOnce = 10

interface Wanted {
  readonly ids: readonly number[]
  /** Of the PDF of each; null: there is none. */
  readonly language: 'CN' | 'EN' | null
  readonly onProgress: (progress: { rows: number; share: number }) => void
}

export type StatementExport = ReturnType<typeof createStatementExport>

/** Statements as files: of each the bytes that its hash is of, and how it prints. */
export function createStatementExport(deps: StatementDeps & PrintDeps & { readonly downloads: Downloads }) {
  const { database, clock } = deps
  return {
    async prepare(
      actor: Actor,
      project: PlantProject,
      { StatementIDs, Language }: Request<typeof exportStatements>['body'],
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
          zipBytes(filesOf(actor, project, { ids, language: Language ?? null, onProgress })),
      }
      return issueLogged(deps, actor, file, {
        ...by(actor, clock(), 'statement.export', project.ownerId),
        ...{ subject: aboutNothing, target: project.name },
        after: { count: names.length, first: names[0]?.number ?? null, last: names.at(-1)?.number ?? null },
      })
    },

    /** One, as it prints: a guest gets it too, and reads in it no more names than on the page. */
    async print(
      actor: Actor,
      project: PlantProject,
      { StatementID, Language: language }: Request<typeof printStatement>['body'],
    ): Promise<Reply<typeof printStatement>> {
      const [found] = await readStatements(deps, actor, project, [StatementID])
      if (!found) throw new Refusal('statement not exists')
      const { number } = found.row
      const file = pdfFile(`${project.name}-${number}`, [found.record], {
        language,
        at: clock(),
        addressOf: addressIn(deps, project),
      })
      return issueLogged(deps, actor, file, {
        ...by(actor, clock(), 'statement.export', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${number}` },
        after: { count: 1, first: number, last: number, format: 'pdf' },
      })
    },
  }

  async function* filesOf(actor: Actor, project: PlantProject, { ids, language, onProgress }: Wanted) {
    const addressOf = addressIn(deps, project)
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce)
      const found = await readStatements(deps, actor, project, some)
      for (const { row, record } of found) {
        yield { name: `${row.number}.json`, content: row.canonical }
        yield { name: `${row.number}.sha256`, content: `${row.sha256}  ${row.number}.json\n` }
        if (language !== null)
          yield { name: `${row.number}.pdf`, content: await statementPdf([record], { language, at: clock(), addressOf }) }
      }
      onProgress({ rows: from + found.length, share: Math.min(1, (from + atOnce) / ids.length) })
    }
  }
}
