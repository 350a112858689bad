import type { InspectionItem } from '@linewarden/contract'

/** What is in order, as it is written beside an item; empty: it is no figure, or any will do. */
export function rangeText({ Kind, Min, Max, Unit }: Pick<InspectionItem, 'Kind' | 'Min' | 'Max' | 'Unit'>): string {
  if (Kind !== 'number') return ''
  const unit = Unit === '' ? '' : ` ${Unit}`
  if (Min !== null && Max !== null) return `${Min}–${Max}${unit}`
  if (Min !== null) return `≥ ${Min}${unit}`
  return Max === null ? unit.trim() : `≤ ${Max}${unit}`
}
