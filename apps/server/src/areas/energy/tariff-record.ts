import { createHash } from 'node:crypto'
import type { Tariff, TariffContent, TariffHead, TariffVersionRecord } from '@linewarden/contract'
import { ruledTariff } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { TariffVersion, VersionDates } from '@linewarden/rules/energy'
import { pricedSpan } from '@linewarden/rules/energy'
import { withSortedKeys } from '../../lib/sorted-keys.ts'
import type { TariffHeadRow, TariffRow, TariffVersionRow } from '../../store/energy/tariff.ts'

/** A version as it goes over the wire. */
export const contentOf = (row: TariffVersionRow): TariffContent => ({
  ...{ From: dateText(row.from_day), To: row.to_day === null ? null : dateText(row.to_day), Source: row.source },
  ...row.content,
})

/** And as the rules take it. */
export const versionOf = (row: TariffVersionRow): TariffVersion =>
  ruledTariff(contentOf(row), { id: row.version_id, publishedAt: row.published_at?.getTime() ?? null })

/**
 * What is published, byte for byte: keys in order, no blanks, numbers whole (RFC 8785), so that whoever has the text has the hash, in ten years
 * too.
 */
export function sealed(tariff: TariffRow, row: TariffVersionRow): { readonly canonical: string; readonly sha256: string } {
  const { currency: Currency, tariff_id: TariffID } = tariff
  const canonical = JSON.stringify(withSortedKeys({ TariffID, Currency, Number: row.number, ...contentOf(row) }))
  return { canonical, sha256: createHash('sha256').update(canonical).digest('hex') }
}

const datesOf = (row: TariffHeadRow): VersionDates => ({
  ...{ id: row.version_id, publishedAt: row.published_at?.getTime() ?? null },
  ...{ validFrom: dateText(row.from_day), validTo: row.to_day === null ? null : dateText(row.to_day) },
})

/** The dates of those that are published: by them it is decided which one prices. */
export const publishedDates = (rows: readonly TariffHeadRow[]): readonly VersionDates[] =>
  rows.filter((row) => row.published_at !== null).map(datesOf)

/** Guests see equipment and what it costs, and nobody: `isNamed` is false for them. */
export function headOf(row: TariffHeadRow, published: readonly VersionDates[], isNamed: boolean): TariffHead {
  const isPublished = row.published_at !== null
  const { superseded, last } = isPublished ? pricedSpan(published, datesOf(row)) : { superseded: false, last: null }
  return {
    ...{ VersionID: row.version_id, Number: row.number, From: dateText(row.from_day) },
    ...{ To: row.to_day === null ? null : dateText(row.to_day), Source: row.source },
    ...{ PublishedAt: row.published_at?.getTime() ?? null, Publisher: isNamed ? row.published_name : null, Sha256: row.sha256 },
    ...{ Superseded: superseded, PricesUntil: last, Version: row.version },
  }
}

export function tariffRecord(tariff: TariffRow, rows: readonly TariffHeadRow[], isNamed: boolean): Tariff {
  const own = rows.filter((row) => row.tariff_id === tariff.tariff_id)
  const published = publishedDates(own)
  return {
    ...{ TariffID: tariff.tariff_id, HouseID: tariff.project_id, Name: tariff.name, Currency: tariff.currency },
    Versions: own.map((row) => headOf(row, published, isNamed)),
  }
}

export const versionRecord = (
  tariff: TariffRow,
  row: TariffVersionRow,
  ofTariff: readonly TariffHeadRow[],
  isNamed: boolean,
): TariffVersionRecord => ({
  ...{ HouseID: tariff.project_id, TariffID: tariff.tariff_id, Currency: tariff.currency },
  Head: headOf(row, publishedDates(ofTariff), isNamed),
  Content: contentOf(row),
})
