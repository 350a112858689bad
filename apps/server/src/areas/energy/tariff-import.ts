import type { importTariff, Reply, Request, TariffContent } from '@linewarden/contract'
import { aboutNothing, Refusal, readTariffSheet, ruledTariff, tariffProblemText } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import type { VersionDates } from '@linewarden/rules/energy'
import { tariffProblems, versionProblems } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { findTariff, headsOf, importVersions } from '../../store/energy/tariff.ts'
import { contentOf, publishedDates, sealed } from './tariff-record.ts'
import { columnsOf, maxVersions, placeOf, refusalOf, refuseWrong } from './tariffs.ts'

export type TariffImports = ReturnType<typeof createTariffImports>

type Body = Request<typeof importTariff>['body']
type Imported = Reply<typeof importTariff>
type Sheet = Imported['Sheets'][number]

interface ReadSheet {
  readonly content: TariffContent
  readonly record: Sheet
}

/** Versions of a tariff from a workbook: all of them, or none. */
export function createTariffImports({ database, clock }: { readonly database: Database; readonly clock: () => number }) {
  return {
    async import(actor: Actor, project: PlantProject, { TariffID, DryRun, Publish, Sheets }: Body): Promise<Imported> {
      if (actor.shared) throw new Refusal('access denied')
      const heads = await withRowSecurity(database, actor.scope, async ({ general }) => {
        if (!(await findTariff(general, project.id, TariffID))) throw new Refusal('tariff not exists')
        return headsOf(general, TariffID)
      })
      const sheets = readSheets(Sheets, publishedDates(heads))
      const found = { Stored: 0, Sheets: sheets.map(({ record }) => record) }
      if (!Publish && sheets.length > 1) throw new Refusal('tariff sheets many')
      if (DryRun) return found
      const named = sheets.flatMap(({ record }) =>
        record.Problems.map(({ Cell, Text }) => ({ Path: `${record.Name} ${Cell ?? ''}`.trim(), Text })),
      )
      if (named.length > 0) throw new Refusal('tariff sheets wrong', { count: named.length }, named)
      const versions = sheets.map(({ content }) => columnsOf(content))
      const saved = await importVersions(
        database,
        { ...placeOf(project), tariffId: TariffID, most: maxVersions, versions },
        Publish
          ? (draft, others, tariff) => {
              refuseWrong(draft, others)
              return { at: clock(), name: actor.userName, ...sealed(tariff, draft) }
            }
          : null,
        (tariff, rows) => ({
          ...{
            ...by(actor, clock(), 'tariff.import', project.ownerId),
            subject: aboutNothing,
            target: `${project.name} · ${tariff.name}`,
          },
          after: rows.map((row) => ({ number: row.number, from: contentOf(row).From, source: row.source, sha256: row.sha256 })),
        }),
      )
      if (typeof saved === 'string') throw refusalOf(saved)
      return { ...found, Stored: saved.length }
    },
  }
}

/** Each sheet by itself, and its dates beside those that are published and those of the sheets before it. */
function readSheets(sheets: Body['Sheets'], published: readonly VersionDates[]): readonly ReadSheet[] {
  const read = sheets.map(({ Name, Rows }, index) => {
    const { content, problems } = readTariffSheet(Rows.map(({ Row, Cells }) => ({ row: Row, cells: Cells })))
    const version = ruledTariff(content, { id: -1 - index, publishedAt: null })
    // What a cell says already is not said once more of the whole.
    const whole = problems.length > 0 ? [] : tariffProblems(version).map((problem) => tariffProblemText(problem, content).Text)
    return { name: Name, content, version, cells: problems, whole }
  })
  const inOrder = read.toSorted((one, other) => (one.content.From < other.content.From ? -1 : 1))
  return inOrder.map(({ name, content, version, cells, whole }, index) => {
    const isDated = parseDate(content.From) !== null && whole.length === 0 && cells.length === 0
    const before = inOrder.slice(0, index).map((each) => ({ ...each.version, publishedAt: index }))
    const beside = isDated ? versionProblems([...published, ...before], version) : []
    return {
      content,
      record: {
        ...{ Name: name, From: content.From, To: content.To, Source: content.Source, Bands: content.Bands.length },
        ...{ Seasons: content.Seasons.length, Components: content.Components.length },
        Problems: [
          ...cells.map(({ cell, text }) => ({ Cell: cell, Text: text })),
          ...[...whole, ...beside.map((problem) => tariffProblemText(problem, content).Text)].map((Text) => ({
            Cell: null,
            Text,
          })),
        ],
      },
    }
  })
}
