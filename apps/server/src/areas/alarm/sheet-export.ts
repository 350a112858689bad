import type { AlarmRationaleRecord, exportAlarmRationales, RationaleRecordTexts, Reply, Request } from '@linewarden/contract'
import { text, zoneClock } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { withoutPeople } from '../../access/without-people.ts'
import type { Downloads } from '../../http/downloads.ts'
import type { AskedFile } from '../../http/table-file.ts'
import { tableFile, timeCell, zoneOfFile } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { TableRow } from '../../tables/table.ts'
import type { AlarmDeps } from './deps.ts'
import { wordsOf } from './export-words.ts'

type Rows = (actor: Actor, project: PlantProject | null) => Promise<AlarmRationaleRecord[]>

const origins: Readonly<Record<AlarmRationaleRecord['Origin'], Text>> = {
  project: text('项目', 'Project'),
  default: text('默认', 'Default'),
  builtIn: text('内置', 'Built-in'),
  none: text('尚无说明', 'No answer'),
}
const parts: readonly (readonly [keyof RationaleRecordTexts, Text])[] = [
  ['Cause', text('可能原因', 'Likely cause')],
  ['Consequence', text('不处理的后果', 'If nobody does anything')],
  ['Action', text('处置建议', 'What to do')],
  ['Time', text('处置时间', 'Time there is')],
  ['Priority', text('级别依据', 'Why this priority')],
  ['Basis', text('限值依据', 'Where the limit comes from')],
]

/** The whole sheet as a file, as it is in force at a place: each text in both languages, what is not answered too. */
export function createSheetExport({ plant, clock, downloads }: AlarmDeps & { readonly downloads: Downloads }, rows: Rows) {
  return {
    async exportRationales(
      actor: Actor,
      project: PlantProject | null,
      { Format, Language }: Request<typeof exportAlarmRationales>['body'],
    ): Promise<Reply<typeof exportAlarmRationales>> {
      return downloads.issue(actor, (await rationalesFile(actor, project, { Format, Language })).file)
    },
    rationalesFile,
  }

  /** The sheet as a file, with how much of it is answered. */
  async function rationalesFile(actor: Actor, project: PlantProject | null, { Format, Language }: AskedFile) {
    const { localised, kind, priority } = wordsOf(Language)
    const timeZone = zoneOfFile(actor, plant, project)
    const zone = zoneClock(timeZone)
    const found = await rows(actor, project)
    const items = actor.shared ? withoutPeople(found) : found
    const columns = [
      `${localised(text('导出时间', 'Exported'))} (${timeZone})`,
      ...[
        ...[text('报警', 'Alarm'), text('代号', 'Key'), text('类别', 'Kind'), text('优先级', 'Priority')],
        ...[text('设备类型', 'Equipment'), text('来源', 'Comes from'), text('修改时间', 'Changed'), text('修改人', 'Changed by')],
      ].map(localised),
      ...parts.flatMap(([, name]) => [`${localised(name)} (中文)`, `${localised(name)} (English)`]),
    ]
    const at = clock()
    const table: TableRow[] = items.map((row) => ({
      at,
      values: [
        ...[localised(row.Label), row.Key, kind(row.Kind), priority(row.AlarmPriority)],
        row.Families.map(localised).join(Language === 'EN' ? ', ' : '、'),
        localised(origins[row.Origin]),
        timeCell(zone, row.ChangedAt),
        row.ChangedBy,
        ...parts.flatMap(([part]) => [row.Texts?.[part].zh ?? null, row.Texts?.[part].en ?? null]),
      ],
      note: '',
    }))
    const stamp = zone.text(at).slice(0, 16).replace(/[-: ]/g, '')
    const name = `${localised(text('报警合理化表', 'alarm-rationalisation'))}-${stamp}`
    return {
      file: tableFile(name, Format, { columns, zone }, pages),
      total: items.length,
      unanswered: items.filter(({ Origin }) => Origin === 'none').length,
    }

    async function* pages(onProgress: (progress: { rows: number; share: number }) => void) {
      yield table
      onProgress({ rows: table.length, share: 1 })
    }
  }
}
