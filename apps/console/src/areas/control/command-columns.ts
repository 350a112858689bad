import type { LedgerEntry } from '@linewarden/contract'
import { actorName, commandSources } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { TableColumn } from '../../ui/table-column.ts'
import { stateWord } from './command-words.ts'

/** Which line was ordered to do what, by whom and why, and how far the order got. */
export const commandColumns = (t: TFunction<['operations', 'control', 'app']>): readonly TableColumn<LedgerEntry>[] => [
  {
    key: 'RequestedAt',
    head: t('app:time'),
    cell: ({ Command }) => clockTime(Command.RequestedAt),
    text: ({ Command }) => new Date(Command.RequestedAt).toISOString(),
  },
  {
    key: 'line',
    head: t('app:line'),
    cell: ({ LineName, Command }) => LineName || Command.ControllerID,
    text: ({ LineName }) => LineName,
  },
  { key: 'project', head: t('app:project'), cell: ({ HouseName }) => HouseName, text: ({ HouseName }) => HouseName },
  {
    key: 'Action',
    head: t('action'),
    cell: ({ Command }) => t(`control:${Command.Action}`),
    text: ({ Command }) => t(`control:${Command.Action}`),
  },
  { key: 'Actor', head: t('person'), cell: actorOf, text: actorOf },
  {
    key: 'source',
    head: t('source'),
    cell: ({ Command }) => sourceWord(Command.Source, t),
    text: ({ Command }) => sourceWord(Command.Source, t),
  },
  { key: 'reason', head: t('app:reason'), cell: reasonOf, text: reasonOf },
  { key: 'State', head: t('state'), cell: ({ Command }) => stateWord(Command), text: ({ Command }) => stateWord(Command) },
  {
    key: 'took',
    head: t('took'),
    end: true,
    cell: ({ Command }) => took(Command) ?? '–',
    text: ({ Command }) => took(Command),
  },
]

const actorOf = ({ Command }: LedgerEntry) => localised(actorName(Command.Actor))
const reasonOf = ({ Command }: LedgerEntry) => localised(Command.Reason)

function sourceWord(source: string, t: TFunction<['operations', 'control', 'app']>): string {
  const known = commandSources.find((each) => each === source)
  return known ? t(`sources.${known}`) : source
}

const took = ({ VerifiedAt, RequestedAt }: LedgerEntry['Command']): string | null =>
  VerifiedAt === null ? null : `${((VerifiedAt - RequestedAt) / 1000).toFixed(2)} s`
