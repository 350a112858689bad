import type { exportCost, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal, tariffName, text, zoneClock } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Downloads } from '../../http/downloads.ts'
import { inLanguage, issueLogged, tableFile } from '../../http/table-file.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { findSupply } from '../../store/energy/supply.ts'
import type { Table, TableRow } from '../../tables/table.ts'
import type { WithoutCarbon } from './picture.ts'
import { createSupplyEnergy } from './supply-energy.ts'

export type CostExport = ReturnType<typeof createCostExport>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly downloads: Downloads
  readonly clock: () => number
}

type Wanted = Request<typeof exportCost>['body']
type Word = (text: Text) => string

/** Energy of a supply by band and what it costs as a file: the bars that are shown, in the log before anybody gets it. */
export function createCostExport(deps: Deps) {
  const { database, clock } = deps
  const energy = createSupplyEnergy(deps)
  return {
    async prepare(actor: Actor, project: PlantProject, wanted: Wanted): Promise<Reply<typeof exportCost>> {
      const { SupplyID, Unit, From, To, Compare, Format, Language } = wanted
      const supply = await withRowSecurity(database, actor.scope, ({ general }) => findSupply(general, SupplyID))
      if (supply?.project_id !== project.id) throw new Refusal('supply not exists')
      const asked = { SupplyID, Unit, From, To, By: 'band' as const, ...(Compare && { Compare }) }
      const { picture } = await energy.read(actor, asked)
      const word: Word = (each) => inLanguage(each, Language)
      // As on the page: what has not begun has nothing to read.
      const begun = picture.Bars.filter(({ Start }) => Start < picture.At)
      const rows = begun.map((bar) => rowOf(bar, picture, word))
      const name = [word(heads.file), supply.name, From, To].join('-').replace(/[\\/:*?"<>|]/g, ' ')
      const file = tableFile(name, Format, tableOf(picture, word), async function* (onProgress) {
        yield rows
        onProgress({ rows: rows.length, share: 1 })
      })
      return issueLogged(deps, actor, file, {
        ...by(actor, clock(), 'supply.export', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${supply.name}` },
        after: { rows: rows.length, format: Format, unit: Unit, from: From, to: To, compare: Compare ?? null },
      })
    },
  }
}

const heads = {
  file: text('电费', 'cost'),
  from: text('起', 'From'),
  fee: text('电费', 'Cost'),
  total: text('合计', 'Total'),
  unpriced: text('没有价格 kWh', 'Without price kWh'),
  compared: text('对比', 'Compared'),
  note: text('状态', 'State'),
} as const

const notes = {
  skipped: text('无此时段', 'never shown by the clock'),
  notBilled: text('不在供电点起止日期内', 'outside the dates of the supply'),
  unknown: text('缺', 'not known'),
  lacking: text('部分缺', 'in part not known'),
  open: text('未结束', 'not over'),
} as const

const bandsOf = ({ Pricing }: WithoutCarbon): readonly string[] => Pricing?.Bands ?? []

function tableOf(picture: WithoutCarbon, word: Word): Table {
  const money = picture.Pricing?.Currency ? ` ${picture.Pricing.Currency}` : ''
  const names = [...bandsOf(picture).map((key) => word(tariffName(key))), word(heads.total)]
  const compared = picture.Compared ? [`${word(heads.compared)} kWh`, `${word(heads.compared)} ${word(heads.fee)}${money}`] : []
  return {
    columns: [
      `${word(heads.from)} (${picture.Zone})`,
      ...names.map((name) => `${name} kWh`),
      word(heads.unpriced),
      ...names.map((name) => `${name} ${word(heads.fee)}${money}`),
      ...compared,
      word(heads.note),
    ],
    zone: zoneClock(picture.Zone),
    totals: {
      label: word(heads.total),
      columns: Array.from({ length: 2 * names.length + 1 + compared.length }, (_, place) => place + 1),
      note: picture.Total.LackingS + picture.Total.OpenS > 0 ? word(notes.lacking) : '',
    },
  }
}

function rowOf(bar: WithoutCarbon['Bars'][number], picture: WithoutCarbon, word: Word): TableRow {
  const { Cost, Compared } = bar
  const isKnown = bar.Wh !== null
  const bands = bandsOf(picture)
  const note = noteOf(bar)
  return {
    at: bar.Start,
    values: [
      ...bands.map((_, band) => (isKnown ? kwh(Cost?.ByBand[band] ?? null) : null)),
      ...[kwh(bar.Wh), isKnown ? kwh(Cost?.UnpricedWh ?? null) : null],
      ...bands.map((_, band) => figure(Cost?.FeeByBand?.[band] ?? null)),
      figure(Cost?.Fee ?? null),
      ...(picture.Compared ? [kwh(Compared?.Wh ?? null), figure(Compared?.Fee ?? null)] : []),
    ],
    note: note ? word(note) : '',
  }
}

const kwh = (wh: number | null): number | null => (wh === null ? null : wh / 1_000)
/** A cell is a number, so that a spreadsheet adds it up. */
const figure = (fee: string | null): number | null => (fee === null ? null : Number(fee))

function noteOf({ Clock, LengthS, Wh, LackingS, OpenS }: WithoutCarbon['Bars'][number]): Text | null {
  if (Clock === 'skipped') return notes.skipped
  if (LengthS === 0) return notes.notBilled
  if (OpenS > 0) return notes.open
  if (LackingS > 0) return Wh === null ? notes.unknown : notes.lacking
  return null
}
