import type { JournalRecord } from '@linewarden/contract'
import { actorName, outcomeName } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { TableColumn } from '../../ui/table-column.ts'

/** Who did what to what, and what became of it; on demand also what was there before and after. */
export const logColumns = (t: TFunction<['people', 'app']>): readonly TableColumn<JournalRecord>[] => [
  { key: 'At', head: t('app:time'), cell: ({ At }) => dayTime(At), text: ({ At }) => new Date(At).toISOString() },
  {
    key: 'Actor',
    head: t('app:by'),
    cell: ({ Actor }) => localised(actorName(Actor)) || '–',
    text: ({ Actor }) => localised(actorName(Actor)),
  },
  { key: 'Action', head: t('action'), cell: ({ Label }) => localised(Label), text: ({ Label }) => localised(Label) },
  {
    key: 'Target',
    head: t('target'),
    cell: ({ TargetLabel }) => localised(TargetLabel) || '–',
    text: ({ TargetLabel }) => localised(TargetLabel),
  },
  {
    key: 'Outcome',
    head: t('outcome'),
    cell: ({ Outcome }) => (Outcome === 'done' ? localised(outcomeName(Outcome)) : <b>{localised(outcomeName(Outcome))}</b>),
    text: ({ Outcome }) => localised(outcomeName(Outcome)),
  },
  { key: 'Address', head: t('address'), cell: ({ Address }) => Address || '–', text: ({ Address }) => Address },
  changed('Before', t('before')),
  changed('After', t('after')),
]

const changed = (key: 'Before' | 'After', head: string): TableColumn<JournalRecord> => ({
  key,
  head,
  cell: (entry) => entry[key] ?? '–',
  text: (entry) => entry[key],
  optional: true,
})
