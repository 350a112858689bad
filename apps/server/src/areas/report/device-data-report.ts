import type { ReportScope } from '@linewarden/contract'
import { Refusal, text } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { ReportAsked, ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { ReportDeps } from './deps.ts'
import type { DeviceTable } from './device-table.ts'
import { tableOf, wrong } from './device-table.ts'
import { deviceDataFile } from './export.ts'

const words = {
  lines: text('线路', 'Lines'),
  points: text('测点', 'Points'),
  rows: text('行数', 'Rows'),
} as const

const none = { zh: '请选择线路、测点和步长', en: 'needs lines, points and a step' }

/** What lines measured and used, of the lines and points that somebody chose. */
export function deviceDataReport(deps: Pick<ReportDeps, 'database' | 'plant'>): ReportSource {
  return {
    check(actor, project, scope) {
      // Any period will do: what is asked for is looked at, and not when.
      tableIn(actor, project, scope, { from: 0, to: 86_400_000 })
    },
    known: async () => null,
    async make(actor, { project, scope, from, to, format, language, now }) {
      const table = tableIn(actor, project, scope, { from, to })
      const wanted = { Format: format === 'csv' ? ('csv' as const) : ('xlsx' as const), Language: language }
      const { file, rows } = await deviceDataFile(deps, actor, table, wanted, now)
      const figure = (label: keyof typeof words, value: number) => ({
        label: inLanguage(words[label], language),
        value: String(value),
      })
      return {
        figures: [figure('lines', table.lines.length), figure('points', table.points.length), figure('rows', rows)],
        table: null,
        file,
      }
    },
  }

  function tableIn(
    actor: Actor,
    project: PlantProject,
    { LineIDs, Points, Step }: ReportScope,
    { from, to }: Pick<ReportAsked, 'from' | 'to'>,
  ): DeviceTable {
    if (!LineIDs || !Points || !Step) throw wrong('Scope', none)
    const table = tableOf(deps.plant, actor, { LineIDs, Points, Step, From: from, To: to })
    if (table.project.id !== project.id) throw new Refusal('line not exists')
    return table
  }
}
