import { text, zoneClock } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { requireGateway } from '../../http/list-report.ts'
import type { ReportSource } from '../../http/report-source.ts'
import { inLanguage } from '../../http/table-file.ts'
import type { AlarmDeps } from './deps.ts'
import { eventsFile } from './export.ts'
import { columns, wordsOf } from './export-words.ts'

/** Rows in the mail itself. */
const shown = 60

const words = { all: text('全部', 'All') } as const

/** The alarm list of a period: what was raised in it. */
export function alarmReport(deps: Pick<AlarmDeps, 'database' | 'plant' | 'clock'>): ReportSource {
  return {
    check: (actor, project, scope) => requireGateway(deps.plant, actor, project, scope),
    known: async () => null,
    async make(actor, { project, scope: { DeviceID }, from, to, format, language }) {
      const asked = {
        ...{ HouseID: project.id, From: from, To: to, Language: language, ...(DeviceID !== undefined && { DeviceID }) },
        ...{ Format: format === 'csv' ? ('csv' as const) : ('xlsx' as const), Sort: '-RaisedAt' as const },
        // A journal tells of what was done, and an order of who does it: neither is an alarm.
        Kinds: ['alarm' as const, 'fault' as const, 'warning' as const],
      }
      const { file, total, first } = await eventsFile(deps, actor, project, asked)
      const { localised, priority, state } = wordsOf(language)
      const byPriority = []
      for (const each of priorities) {
        const { total: count } = await eventsFile(deps, actor, project, { ...asked, Priorities: [each] })
        byPriority.push({ label: priority(each), value: String(count) })
      }
      const zone = zoneClock(project.timeZone)
      const rows = (await first(shown)).map(({ RaisedAt, Priority, State, Label, Where }) => [
        ...[zone.text(RaisedAt).slice(0, 19), priority(Priority), state(State) ?? '', localised(Label)],
        ...[Where.GatewayName ?? '', Where.LineName ?? ''],
      ])
      const heads = [0, 2, 3, 4, 9, 10].flatMap((place) => columns[place] ?? [])
      return {
        figures: [{ label: inLanguage(words.all, language), value: String(total) }, ...byPriority],
        table: { columns: heads.map((each) => inLanguage(each, language)), rows },
        file,
      }
    },
  }
}
