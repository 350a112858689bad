import type { exportWarnings, Reply, Request, Warning } from '@linewarden/contract'
import { maxExportedRows, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { WarningLevel } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { DownloadFile } from '../../http/downloads.ts'
import type { AskedFile } from '../../http/table-file.ts'
import { inLanguage, listFile, pagesOf, zoneOfFile } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { TableRow } from '../../tables/table.ts'
import type { WarningDeps } from './deps.ts'
import type { Findings } from './findings.ts'

/** The heads of exported findings, in the order of their cells. */
export const columns: readonly Text[] = [
  { zh: '首见', en: 'First seen' },
  { zh: '级别', en: 'Level' },
  { zh: '预警', en: 'Warning' },
  { zh: '项目', en: 'Project' },
  { zh: '网关', en: 'Gateway' },
  { zh: '线路', en: 'Line' },
  { zh: '值', en: 'Value' },
  { zh: '限值', en: 'Limit' },
  { zh: '单位', en: 'Unit' },
  { zh: '次数', en: 'Times' },
  { zh: '状态', en: 'State' },
  { zh: '到限（天）', en: 'Days to the limit' },
  { zh: '怎么办', en: 'What to do' },
]
export const levels: Readonly<Record<WarningLevel, Text>> = {
  alarm: { zh: '报警', en: 'Alarm' },
  warning: { zh: '警告', en: 'Warning' },
  notice: { zh: '提示', en: 'Notice' },
}
const states: Readonly<Record<string, Text>> = {
  active: { zh: '未确认', en: 'Unacknowledged' },
  acknowledged: { zh: '已确认', en: 'Acknowledged' },
  returned: { zh: '已恢复，未确认', en: 'Returned, unacknowledged' },
  normal: { zh: '已恢复', en: 'Over' },
}

/** Early warnings as a file, in the order of the list; what comes while it is made is not in it. */
export function createExport(
  { plant, downloads, clock }: WarningDeps,
  { findingIdsOf, findingsOf }: Pick<Findings, 'findingIdsOf' | 'findingsOf'>,
) {
  return {
    async export(
      actor: Actor,
      project: PlantProject | null,
      { Format, Language, ...asked }: Request<typeof exportWarnings>['body'],
    ): Promise<Reply<typeof exportWarnings>> {
      const ids = await findingIdsOf(actor, project, asked, maxExportedRows + 1)
      if (ids.length > maxExportedRows) throw new Refusal('too many warnings', { most: maxExportedRows })
      return downloads.issue(actor, warningsFile(actor, project, { Format, Language }, ids))
    },
    warningsFile,
  }

  /** These findings as a file. */
  function warningsFile(actor: Actor, project: PlantProject | null, asked: AskedFile, ids: readonly string[]): DownloadFile {
    const rowsOf = async (some: readonly string[]) =>
      (await findingsOf(actor, some)).map((each) => warningRow(each, asked.Language))
    return listFile(asked, {
      ...{ called: { zh: '故障预警', en: 'early-warnings' }, columns },
      ...{ timeZone: zoneOfFile(actor, plant, project), now: clock() },
      pages: (_, onProgress) => pagesOf(ids, rowsOf, onProgress),
    })
  }
}

/** Days, and of which limit where that is not the one beside it. */
function timeToLimit({ ToLimit, Limit, NextLimit, Unit }: Warning['Evidence']): string | null {
  if (!ToLimit) return null
  const days = `${Math.floor(ToLimit.Lo)}–${Math.ceil(ToLimit.Hi)}`
  return NextLimit === null || NextLimit === Limit ? days : `${days} (${NextLimit} ${Unit})`
}

/** A finding as a row of its file. */
export function warningRow({ Event, Level, Evidence, Advice }: Warning, language: AskedFile['Language']): TableRow {
  const localised = (text: Text) => inLanguage(text, language)
  return {
    at: Event.RaisedAt,
    values: [
      localised(levels[Level]),
      localised(Event.Label),
      Event.Where.HouseName,
      Event.Where.GatewayName,
      Event.Where.LineName,
      Event.Value,
      Event.Limit,
      Event.Unit,
      Event.Raises,
      localised(states[Event.State ?? 'normal'] ?? { zh: '', en: '' }),
      timeToLimit(Evidence),
    ],
    note: localised(Advice),
  }
}
